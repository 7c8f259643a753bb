import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { walk } from '../../test/lists.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { aTeam, createTeam, done, peopleIn, titlesOf } from './testing/team.ts'

const app = await startApp()

test('a team shows each reader what they can do with it, and guests get 403', async () => {
  const { org, admin, owner, member, outsider, guest, path, id } = await aTeam(app)

  const forOwner = await owner.client.get(path)
  assert.equal(forOwner.status, 200)
  assert.deepEqual(forOwner.body, {
    object: 'team',
    id,
    title: `Writers ${org.canary}`,
    members: 2,
    spaces: 0,
    createdAt: forOwner.body.createdAt,
    permissions: { admin: true, view: true },
  })
  for (const [who, mayManage] of [
    [admin, true],
    [member, false],
    [outsider, false],
  ] as const) {
    assert.deepEqual((await who.client.get(path)).body.permissions, { admin: mayManage, view: true })
  }
  for (const each of ['', '/members']) assert.equal((await guest.client.get(path + each)).status, 403)
  assert.equal((await guest.client.get(`/v1/orgs/${org.id}/teams`)).status, 403)
  const missing = await guest.client.get(`/v1/orgs/${org.id}/teams/${newId()}`)
  assert.deepEqual(missing.body, (await guest.client.get(path)).body, 'a guest cannot tell which teams there are')
})

test('the spaces of a team are all that its roles open, by grants on spaces and on collections', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const guest = await org.member(null)
  const team = await createTeam(org, 'Writers', [guest.id])
  const within = (parent: { id: string }) => aSpace(client, org.id, { parent: parent.id })
  const give = (thing: Parameters<typeof grant>[1], role: string | null) =>
    grant(client, thing, { teams: [team.id] }, role)
  const counted = async () => (await client.get(`/v1/orgs/${org.id}/teams/${team.id}`)).body.spaces
  /** The number of spaces open to a person who has no other access than through this team. */
  const opened = async () => (await guest.client.get(`/v1/orgs/${org.id}/spaces`)).body.count

  const outer = await aCollection(client, org.id)
  const inner = await aCollection(client, org.id, { parent: outer.id })
  const closed = await aCollection(client, org.id, { parent: outer.id })
  const [shut, direct, deep] = [await within(outer), await within(outer), await within(inner)]
  const hidden = await within(closed)
  await aSpace(client, org.id)
  await client.patch(`/v1/spaces/${shut.id}`, { defaultLevel: null })
  await client.patch(`/v1/collections/${closed.id}`, { defaultLevel: null })
  const both = async (expected: number) => assert.deepEqual([await counted(), await opened()], [expected, expected])

  await both(0)
  await give(direct, 'read')
  await both(1)
  await give(outer, 'edit')
  await both(2)
  await give(inner, 'comment')
  await both(2)
  await give(inner, null)
  await both(1)
  await give(deep, 'read')
  await both(2)
  await give(hidden, 'read')
  await both(3)
  await client.delete(`/v1/spaces/${direct.id}`)
  await both(2)

  const creator = await org.member('create')
  assert.equal((await creator.client.get(`/v1/orgs/${org.id}/teams`)).body.items[0].spaces, 1, 'of what they can open')
})

test('teams do not exist for strangers, nor under the path of another organization', async () => {
  const { org, admin, member, stranger, path, id } = await aTeam(app)
  const there = await anOrganization(app)
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', ''],
    ['PATCH', '', { title: 'Mine' }],
    ['DELETE', ''],
    ['GET', '/members'],
    ['PUT', '/members', { remove: [member.id] }],
    ['PUT', `/members/${member.id}`, { role: 'owner' }],
    ['DELETE', `/members/${member.id}`],
  ]
  const before = await peopleIn({ admin, path })

  for (const [method, rest, body] of calls) {
    const asStranger = await stranger.client.send(method, path + rest, body)
    assert.equal(asStranger.status, 404, `${method} ${rest}`)
    const asForeignAdmin = await there.admin.client.send(method, `/v1/orgs/${there.id}/teams/${id}${rest}`, body)
    assert.equal(asForeignAdmin.status, 404, `${method} ${rest} through another organization`)
    const missing = await admin.client.send(method, `/v1/orgs/${org.id}/teams/${newId()}${rest}`, body)
    assert.equal(missing.status, 404, `${method} ${rest} of no team`)
  }
  assert.equal((await stranger.client.get(`/v1/orgs/${org.id}/teams`)).status, 404)
  assert.equal((await stranger.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Mine' })).status, 404)
  assert.equal((await stranger.client.get(`/v1/orgs/${org.id}/members/${member.id}/teams`)).status, 404)
  assert.deepEqual(await peopleIn({ admin, path }), before)
})

test('only administrators create teams; the named members are in it once, and the creator is not', async () => {
  const org = await anOrganization(app)
  const [creator, guest] = [await org.member('create'), await org.member(null)]
  const create = (client: Client) =>
    client.put(`/v1/orgs/${org.id}/teams`, {
      title: `Readers ${org.canary}`,
      members: [creator.id, guest.id, creator.id],
    })

  for (const who of [creator, guest]) assert.equal((await create(who.client)).status, 403)
  const created = await create(org.admin.client)
  assert.equal(created.status, 201)
  assert.equal(created.body.members, 2)
  const path = `/v1/orgs/${org.id}/teams/${created.body.id}`
  assert.deepEqual((await org.admin.client.get(path)).body, created.body)
  assert.deepEqual(await peopleIn({ admin: org.admin, path }), { [creator.id]: 'member', [guest.id]: 'member' })
})

test('a repeated creation with the same Idempotency-Key makes one team', async () => {
  const org = await anOrganization(app)
  const create = () =>
    org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Once' }, { 'idempotency-key': 'create-once' })

  const [first, second] = [await create(), await create()]
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/teams`)).body.count, 1)
})

test('only administrators and owners rename and delete a team', async () => {
  const { admin, owner, member, outsider, guest, path } = await aTeam(app)
  const rename = (client: Client, title: string) => client.patch(path, { title })

  for (const who of [member, outsider, guest]) {
    assert.equal((await rename(who.client, 'Refused')).status, 403)
    assert.equal((await who.client.delete(path)).status, 403)
  }
  for (const who of [admin, owner]) {
    const renamed = await rename(who.client, `By ${who.id}`)
    assert.equal(renamed.status, 200)
    assert.equal(renamed.body.title, `By ${who.id}`)
    assert.deepEqual((await who.client.get(path)).body, renamed.body)
  }
  await done(owner.client.delete(path))
  assert.equal((await admin.client.get(path)).status, 404)
  assert.equal((await member.client.get(path)).status, 404)
})

test('a change of a team with a stale ETag is refused with 412', async () => {
  const { admin, outsider, member, path } = await aTeam(app)
  const tag = async () => (await admin.client.get(path)).headers.get('etag')!
  const old = await tag()
  await done(admin.client.put(`${path}/members/${outsider.id}`, {}, { 'if-match': old }))

  const writes = (state: string): [method: string, path: string, body?: unknown][] => [
    ['PUT', `${path}/members`, { remove: [outsider.id] }],
    ['PUT', `${path}/members/${outsider.id}`, { role: 'owner' }],
    ['DELETE', `${path}/members/${member.id}`],
    ['PATCH', path, { title: `Renamed ${state.slice(1, 5)}` }],
    ['DELETE', path],
  ]
  for (const [method, where, body] of writes(old)) {
    assert.equal((await admin.client.send(method, where, body, { 'if-match': old })).status, 412, `${method} ${where}`)
  }
  assert.deepEqual((await peopleIn({ admin, path }))[outsider.id], 'member')
  for (const [method, where, body] of writes(old)) {
    const { status } = await admin.client.send(method, where, body, { 'if-match': await tag() })
    assert.ok(status === 200 || status === 204, `${method} ${where}: ${status}`)
  }
})

test('paging through the teams meets each once, oldest first', async () => {
  const org = await anOrganization(app)
  const titles = ['One', 'Two', 'Three', 'Four', 'Five']
  for (const title of titles) await createTeam(org, title)

  assert.deepEqual(titlesOf(await walk(org.admin.client, `/v1/orgs/${org.id}/teams`)), titles)
})

test('teams are found by a part of their title in any case, and its characters are never wildcards', async () => {
  const org = await anOrganization(app)
  for (const title of ['Docs Core', 'docs_infra', '100% docs', 'Support', 'C:\\docs']) await createTeam(org, title)
  const found = async (title: string) =>
    titlesOf(await walk(org.admin.client, `/v1/orgs/${org.id}/teams?title=${encodeURIComponent(title)}`))

  assert.deepEqual(await found('DOCS'), ['Docs Core', 'docs_infra', '100% docs', 'C:\\docs'])
  assert.deepEqual(await found('0% d'), ['100% docs'])
  assert.deepEqual(await found('s_i'), ['docs_infra'])
  assert.deepEqual(await found(':\\d'), ['C:\\docs'])
  assert.deepEqual(await found('%'), ['100% docs'])
  assert.deepEqual(await found('nothing'), [])
})

test('the teams of an owner are those they can manage: all for an administrator, none for a plain member', async () => {
  const { org, admin, owner, member, outsider, stranger, id } = await aTeam(app)
  const other = await createTeam(org, 'Others', [owner.id, outsider.id])
  const managedBy = async (userId: string) => {
    const teams: { id: string }[] = await walk(member.client, `/v1/orgs/${org.id}/teams?owner=${userId}`)
    return teams.map((team) => team.id)
  }

  assert.deepEqual(await managedBy(owner.id), [id])
  assert.deepEqual(await managedBy(admin.id), [id, other.id])
  for (const nobody of [member.id, stranger.id, newId()]) assert.deepEqual(await managedBy(nobody), [])
  await admin.client.patch(`/v1/orgs/${org.id}/members/${owner.id}`, { disabled: true })
  assert.deepEqual(await managedBy(owner.id), [])
})

test('bad input gets 400 with the path of the fault and changes nothing', async () => {
  const { org, admin, member, stranger, path } = await aTeam(app)
  const teams = `/v1/orgs/${org.id}/teams`
  const before = (await admin.client.get(teams)).body
  const bad: [method: string, path: string, body: unknown, where: string][] = [
    ['PUT', teams, undefined, 'body.title'],
    ['PUT', teams, { title: '' }, 'body.title'],
    ['PUT', teams, { title: ' \n ' }, 'body.title'],
    ['PUT', teams, { title: 'x'.repeat(65) }, 'body.title'],
    ['PUT', teams, { title: 7 }, 'body.title'],
    ['PUT', teams, { title: 'a\0b' }, 'body.title'],
    ['PUT', teams, { title: 'Team', members: member.id }, 'body.members'],
    ['PUT', teams, { title: 'Team', members: [member.id, 7] }, 'body.members.1'],
    ['PUT', teams, { title: 'Team', members: [member.id, newId()] }, 'body.members.1'],
    ['PUT', teams, { title: 'Team', members: [stranger.id] }, 'body.members.0'],
    ['PUT', teams, { title: 'Team', members: [member.user.email] }, 'body.members.0'],
    ['PUT', teams, { title: 'Team', members: Array.from({ length: 1001 }, () => member.id) }, 'body.members'],
    ['PATCH', path, {}, 'body.title'],
    ['PATCH', path, { title: null }, 'body.title'],
    ['PATCH', path, { title: 'x'.repeat(65) }, 'body.title'],
    ['PATCH', path, { title: 'a\0b' }, 'body.title'],
    ['PUT', `${path}/members/${member.id}`, { role: 'admin' }, 'body.role'],
    ['PUT', `${path}/members/${member.id}`, { role: null }, 'body.role'],
    ['GET', `${teams}?owner=somebody`, undefined, 'query.owner'],
    ['GET', `${teams}?owner=${member.id}&owner=${admin.id}`, undefined, 'query.owner'],
    ['GET', `${teams}?title=%00`, undefined, 'query.title'],
    ['GET', `${teams}?title=${'x'.repeat(257)}`, undefined, 'query.title'],
    ['GET', `${teams}?limit=1001`, undefined, 'query.limit'],
    ['GET', `${teams}?page=made-up`, undefined, 'query.page'],
    ['GET', `${path}/members?limit=-1`, undefined, 'query.limit'],
  ]

  for (const [method, where, body, fault] of bad) {
    const refused = await admin.client.send(method, where, body)
    assert.equal(refused.status, 400, `${method} ${where} ${JSON.stringify(body)}: ${refused.text}`)
    assert.equal(refused.body.error.details[0].path, fault)
  }
  assert.deepEqual((await admin.client.get(teams)).body, before)
  assert.equal((await admin.client.patch(path, { title: '🙂'.repeat(64) })).status, 200, 'length counts characters')
})

test('the path of a user who is not a member of the organization gets 404 and changes nothing', async () => {
  const { admin, stranger, path } = await aTeam(app)
  const before = await peopleIn({ admin, path })

  for (const userId of [stranger.id, newId(), 'no-id']) {
    assert.equal((await admin.client.put(`${path}/members/${userId}`, { role: 'owner' })).status, 404)
    assert.equal((await admin.client.delete(`${path}/members/${userId}`)).status, 404)
  }
  assert.deepEqual(await peopleIn({ admin, path }), before)
})

test('changes of a team are recorded, and a repeat that changes nothing is not', async () => {
  const { org, admin, owner, member, path } = await aTeam(app)
  const change = () =>
    done(
      admin.client.put(`${path}/members`, {
        add: [member.id, owner.id],
        remove: [member.id],
        memberships: { [owner.id]: { role: 'member' } },
      }),
    )
  await change()
  await change()
  await done(admin.client.delete(path))

  const rows = await app.db.all(sql<{ action: string; by_admin: boolean }>`
    select action, actor_id = ${admin.id} as by_admin from changes
    where organization_id = ${org.id} and target_type in ('team', 'team-member') order by at, id`)
  assert.deepEqual(rows.map((row) => row.action).toSorted(), [
    'team-member.added',
    'team-member.added',
    'team-member.removed',
    'team-member.updated',
    'team.created',
    'team.removed',
  ])
  assert.ok(rows.every((row) => row.by_admin))
})
