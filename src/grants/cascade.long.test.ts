// Who has which role: the first setting that applies wins. Every way of asking gives the same answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { type TestOrganization, type TestPerson, anOrganization } from '../../test/factories.ts'
import { findCaller } from '../access/caller.ts'
import { findCollectionFor, findSpaceFor } from '../access/content.ts'
import { type Role, roles } from '../access/roles.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { type Said, expectedRole } from './testing/model.ts'

const app = await startApp()

interface Content {
  object: 'space' | 'collection'
  id: string
}

/**
 * Returns a member's role on a thing, as each way of asking reports it. Each list is requested only once, so no roles
 * may change in between.
 */
function rolesSeen(org: TestOrganization) {
  const lists = new Map<string, Promise<any[]>>()
  const list = (path: string) => {
    const known = lists.get(path) ?? org.admin.client.get(`${path}?limit=1000`).then(({ body }) => body.items)
    lists.set(path, known)
    return known
  }
  return async (who: TestPerson, thing: Content): Promise<Record<string, Role | null>> => {
    const caller = (await findCaller(app.db, who.client.token!, org.id))!
    const find = thing.object === 'space' ? findSpaceFor : findCollectionFor
    const everybody = await list(`/v1/${thing.object}s/${thing.id}/permissions/aggregate`)
    const seen: Record<string, Role | null> = {
      asked: (await find(app.db, caller, thing.id))?.role ?? null,
      aggregate: everybody.find(({ user }: any) => user.id === who.id)?.permission ?? null,
    }
    if (thing.object === 'space') {
      const spaces = await list(`/v1/orgs/${org.id}/members/${who.id}/spaces`)
      seen.list = spaces.find(({ space }: any) => space.id === thing.id)?.permission ?? null
    }
    const { status } = await who.client.get(`/v1/${thing.object}s/${thing.id}`)
    assert.equal(status, seen.asked === null ? 404 : 200)
    return seen
  }
}

const said = (memberGrant?: Role | null, teamGrants: (Role | null)[] = [], level?: Role | null): Said => ({
  memberGrant,
  teamGrants,
  level,
})
const nothing = said()

/** The role in the organization; what is set on the space, then on the collections around it; the resulting role. */
const cases: [Role | null, Said[], Role | null][] = [
  ['edit', [nothing], 'edit'],
  ['edit', [nothing, nothing, nothing], 'edit'],
  ['edit', [said(undefined, [], 'read')], 'read'],
  ['edit', [said(undefined, ['comment', 'review'], 'read')], 'review'],
  ['edit', [said('read', ['review'], 'create')], 'read'],
  ['edit', [nothing, said('comment')], 'comment'],
  ['edit', [nothing, nothing, said(undefined, ['create'])], 'create'],
  ['edit', [said(undefined, [], 'read'), said('create')], 'read'],
  ['edit', [said(undefined, ['read']), said('create')], 'read'],
  // A level of null closes a thing, whatever is set further up; a grant of null closes it to the one that has it.
  ['create', [said(undefined, [], null), said(undefined, [], 'create')], null],
  ['create', [said(undefined, [], null), said('create')], null],
  ['create', [said('edit', [], null)], 'edit'],
  ['create', [said(null)], null],
  ['create', [nothing, said(null)], null],
  ['create', [said(undefined, [null])], null],
  ['create', [said(undefined, [null, 'read'])], 'read'],
  // A guest has what was granted, and nothing by default.
  [null, [nothing], null],
  [null, [said('edit')], 'edit'],
  [null, [nothing, said(undefined, ['comment'])], 'comment'],
  [null, [said(undefined, [], 'read')], 'read'],
  // An administrator of the organization is an administrator everywhere, whatever is set.
  ['admin', [said(null, [null], null), said(undefined, [], null)], 'admin'],
]

test('a role is set by member, else best team, else level, on the space, else its collections, else the organization', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  for (const [role, chain, expected] of cases) {
    const what = JSON.stringify([role, chain])
    assert.equal(expectedRole(role, chain), expected, `the model: ${what}`)
    const who = await org.member(role)
    let parent: string | undefined
    let thing: Content | undefined
    for (const [i, { memberGrant, teamGrants = [], level }] of chain.entries().toArray().toReversed()) {
      thing = (
        i === 0 ? await aSpace(client, org.id, { parent }) : await aCollection(client, org.id, { parent })
      ) as Content
      if (memberGrant !== undefined) await grant(client, thing, { users: [who.id] }, memberGrant)
      for (const teamRole of teamGrants) {
        const team = await client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: [who.id] })
        await grant(client, thing, { teams: [team.body.id] }, teamRole)
      }
      if (level !== undefined) await client.patch(`/v1/${thing.object}s/${thing.id}`, { defaultLevel: level })
      parent = thing.id
    }
    const seen = await rolesSeen(org)(who, thing!)
    assert.deepEqual(seen, { asked: expected, aggregate: expected, list: expected }, what)
  }
})

/** Reproducible pseudo-random numbers. */
function random(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  return {
    chance: (of: number) => next() < of,
    pick: <T>(from: readonly T[]) => from[Math.floor(next() * from.length)]!,
  }
}

const rounds = 4

test('a member has the same role in single, listed and aggregated answers, for random content', async () => {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9))
  console.log(`seed ${seed} (TEST_SEED=${seed} repeats it)`)
  const { chance, pick } = random(seed)
  const anyRole = () => (chance(0.2) ? null : pick(roles))
  for (let round = 0; round < rounds; round++) {
    const org = await anOrganization(app)
    const people = new Map<TestPerson, Role | null>()
    for (let i = 0; i < 5; i++) {
      const role = anyRole()
      people.set(await org.member(role), role)
    }
    const teams = new Map<string, TestPerson[]>()
    for (let i = 0; i < 3; i++) {
      const members = [...people.keys()].filter(() => chance(0.5))
      const body = { title: 'Team', members: members.map(({ id }) => id) }
      teams.set((await org.admin.client.put(`/v1/orgs/${org.id}/teams`, body)).body.id, members)
    }
    const things = await someContent(org, { chance, pick, anyRole, people: [...people.keys()], teams })

    const see = rolesSeen(org)
    for (const { content, chainFor } of things) {
      for (const [who, role] of people) {
        const expected = expectedRole(role, chainFor(who))
        const seen = await see(who, content)
        for (const [door, got] of Object.entries(seen)) {
          assert.equal(got, expected, `${door}, seed ${seed}, round ${round}, ${JSON.stringify([role, chainFor(who)])}`)
        }
      }
    }
    await countsAgree(org, people, things)
  }
})

interface Dice {
  chance: (of: number) => boolean
  pick: <T>(from: readonly T[]) => T
  anyRole: () => Role | null
  people: TestPerson[]
  teams: Map<string, TestPerson[]>
}

interface Made {
  content: Content
  /** What is set for a person on the content, and on the collections around it. */
  chainFor: (who: TestPerson) => Said[]
}

/** Writes grants to the tables directly: the test is about the rule, not about how grants are made. */
async function someContent(org: TestOrganization, { chance, pick, anyRole, people, teams }: Dice): Promise<Made[]> {
  const made: Made[] = []
  for (const object of [
    'collection',
    'collection',
    'collection',
    'collection',
    'space',
    'space',
    'space',
    'space',
    'space',
  ] as const) {
    const parent = chance(0.25) ? undefined : pick(made.filter(({ content }) => content.object === 'collection'))
    const make = object === 'space' ? aSpace : aCollection
    const content: Content = await make(org.admin.client, org.id, { parent: parent?.content.id })
    const column = object === 'space' ? sql`space_id` : sql`collection_id`
    const table = object === 'space' ? sql`spaces` : sql`collections`
    const level = chance(0.3) ? anyRole() : undefined
    if (level !== undefined) {
      await app.db.run(sql`update ${table} set inherits = false, level = ${level} where id = ${content.id}`)
    }
    const grants = new Map<string, Role | null>()
    for (const { id } of people.filter(() => chance(0.15))) grants.set(id, anyRole())
    for (const id of [...teams.keys()].filter(() => chance(0.2))) grants.set(id, anyRole())
    for (const [id, role] of grants) {
      const [where, to] = teams.has(id) ? [sql`team_grants`, sql`team_id`] : [sql`member_grants`, sql`user_id`]
      await app.db.run(sql`
        insert into ${where} (organization_id, ${column}, ${to}, role) values (${org.id}, ${content.id}, ${id}, ${role})`)
    }
    made.push({
      content,
      chainFor: (who) => [
        {
          memberGrant: grants.get(who.id),
          teamGrants: [...teams]
            .filter(([id, members]) => grants.has(id) && members.includes(who))
            .map(([id]) => grants.get(id)!),
          level,
        },
        ...(parent?.chainFor(who) ?? []),
      ],
    })
  }
  return made
}

async function countsAgree(org: TestOrganization, people: Map<TestPerson, Role | null>, things: Made[]): Promise<void> {
  const visible = (who: TestPerson, object: Content['object']) =>
    things.filter(({ content, chainFor }) => content.object === object && expectedRole(people.get(who)!, chainFor(who)))
      .length
  const { items } = (await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body
  for (const who of people.keys()) {
    assert.equal((await who.client.get(`/v1/orgs/${org.id}/spaces`)).body.count, visible(who, 'space'))
    assert.equal((await who.client.get(`/v1/orgs/${org.id}/collections`)).body.count, visible(who, 'collection'))
    assert.equal(items.find((item: any) => item.id === who.id).spaces, visible(who, 'space'))
  }
}

test('a disabled member, and one whose token is barred, cannot see a space granted to them', async () => {
  const org = await anOrganization(app)
  const who = await org.member('read')
  const space = await aSpace(org.admin.client, org.id)
  await grant(org.admin.client, space, { users: [who.id] }, 'edit')
  const { token } = (await findCaller(app.db, who.client.token!, org.id))!
  assert.equal((await who.client.get(`/v1/spaces/${space.id}`)).status, 200)
  await app.db.run(sql`insert into barred_tokens (organization_id, token_id) values (${org.id}, ${token.id})`)
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.equal((await who.client.get(`/v1/spaces/${space.id}`)).status, 404)
  await app.db.run(sql`delete from barred_tokens where token_id = ${token.id}`)
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${who.id}`, { disabled: true })
  assert.equal((await who.client.get(`/v1/spaces/${space.id}`)).status, 404)
  const everybody = await org.admin.client.get(`/v1/spaces/${space.id}/permissions/aggregate`)
  assert.deepEqual(
    everybody.body.items.map((item: any) => item.user.id),
    [org.admin.id],
  )
  assert.equal((await who.client.get(`/v1/spaces/${newId()}`)).status, 404)
})
