import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aStranger, anOrganization, type TestPerson } from '../../../test/factories.ts'
import { aSite, grantOnSite } from '../../../test/sites.ts'
import { stateOf } from '../../../test/state.ts'
import { type Role } from '../../access/roles.ts'
import { sql } from '../../db/sql.ts'
import { expectedRole } from '../../grants/testing/model.ts'
import { newId } from '../../ids.ts'

const app = await startApp()

async function setUp() {
  const site = await aSite(app)
  const at = `${site.path}/permissions`
  const team = async (...members: TestPerson[]): Promise<string> =>
    (await site.who.put(`/v1/orgs/${site.org.id}/teams`, { title: 'Team', members: members.map(({ id }) => id) })).body
      .id
  const see = async (person: TestPerson) => (await person.client.get(site.path)).status
  return { site, at, org: site.org, who: site.who, team, see }
}

test("a role on a site can be given, changed and removed, and gives no access to the site's spaces", async () => {
  const { site, at, org, who, see } = await setUp()
  const guest = await org.member(null)
  assert.equal(await see(guest), 404)
  assert.equal((await who.post(at, { users: [guest.id], role: 'create' })).status, 204)
  assert.equal(await see(guest), 200)
  assert.equal((await guest.client.get(site.space.path)).status, 404)
  const list = await who.get(`${at}/users`)
  assert.deepEqual(
    [list.body.count, list.body.items.map((item: any) => [item.user.id, item.permission])],
    [1, [[guest.id, 'create']]],
  )
  assert.equal((await who.patch(`${at}/users/${guest.id}`, { role: null })).status, 204)
  assert.equal(await see(guest), 404)
  assert.equal((await who.delete(`${at}/users/${guest.id}`)).status, 205)
  assert.equal((await who.delete(`${at}/users/${guest.id}`)).status, 404)
  assert.equal((await who.patch(`${at}/users/${guest.id}`, { role: 'read' })).status, 404)
  const actions = await app.db.all(sql<{ action: string }>`
    select action from changes where organization_id = ${org.id} and target_type = 'site-permission' order by id`)
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['site.granted', 'site.granted', 'site.revoked'],
  )
})

test("members of a team have the team's role on the site while they are in the team", async () => {
  const { at, org, who, team, see } = await setUp()
  const guest = await org.member(null)
  const id = await team(guest)
  assert.equal((await who.post(at, { teams: [id], role: 'read' })).status, 204)
  assert.equal(await see(guest), 200)
  const { body } = await who.get(`${at}/teams`)
  assert.deepEqual([body.count, body.items[0].permission, body.items[0].team.id], [1, 'read', id])
  assert.equal((await who.patch(`${at}/teams/${id}`, { role: 'edit' })).status, 204)
  assert.equal((await who.get(`${at}/teams`)).body.items[0].permission, 'edit')
  assert.equal((await who.delete(`/v1/orgs/${org.id}/teams/${id}/members/${guest.id}`)).status, 204)
  assert.equal(await see(guest), 404)
  assert.equal((await who.delete(`${at}/teams/${id}`)).status, 205)
  assert.equal((await who.delete(`${at}/teams/${id}`)).status, 404)
})

test('only creators on a site give roles there, none above their own, and strangers get 404', async () => {
  const { site, at, org, team } = await setUp()
  const [creator, editor, guest, stranger] = [
    await org.member('create'),
    await org.member('review'),
    await org.member(null),
    await aStranger(app),
  ]
  const id = await team(editor)
  await grantOnSite(site, { teams: [id] }, 'edit')
  const tries = (who: TestPerson, role: Role | null = 'read') => [
    who.client.post(at, { users: [guest.id], role }),
    who.client.post(at, { teams: [id], role }),
    who.client.patch(`${at}/teams/${id}`, { role }),
  ]
  const before = await stateOf(app.db)
  for (const [who, status, role] of [
    [editor, 403, 'read'],
    [guest, 404, 'read'],
    [stranger, 404, 'read'],
    [creator, 403, 'admin'],
  ] as const) {
    for (const answer of await Promise.all(tries(who, role))) assert.equal(answer.status, status)
  }
  for (const list of ['users', 'teams', 'aggregate']) {
    assert.equal((await editor.client.get(`${at}/${list}`)).status, 403)
    assert.equal((await stranger.client.get(`${at}/${list}`)).status, 404)
  }
  assert.deepEqual(await stateOf(app.db), before)
  for (const answer of await Promise.all(tries(creator, 'create'))) assert.equal(answer.status, 204)
  // A guest who may grant roles here sees no teams of the organization.
  assert.equal((await guest.client.get(`${at}/users`)).status, 200)
  assert.equal((await guest.client.get(`${at}/teams`)).status, 403)
  assert.equal((await guest.client.get(`${at}/aggregate?team=${id}`)).status, 403)
})

test('a role for people of another organization, for unknown people or teams, or for nobody is refused', async () => {
  const { at, who } = await setUp()
  const other = await anOrganization(app)
  const before = await stateOf(app.db)
  for (const body of [
    { users: [other.admin.id], role: 'read' },
    { users: [newId()], role: 'read' },
    { users: ['x'], role: 'read' },
    { teams: [newId()], role: 'read' },
    { users: [], role: 'read' },
    { role: 'read' },
    { users: [newId()], teams: [newId()], role: 'read' },
    { users: [newId()], role: 'owner' },
  ]) {
    assert.equal((await who.post(at, body)).status, 400, JSON.stringify(body))
  }
  assert.deepEqual(await stateOf(app.db), before)
})

test("the aggregate tells each member's role on the site and its origin, in line with the access they really have", async () => {
  const { site, at, org, who, team } = await setUp()
  const cases: [Role | null, Role | null | undefined, (Role | null)[]][] = [
    ['admin', null, [null]],
    ['edit', undefined, []],
    ['edit', 'read', ['create']],
    ['edit', null, ['create']],
    ['edit', undefined, ['read', 'review', null]],
    ['edit', undefined, [null]],
    [null, undefined, []],
    [null, 'create', []],
  ]
  const people: { person: TestPerson; expected: Role | null; origin: object }[] = []
  for (const [role, memberGrant, teamGrants] of cases) {
    const person = await org.member(role)
    const teams: [string, Role | null][] = []
    for (const given of teamGrants) teams.push([await team(person), given])
    if (memberGrant !== undefined) await grantOnSite(site, { users: [person.id] }, memberGrant)
    for (const [id, given] of teams) await grantOnSite(site, { teams: [id] }, given)
    const expected = expectedRole(role, [{ memberGrant, teamGrants }])
    const giving = teams.find(([, given]) => given === expected)?.[0]
    const origin =
      role === 'admin' || (memberGrant === undefined && teams.length === 0)
        ? { type: 'organization', organization: org.id }
        : memberGrant !== undefined
          ? { type: 'site', site: site.id, reason: 'member' }
          : { type: 'site', site: site.id, reason: 'team', team: giving }
    people.push({ person, expected, origin })
  }
  const seen = new Map<string, any>()
  for (const list of [await who.get(`${at}/aggregate`), await who.get(`${at}/aggregate?role=guest`)]) {
    for (const item of list.body.items) seen.set(item.user.id, item)
  }
  for (const { person, expected, origin } of people) {
    const { permission, origin: told, disabled } = seen.get(person.id)
    assert.deepEqual([permission, told, disabled], [expected, origin, false])
    assert.equal((await person.client.get(site.path)).status, expected === null ? 404 : 200)
  }
  const able = people.filter(({ expected }) => expected !== null)
  assert.equal((await who.get(`${at}/aggregate`)).body.count, able.length + 1)
  const reviewers = await who.get(`${at}/aggregate?role=review`)
  assert.deepEqual([reviewers.body.count, reviewers.body.items[0].permission], [1, 'review'])
})

test('the aggregate is searched, sorted and paged, and leaves disabled members out', async () => {
  const { at, org, who, team } = await setUp()
  const people = [await org.member('read'), await org.member('edit'), await org.member('create')]
  for (const [i, name] of ['Zoe', 'adam', 'Mia'].entries()) {
    await app.db.run(sql`update users set display_name = ${name} where id = ${people[i]!.id}`)
  }
  const id = await team(people[0]!, people[2]!)
  const names = async (query: string) =>
    (await who.get(`${at}/aggregate?${query}`)).body.items.map((item: any) => item.user.displayName)
  assert.deepEqual(await names('sort=name&order=asc&limit=2'), ['adam', 'Mia'])
  assert.deepEqual(await names('search=MIA'), ['Mia'])
  assert.deepEqual(await names('search=%25'), [])
  assert.deepEqual(await names(`team=${id}&order=asc`), ['Zoe', 'Mia'])
  assert.deepEqual(await names('sort=lastSeenAt'), [])
  for (const sort of ['name', 'joinedAt']) {
    for (const order of ['asc', 'desc']) {
      const walked: string[] = []
      for (let page = ''; ;) {
        const { body } = await who.get(`${at}/aggregate?sort=${sort}&order=${order}&limit=1${page}`)
        walked.push(...body.items.map((item: any) => item.user.id))
        if (!body.next) break
        page = `&page=${body.next.page}`
      }
      assert.equal(new Set(walked).size, 4)
    }
  }
  assert.equal((await who.get(`${at}/aggregate?team=x`)).status, 400)
  await who.patch(`/v1/orgs/${org.id}/members/${people[1]!.id}`, { disabled: true })
  assert.deepEqual(await names('search=adam'), [])
})
