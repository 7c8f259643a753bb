// The number of spaces that a team opens is computed for all teams of a list at once, and equals the result of checking
// each space.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../../drill/random.ts'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { type TestOrganization, anOrganization } from '../../test/factories.ts'
import { rowsHandled } from '../../test/rows-read.ts'
import { type Role, roles } from '../access/roles.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { listTeams } from './queries.ts'

const app = await startApp()
const rounds = 12

test('the space counts of listed teams equal a walk up from every space, in random trees of collections', async () => {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1e9))
  console.log(`seed ${seed} (TEST_SEED=${seed} repeats it)`)
  const random = new Random(seed)
  for (let round = 0; round < rounds; round++) {
    const org = await anOrganization(app)
    const people = [org.admin, await org.member('read'), await org.member('create')]
    const teams = Array.from({ length: 5 }, () => newId())
    await insertTeams(org, teams)
    // One of the callers is a member of the first team, so what that team is granted opens spaces to them as well.
    await app.db.run(sql`
      insert into team_members (organization_id, team_id, user_id, role) values (${org.id}, ${teams[0]}, ${people[1]!.id}, 'member')`)
    const spaces = await aTree(org, teams, random)
    for (const { client } of people) {
      const seen = (await client.get(`/v1/orgs/${org.id}/spaces?limit=1000`)).body.items
      const open = new Set(seen.map(({ id }: { id: string }) => id))
      const expected = new Map(
        teams.map((id) => [id, spaces.filter((space) => open.has(space.id) && opens(id, space)).length]),
      )
      const what = `seed ${seed}, round ${round}`
      const { items } = (await client.get(`/v1/orgs/${org.id}/teams`)).body
      assert.deepEqual(new Map(items.map((item: any) => [item.id, item.spaces])), expected, what)
      const [id, count] = random.of([...expected])
      assert.equal((await client.get(`/v1/orgs/${org.id}/teams/${id}`)).body.spaces, count, what)
    }
  }
})

interface Thing {
  id: string
  up: Thing | undefined
  inherits: boolean
  isDeleted: boolean
  /** What each team was granted on it; null means no access. */
  grants: Map<string, Role | null>
}

/** The nearest grant to the team counts, from the space upwards, unless an item that does not inherit comes first. */
function opens(teamId: string, space: Thing): boolean {
  if (space.isDeleted) return false
  for (let at: Thing | undefined = space; at; at = at.inherits ? at.up : undefined) {
    const said = at.grants.get(teamId)
    if (said !== undefined) return said !== null
  }
  return false
}

/**
 * Written mostly to the tables directly, because the resulting access is tested here, not how grants are made. Returns
 * the spaces.
 */
async function aTree(org: TestOrganization, teams: string[], random: Random): Promise<Thing[]> {
  const collections: Thing[] = []
  const aThing = (): Thing => ({
    id: newId(),
    up: collections.length > 0 && random.chance(0.85) ? random.of(collections) : undefined,
    inherits: random.chance(0.8),
    isDeleted: false,
    grants: new Map(
      teams.filter(() => random.chance(0.2)).map((id) => [id, random.chance(0.3) ? null : random.of(roles)]),
    ),
  })
  for (let i = random.between(0, 12); i > 0; i--) collections.push(aThing())
  const spaces: Thing[] = []
  for (let i = random.between(0, 15); i > 0; i--) {
    const { id } = await aSpace(org.admin.client, org.id)
    spaces.push({ ...aThing(), id, isDeleted: random.chance(0.1) })
  }
  const level = () => (random.chance(0.5) ? null : random.of(roles))
  for (const { id, up, inherits } of collections) {
    await app.db.run(sql`
      insert into collections (organization_id, id, parent_id, title, position, inherits, level)
      values (${org.id}, ${id}, ${up?.id ?? null}, ${org.canary}, ${id}, ${inherits}, ${inherits ? null : level()})`)
  }
  for (const { id, up, inherits, isDeleted } of spaces) {
    await app.db.run(sql`
      update spaces set collection_id = ${up?.id ?? null}, inherits = ${inherits}, level = ${inherits ? null : level()},
        deleted_at = case when ${isDeleted} then now() end where organization_id = ${org.id} and id = ${id}`)
  }
  for (const [things, column] of [
    [collections, sql`collection_id`],
    [spaces, sql`space_id`],
  ] as const) {
    for (const { id, grants } of things) {
      for (const [teamId, role] of grants) {
        await app.db.run(sql`
          insert into team_grants (organization_id, ${column}, team_id, role) values (${org.id}, ${id}, ${teamId}, ${role})`)
      }
    }
  }
  return spaces
}

async function insertTeams(org: TestOrganization, ids: string[]): Promise<void> {
  await app.db.run(sql`
    insert into teams (id, organization_id, title) select id, ${org.id}, ${org.canary} from unnest(${ids}::uuid[]) id`)
}

test('the cost of listing teams does not grow with teams times the spaces that each of them opens', async () => {
  const org = await anOrganization(app)
  const [teams, collections, spaces] = [100, 50, 2_000].map((count) => Array.from({ length: count }, () => newId()))
  await insertTeams(org, teams!)
  await app.db.run(sql`
    insert into collections (organization_id, id, parent_id, title, position)
    select ${org.id}, id, case when i > 1 then ${collections![0]}::uuid end, 'Collection', id::text
    from unnest(${collections!}::uuid[]) with ordinality c (id, i)`)
  await app.db.run(sql`
    insert into spaces (organization_id, id, collection_id, title, position)
    select ${org.id}, id, (${collections!}::uuid[])[1 + i % 50], 'Space', id::text
    from unnest(${spaces!}::uuid[]) with ordinality s (id, i)`)
  await app.db.run(sql`
    insert into team_grants (organization_id, collection_id, team_id, role)
    select ${org.id}, ${collections![0]}, id, 'read' from unnest(${teams!}::uuid[]) id`)
  await app.db.run(sql`analyze`.asSlow())
  const rows = await rowsHandled(app.db, async (watched) => {
    const found = await listTeams(watched, org.id, org.admin.id, {}, { limit: 100, after: undefined })
    assert.ok(found.rows.every((team) => team.spaces === spaces!.length))
  })
  assert.ok(rows <= 20 * spaces!.length, `${rows} rows`)
})
