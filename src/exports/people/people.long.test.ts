// Tests teams and roles that are restored from an archive, and people who are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../test/api-client.ts'
import { startApp } from '../../../test/app.ts'
import { aCollection } from '../../../test/content.ts'
import { type TestPerson, aPerson, anOrganization } from '../../../test/factories.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { assertSound } from '../../doctor/testing/sound.ts'
import { addMember } from '../../organizations/members.actions.ts'
import { explainNotMember } from './members-here.ts'
import { archivesOf } from '../testing/archives.ts'

const app = await startApp()
const archives = await archivesOf(app)
const { download, restore } = archives

/** The same archive with its JSON changed by `change`. Files for which it returns undefined are left out. */
const rewritten = (file: string, change: (path: string, json: any) => unknown) =>
  archives.rewritten(file, (path, bytes) => {
    if (!path.endsWith('.json')) return bytes
    const json = change(path, JSON.parse(bytes.toString()))
    return json === undefined ? undefined : JSON.stringify(json)
  })

/** An archive from before teams were restored from it: addresses and titles, and no ids. */
const asBefore = (path: string, json: any) => {
  if (path === 'grants.json') return undefined
  const withoutId = ({ id: _id, displayName: _name, ...rest }: any) => rest
  if (path === 'organization.json') {
    const teams = json.teams.map(({ title, members }: any) => ({ title, members: members.map((m: any) => m.email) }))
    return { ...json, members: json.members.map(withoutId), teams }
  }
  if (!path.endsWith('space.json')) return json
  const { members, teams } = json.permissions
  return { ...json, permissions: { members: members.map(withoutId), teams: teams.map(withoutId) } }
}

/**
 * Two organizations: one with teams that were granted roles, and one of which some of its people are members as well.
 */
async function aMove() {
  const site = await aSite(app)
  const { org, who } = site
  const shelf = await aCollection(who, org.id, { title: 'Shelf' })
  const [lead, writer, absent] = [await org.member('edit'), await org.member('read'), await org.member('read')]
  const team = async (title: string, ...people: TestPerson[]) => {
    const members = people.map(({ id }) => id)
    return expect(await who.put(`/v1/orgs/${org.id}/teams`, { title, members }), 201).id as string
  }
  const writers = await team('Writers', lead, writer, absent)
  const namesakes = await team('Writers', writer)
  const members = `/v1/orgs/${org.id}/teams/${writers}/members`
  expect(await who.put(members, { memberships: { [lead.id]: { role: 'owner' } } }), 204)
  const give = async (path: string, body: object) => expect(await who.post(`${path}/permissions`, body), 204)
  await give(site.space.path, { role: 'edit', teams: [writers] })
  await give(site.space.path, { role: 'review', users: [lead.id, absent.id] })
  await give(`/v1/collections/${shelf.id}`, { role: null, users: [writer.id] })
  await give(`/v1/collections/${shelf.id}`, { role: 'create', teams: [namesakes] })
  await give(site.path, { role: 'read', teams: [writers] })
  await give(site.path, { role: 'edit', users: [lead.id] })

  const other = await anOrganization(app)
  const join = (person: TestPerson) =>
    transaction(app.db, nobody, (tx) =>
      addMember(tx, { organizationId: other.id, userId: person.id, role: 'read', sso: false }),
    )
  await join(lead)
  await join(writer)
  const there = app.client(other.admin.client.token, [other.canary, org.canary])
  return { site, org, who, shelf, lead, writer, absent, writers, namesakes, other, there, join }
}

const itemsAt = async (who: Client, path: string) => expect(await who.get(`${path}?limit=1000`), 200).items as any[]

/** The teams of an organization: title, and members with their roles. */
async function teamsOf(who: Client, organizationId: string) {
  const teams = []
  for (const { id, title } of await itemsAt(who, `/v1/orgs/${organizationId}/teams`)) {
    const members = await itemsAt(who, `/v1/orgs/${organizationId}/teams/${id}/members`)
    teams.push({
      id,
      title,
      members: Object.fromEntries(members.map((each) => [each.organization.user.id, each.team.role])),
    })
  }
  return teams.toSorted((a, b) => Object.keys(b.members).length - Object.keys(a.members).length)
}

async function rolesOn(who: Client, path: string) {
  const users = await itemsAt(who, `${path}/permissions/users`)
  const teams = await itemsAt(who, `${path}/permissions/teams`)
  return {
    users: users.map(({ user, permission }) => [user.id, permission]),
    teams: teams.map(({ team, permission }) => [team.id, permission]),
  }
}

async function changesIn(organizationId: string): Promise<Record<string, number>> {
  const { rows } = await app.db.pool.query(
    'select action, count(*)::int as count from changes where organization_id = $1 group by 1',
    [organizationId],
  )
  return Object.fromEntries(rows.map(({ action, count }) => [action, count]))
}

test('teams, memberships and roles are restored for members, and other people are reported and not added', async () => {
  const { site, org, who, shelf, lead, writer, absent, other, there } = await aMove()
  const file = await download(who, `/v1/orgs/${org.id}/export`)
  const before = await changesIn(other.id)
  const people = (await itemsAt(there, `/v1/orgs/${other.id}/members`)).length
  const restored = await restore(file, other.id)
  assert.deepEqual(restored.problems, [])

  // The ids are still in use by the teams they were made from, so these teams have others.
  const teams = await teamsOf(there, other.id)
  assert.deepEqual(
    teams.map(({ title, members }) => [title, members]),
    [
      ['Writers', { [lead.id]: 'owner', [writer.id]: 'member' }],
      ['Writers', { [writer.id]: 'member' }],
    ],
  )
  const [writers, namesakes] = teams.map(({ id }) => id)
  assert.deepEqual(await rolesOn(there, `/v1/spaces/${restored.spaces[0]!.id}`), {
    users: [[lead.id, 'review']],
    teams: [[writers, 'edit']],
  })
  const [collection] = await itemsAt(there, `/v1/orgs/${other.id}/collections`)
  assert.deepEqual(await rolesOn(there, `/v1/collections/${collection.id}`), {
    users: [[writer.id, null]],
    teams: [[namesakes, 'create']],
  })
  const [copy] = await itemsAt(there, `/v1/orgs/${other.id}/sites`)
  assert.deepEqual(await rolesOn(there, `/v1/orgs/${other.id}/sites/${copy.id}`), {
    users: [[lead.id, 'edit']],
    teams: [[writers, 'read']],
  })

  assert.equal((await itemsAt(there, `/v1/orgs/${other.id}/members`)).length, people)
  const left = restored.notMembers.find(({ email }) => email === absent.user.email)!
  assert.deepEqual([left.reason, left.role, left.teams], ['not-member', 'read', [{ title: 'Writers', role: 'member' }]])
  assert.deepEqual(
    left.grants.map(({ type, id, role }) => [type, id, role]),
    [['space', restored.spaces[0]!.id, 'review']],
  )
  assert.deepEqual(
    restored.notMembers.map(({ email }) => email).toSorted(),
    [absent.user.email, org.admin.user.email].toSorted(),
  )
  assert.match(explainNotMember(left), /is not a member here\. Invite them.* the team "Writers".*review on the space/)

  const changes = await changesIn(other.id)
  const counted = (action: string) => (changes[action] ?? 0) - (before[action] ?? 0)
  assert.deepEqual(
    ['team.created', 'team-member.added', 'space.granted', 'collection.granted', 'site.granted', 'member.added'].map(
      counted,
    ),
    [2, 3, 2, 2, 2, 0],
  )
  assert.ok(shelf.id !== collection.id && site.id !== copy.id)
  await assertSound(app.db)
})

test('importing an archive twice creates each team once, even if renamed, and keeps the roles of its members', async () => {
  const { org, who, lead, writer, other, there } = await aMove()
  const file = await download(who, `/v1/orgs/${org.id}/export`)
  await restore(file, other.id)
  const [writers] = await teamsOf(there, other.id)
  const members = `/v1/orgs/${other.id}/teams/${writers!.id}/members`
  expect(await there.put(members, { memberships: { [writer.id]: { role: 'owner' } }, remove: [lead.id] }), 204)
  expect(await there.patch(`/v1/orgs/${other.id}/teams/${writers!.id}`, { title: 'Authors' }), 200)
  const first = await changesIn(other.id)

  const again = await restore(file, other.id)
  assert.deepEqual(again.teams.map(({ created, added }) => [created, added]).toSorted(), [
    [false, 0],
    [false, 1],
  ])
  const teams = await teamsOf(there, other.id)
  assert.deepEqual(
    teams.map(({ title, members }) => [title, members]),
    [
      ['Authors', { [lead.id]: 'owner', [writer.id]: 'owner' }],
      ['Writers', { [writer.id]: 'member' }],
    ],
  )
  const second = await changesIn(other.id)
  assert.equal(second['team.created'], first['team.created'])
  assert.equal(second['team-member.added'], first['team-member.added']! + 1)
})

test('a team keeps its id if that is free, and an existing team with that id is reused under any title', async () => {
  const { org, who, writers, namesakes, lead, writer, absent } = await aMove()
  const file = await download(who, `/v1/orgs/${org.id}/export`)
  expect(await who.delete(`/v1/orgs/${org.id}/teams/${writers}`), 204)
  expect(await who.patch(`/v1/orgs/${org.id}/teams/${namesakes}`, { title: 'Renamed' }), 200)
  const restored = await restore(file, org.id)
  assert.deepEqual(restored.notMembers, [])
  const teams = await teamsOf(who, org.id)
  assert.deepEqual(
    teams.map(({ id, title }) => [id, title]),
    [
      [writers, 'Writers'],
      [namesakes, 'Renamed'],
    ],
  )
  assert.deepEqual(Object.keys(teams[0]!.members).toSorted(), [lead.id, writer.id, absent.id].toSorted())
})

test('an older archive matches people by confirmed address and teams by title, and an unconfirmed address gets nothing', async () => {
  const { org, who, lead, writer, absent, other, there, join } = await aMove()
  const old = await rewritten(await download(who, `/v1/orgs/${org.id}/export`), asBefore)
  const claimed = `claimed.${other.canary}@example.com`
  const claimant = await aPerson(app, { canary: other.canary, email: claimed, emailVerified: false })
  await join(claimant)
  const file = await rewritten(old, (_path, json) =>
    JSON.parse(
      JSON.stringify(json)
        .replaceAll(absent.user.email, claimed)
        .replaceAll(lead.user.email, lead.user.email.toUpperCase()),
    ),
  )
  const made = expect(await there.put(`/v1/orgs/${other.id}/teams`, { title: 'Writers', members: [] }), 201)

  const restored = await restore(file, other.id)
  const teams = await teamsOf(there, other.id)
  assert.equal(teams.length, 2)
  assert.ok(teams.some(({ id }) => id === made.id))
  const inTeams = teams.flatMap(({ members }) => Object.keys(members))
  assert.deepEqual(inTeams.toSorted(), [lead.id, writer.id, writer.id].toSorted())
  const roles = await rolesOn(there, `/v1/spaces/${restored.spaces[0]!.id}`)
  assert.deepEqual([roles.users, roles.teams.length], [[[lead.id, 'review']], 1])
  const left = restored.notMembers.find(({ email }) => email === claimed)!
  assert.deepEqual([left.reason, left.teams.length, left.grants.length], ['unconfirmed', 1, 1])
  assert.match(explainNotMember(left), /has not confirmed it\. Let them sign in/)
})

test('a space archive restores no teams: a role goes to a team of the same title, and is reported if there is none', async () => {
  const { site, who, other, there } = await aMove()
  const file = await download(who, `${site.space.path}/export`)
  const without = await restore(file, other.id)
  assert.equal(without.problems.length, 1)
  assert.match(without.problems[0]!, /the team "Writers".*Create it, and give it the role edit there/)
  assert.deepEqual(await teamsOf(there, other.id), [])
  expect(await there.put(`/v1/orgs/${other.id}/teams`, { title: 'Writers', members: [] }), 201)
  const restored = await restore(file, other.id)
  assert.deepEqual(restored.problems, [])
  assert.equal((await rolesOn(there, `/v1/spaces/${restored.spaces[0]!.id}`)).teams.length, 1)
})

test('an archive whose restore fails midway leaves no team and no space behind', async () => {
  const { org, who, other, there } = await aMove()
  const file = await rewritten(await download(who, `/v1/orgs/${org.id}/export`), (path, json) =>
    path === 'organization.json' ? { ...json, teams: [...json.teams, { title: 'x'.repeat(65), members: [] }] } : json,
  )
  await assert.rejects(restore(file, other.id))
  assert.deepEqual(await teamsOf(there, other.id), [])
  assert.deepEqual(await itemsAt(there, `/v1/orgs/${other.id}/spaces`), [])
})
