import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../test/api-client.ts'
import { startApp } from '../../test/app.ts'
import { aSpace, grant } from '../../test/content.ts'
import { type TestOrganization, type TestPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { walk } from '../../test/lists.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

/** An organization with one person of every kind. */
async function anOrganizationWithPeople() {
  const org = await anOrganization(app)
  const reader = await org.member('read')
  const creator = await org.member('create')
  const guest = await org.member(null)
  return {
    org,
    admin: org.admin,
    reader,
    creator,
    guest,
    stranger: await aStranger(app),
    path: `/v1/orgs/${org.id}/members`,
  }
}

const idsOf = (items: { id: string }[]) => items.map((item) => item.id)

const idsOfPeople = (...people: TestPerson[]) => people.map((person) => person.id)

/** Lists every member in the current state, to check whether anything changed. */
const everyone = async (org: TestOrganization) => (await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body

const ping = async (org: TestOrganization, who: TestPerson) => {
  assert.equal((await who.client.post(`/v1/orgs/${org.id}/ping`)).status, 200)
}

test('a member is returned with the user, the role and the number of teams', async () => {
  const { org, admin, reader, path } = await anOrganizationWithPeople()
  await admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: [reader.id] })

  const { status, body } = await admin.client.get(`${path}/${reader.id}`)
  assert.equal(status, 200)
  assert.deepEqual(body, {
    object: 'member',
    id: reader.id,
    role: 'read',
    user: {
      object: 'user',
      id: reader.id,
      displayName: reader.user.display_name,
      email: reader.user.email,
      urls: { location: `http://lectern.test/v1/users/${reader.id}` },
    },
    disabled: false,
    joinedAt: body.joinedAt,
    sso: false,
    spaces: 0,
    teams: 1,
  })
})

test('the space counts of members and teams include only spaces that the caller may see', async () => {
  const { org, admin, reader, guest, path } = await anOrganizationWithPeople()
  const who = admin.client
  const [, hidden] = [await aSpace(who, org.id), await aSpace(who, org.id)]
  assert.equal((await who.patch(`/v1/spaces/${hidden.id}`, { defaultLevel: null })).status, 200)
  const { body: team } = await who.put(`/v1/orgs/${org.id}/teams`, { title: 'T', members: [guest.id] })
  await grant(who, hidden, { teams: [team.id] }, 'read')
  const teamPath = `/v1/orgs/${org.id}/teams/${team.id}`

  for (const [viewer, ofAdmin, ofReader, ofGuest, ofTeam] of [
    [admin, 2, 1, 1, 1],
    [reader, 1, 1, 0, 0],
  ] as const) {
    const spacesAt = async (at: string) => (await viewer.client.get(at)).body.spaces
    assert.deepEqual(
      [await spacesAt(`${path}/${admin.id}`), await spacesAt(`${path}/${reader.id}`), await spacesAt(teamPath)],
      [ofAdmin, ofReader, ofTeam],
    )
    const { body: listed } = await viewer.client.get(path)
    assert.equal(listed.items.find((member: any) => member.id === guest.id).spaces, ofGuest)
    const { body: inTeam } = await viewer.client.get(`${teamPath}/members`)
    assert.equal(inTeam.items[0].organization.spaces, ofGuest)
    assert.equal((await viewer.client.get(`${path}/${admin.id}/spaces`)).body.count, ofAdmin)
  }
  assert.equal((await guest.client.get(`${path}/${guest.id}`)).body.spaces, 1)
})

test('a guest sees only their own member entry', async () => {
  const { admin, reader, guest, path } = await anOrganizationWithPeople()

  assert.equal((await reader.client.get(path)).body.count, 4)
  assert.equal((await guest.client.get(path)).status, 403)
  for (const rest of ['', '/spaces', '/teams']) {
    assert.equal((await reader.client.get(`${path}/${admin.id}${rest}`)).status, 200)
    assert.equal((await guest.client.get(`${path}/${admin.id}${rest}`)).status, 403)
    assert.equal((await guest.client.get(`${path}/${guest.id}${rest}`)).status, 200)
  }
  assert.equal((await guest.client.get(`${path}/${guest.id}`)).body.role, null)
})

test('strangers get 404 for every member, and users outside the organization are not found as members', async () => {
  const { org, admin, reader, stranger, path } = await anOrganizationWithPeople()
  const before = await everyone(org)
  const calls: [method: string, rest: string, body?: unknown][] = [
    ['GET', ''],
    ['PATCH', '', { role: 'admin' }],
    ['DELETE', ''],
    ['POST', '/sso'],
    ['GET', '/spaces'],
    ['GET', '/teams'],
  ]

  for (const [method, rest, body] of calls) {
    assert.equal(
      (await stranger.client.send(method, `${path}/${reader.id}${rest}`, body)).status,
      404,
      `${method} ${rest}`,
    )
    for (const nobody of [stranger.id, newId(), 'no-id']) {
      const missing = await admin.client.send(method, `${path}/${nobody}${rest}`, body)
      assert.equal(missing.status, 404, `${method} ${nobody}${rest}`)
      assert.equal(missing.body.error.message, 'There is no such user, or you may not see it.')
    }
  }
  assert.equal((await stranger.client.get(path)).status, 404)
  assert.equal((await stranger.client.post(`/v1/orgs/${org.id}/ping`)).status, 404)
  assert.deepEqual(await everyone(org), before)
})

test('paging through members returns each once, in the order of joining, ascending or descending', async () => {
  const { admin, reader, creator, guest, path } = await anOrganizationWithPeople()
  const joined = idsOfPeople(admin, reader, creator, guest)

  assert.deepEqual(idsOf(await walk(reader.client, path)), joined.toReversed())
  assert.deepEqual(idsOf(await walk(reader.client, `${path}?order=desc&sort=joinedAt`)), joined.toReversed())
  assert.deepEqual(idsOf(await walk(reader.client, `${path}?order=asc`)), joined)
})

test('sorting members by lastSeenAt lists only those who were seen and are not disabled', async () => {
  const { org, admin, reader, creator, guest, path } = await anOrganizationWithPeople()
  for (const who of [guest, admin, creator]) await ping(org, who)

  const seen = await walk(reader.client, `${path}?sort=lastSeenAt`)
  assert.deepEqual(idsOf(seen), idsOfPeople(creator, admin, guest))
  assert.ok(seen.every((member) => member.lastSeenAt >= member.joinedAt))
  assert.deepEqual(
    idsOf(await walk(reader.client, `${path}?sort=lastSeenAt&order=asc`)),
    idsOfPeople(guest, admin, creator),
  )
  assert.equal((await admin.client.get(`${path}/${reader.id}`)).body.lastSeenAt, undefined)

  await admin.client.patch(`${path}/${creator.id}`, { disabled: true })
  const active = (await reader.client.get(`${path}?sort=lastSeenAt`)).body
  assert.deepEqual([active.count, idsOf(active.items)], [2, idsOfPeople(admin, guest)])
  assert.equal((await reader.client.get(path)).body.count, 4)
})

test('sorting members by name ignores case, and paging returns each once', async () => {
  const { admin, reader, creator, guest, path } = await anOrganizationWithPeople()
  const named = [
    [creator, 'anna'],
    [admin, 'Berta'],
    [guest, 'berta'],
    [reader, 'Çelik'],
  ] as const
  for (const [person, displayName] of named) {
    assert.equal((await person.client.patch(`/v1/users/${person.id}`, { displayName })).status, 200)
  }
  const names = async (order: string) =>
    (await walk(admin.client, `${path}?sort=name&order=${order}`)).map(({ user }) => user.displayName.toLowerCase())
  assert.deepEqual(await names('asc'), ['anna', 'berta', 'berta', 'çelik'])
  assert.deepEqual(await names('desc'), ['çelik', 'berta', 'berta', 'anna'])
})

test('members are filtered by role, with the filter role guest for those without a role', async () => {
  const { org, admin, reader, creator, guest, path } = await anOrganizationWithPeople()
  const another = await org.member('read')
  const withRole = async (role: string) => idsOf(await walk(creator.client, `${path}?role=${role}&order=asc`))

  assert.deepEqual(await withRole('read'), idsOfPeople(reader, another))
  assert.deepEqual(await withRole('admin'), idsOfPeople(admin))
  assert.deepEqual(await withRole('guest'), idsOfPeople(guest))
  assert.deepEqual(await withRole('review'), [])
})

test('members are found by part of a name or address in any case, and no character works as a wildcard', async () => {
  const { org, admin, reader, creator, guest, path } = await anOrganizationWithPeople()
  const names = [
    [reader, '100% Zoe_L'],
    [creator, 'Grace\\H'],
    [guest, 'Zoe Żółć'],
  ] as const
  for (const [who, displayName] of names) await who.client.patch(`/v1/users/${who.id}`, { displayName })
  const found = async (search: string) =>
    idsOf(await walk(admin.client, `${path}?order=asc&search=${encodeURIComponent(search)}`))

  assert.deepEqual(await found('ZOE'), idsOfPeople(reader, guest))
  assert.deepEqual(await found('żÓŁ'), idsOfPeople(guest))
  assert.deepEqual(await found(creator.user.email.slice(2).toUpperCase()), idsOfPeople(creator))
  assert.deepEqual(await found(org.canary.slice(6)), idsOfPeople(admin, reader, creator, guest))
  assert.deepEqual(await found('%'), idsOfPeople(reader))
  assert.deepEqual(await found('e_l'), idsOfPeople(reader))
  assert.deepEqual(await found('\\'), idsOfPeople(creator))
  assert.deepEqual(await found('nobody'), [])
  assert.equal((await admin.client.get(`${path}?search=zoe&role=guest`)).body.count, 1)
})

test('only administrators change members, fields left out stay, and a new role applies at once', async () => {
  const { org, admin, reader, creator, guest, path } = await anOrganizationWithPeople()
  const change = (who: TestPerson, changes: object) => who.client.patch(`${path}/${reader.id}`, changes)
  const before = await everyone(org)

  for (const who of [reader, creator, guest]) assert.equal((await change(who, { role: 'admin' })).status, 403)
  assert.deepEqual(await everyone(org), before)

  const changed = await change(admin, { role: 'review' })
  assert.equal(changed.status, 200)
  assert.deepEqual([changed.body.role, changed.body.disabled], ['review', false])
  assert.deepEqual((await admin.client.get(`${path}/${reader.id}`)).body, changed.body)
  const asGuest = await change(admin, { role: null })
  assert.equal(asGuest.body.role, null)
  assert.equal((await reader.client.get(path)).status, 403, 'the new role holds at once')
})

test('a disabled member has no access from the next request on, and keeps the role', async () => {
  const { org, admin, reader, path } = await anOrganizationWithPeople()
  const disable = (disabled: boolean) => admin.client.patch(`${path}/${reader.id}`, { disabled })

  assert.equal((await disable(true)).body.disabled, true)
  assert.equal((await reader.client.get(`/v1/orgs/${org.id}`)).status, 404)
  assert.equal((await admin.client.get(`${path}/${reader.id}`)).body.role, 'read')
  assert.equal((await disable(false)).body.disabled, false)
  assert.equal((await reader.client.get(`/v1/orgs/${org.id}`)).status, 200)
})

test('administrators remove members, anyone can leave, and former members have no access', async () => {
  const { org, admin, reader, creator, guest, path } = await anOrganizationWithPeople()
  const remove = (who: TestPerson, whom: TestPerson) => who.client.delete(`${path}/${whom.id}`)

  for (const who of [creator, guest]) assert.equal((await remove(who, reader)).status, 403)
  assert.equal((await remove(admin, reader)).status, 204)
  assert.equal((await remove(admin, reader)).status, 404)
  for (const who of [creator, guest]) assert.equal((await remove(who, who)).status, 204)
  for (const who of [reader, creator, guest]) assert.equal((await who.client.get(`/v1/orgs/${org.id}`)).status, 404)
  assert.deepEqual(idsOf((await everyone(org)).items), [admin.id])
})

test('a change of a member with an outdated If-Match gets 412', async () => {
  const { admin, reader, path } = await anOrganizationWithPeople()
  const where = `${path}/${reader.id}`
  const tag = async () => (await admin.client.get(where)).headers.get('etag')!
  const old = await tag()
  assert.equal((await admin.client.patch(where, { role: 'edit' }, { 'if-match': old })).status, 200)

  assert.equal((await admin.client.patch(where, { role: 'read' }, { 'if-match': old })).status, 412)
  assert.equal((await admin.client.delete(where, { 'if-match': old })).status, 412)
  assert.equal((await admin.client.get(where)).body.role, 'edit')
  assert.equal((await admin.client.delete(where, { 'if-match': await tag() })).status, 204)
})

test('a ping of a member does not change the ETag of the member', async () => {
  const { org, admin, reader, path } = await anOrganizationWithPeople()
  const where = `${path}/${reader.id}`
  const tagOf = ({ headers }: { headers: Headers }) => headers.get('etag')!
  const comesBy = () => reader.client.post(`/v1/orgs/${org.id}/ping`)
  await comesBy()
  for (const write of [
    () => admin.client.patch(where, { role: 'edit' }),
    () => admin.client.post(`${where}/sso`),
    () => admin.client.patch(where, { role: 'read' }),
  ]) {
    const tag = tagOf(await write())
    assert.equal(tagOf(await admin.client.get(where)), tag)
    await comesBy()
    assert.equal((await admin.client.patch(where, { disabled: false }, { 'if-match': tag })).status, 200)
  }
})

test('the last active administrator cannot be demoted, disabled or removed', async () => {
  const { org, admin, path } = await anOrganizationWithPeople()
  const disabled = await org.member('admin')
  assert.equal((await admin.client.patch(`${path}/${disabled.id}`, { disabled: true })).status, 200)
  const closed = await org.member('admin')
  await app.db.run(sql`update users set disabled = true where id = ${closed.id}`)
  const where = `${path}/${admin.id}`
  const before = await everyone(org)

  const refused = [
    await admin.client.patch(where, { role: 'create' }),
    await admin.client.patch(where, { role: null }),
    await admin.client.patch(where, { disabled: true }),
    await admin.client.delete(where),
  ]
  for (const { status, body } of refused) assert.deepEqual([status, body.error.type], [409, 'last_administrator'])
  assert.deepEqual(await everyone(org), before)

  assert.equal((await admin.client.patch(`${path}/${disabled.id}`, { disabled: false })).status, 200)
  assert.equal((await admin.client.delete(where)).status, 204)
})

test('if the last two administrators leave at the same moment, one of them is kept', async () => {
  const { org, admin, reader, path } = await anOrganizationWithPeople()
  const second = await org.member('admin')
  const ways: ((who: TestPerson) => ReturnType<Client['get']>)[] = [
    (who) => who.client.patch(`${path}/${who.id}`, { role: 'read' }),
    (who) => who.client.patch(`${path}/${who.id}`, { disabled: true }),
    (who) => who.client.delete(`${path}/${who.id}`),
  ]

  for (const go of ways) {
    const people = [admin, second]
    const answers = await Promise.all(people.map(go))
    assert.deepEqual(answers.map(({ status }) => (status < 300 ? 'gone' : status)).toSorted(), [409, 'gone'])

    const stayed = people[answers.findIndex(({ status }) => status === 409)]!
    const gone = people.find((person) => person !== stayed)!
    const admins = await reader.client.get(`${path}?role=admin`)
    assert.deepEqual(idsOf(admins.body.items.filter((member: { disabled: boolean }) => !member.disabled)), [stayed.id])
    await stayed.client.patch(`${path}/${gone.id}`, { role: 'admin', disabled: false })
  }
})

test('only administrators mark a member for single sign-on', async () => {
  const { admin, reader, creator, path } = await anOrganizationWithPeople()
  const mark = (who: TestPerson) => who.client.post(`${path}/${reader.id}/sso`)

  for (const who of [reader, creator]) assert.equal((await mark(who)).status, 403)
  assert.equal((await admin.client.get(`${path}/${reader.id}`)).body.sso, false)
  assert.equal((await mark(admin)).body.sso, true)
  assert.equal((await admin.client.get(`${path}/${reader.id}`)).body.sso, true)
})

test('bad input gets 400 with the field at fault, and changes nothing', async () => {
  const { org, admin, reader, path } = await anOrganizationWithPeople()
  const before = await everyone(org)
  const where = `${path}/${reader.id}`
  const { next } = (await admin.client.get(`${path}?limit=1`)).body
  const bad: [method: string, path: string, body: unknown, fault: string][] = [
    ['PATCH', where, { role: 'owner' }, 'body.role'],
    ['PATCH', where, { role: 7 }, 'body.role'],
    ['PATCH', where, { role: 'read\0' }, 'body.role'],
    ['PATCH', where, { role: ['read'] }, 'body.role'],
    ['PATCH', where, { disabled: 'true' }, 'body.disabled'],
    ['PATCH', where, { role: 'edit', disabled: null }, 'body.disabled'],
    ['PATCH', where, [], 'body'],
    ['GET', `${path}?role=owner`, undefined, 'query.role'],
    ['GET', `${path}?sort=email`, undefined, 'query.sort'],
    ['GET', `${path}?order=random`, undefined, 'query.order'],
    ['GET', `${path}?search=%00`, undefined, 'query.search'],
    ['GET', `${path}?search=${'x'.repeat(257)}`, undefined, 'query.search'],
    ['GET', `${path}?limit=1001`, undefined, 'query.limit'],
    ['GET', `${path}?limit=-1`, undefined, 'query.limit'],
    ['GET', `${path}?limit=many`, undefined, 'query.limit'],
    ['GET', `${path}?page=made-up`, undefined, 'query.page'],
    ['GET', `${path}?role=read&page=${next.page}`, undefined, 'query.page'],
    ['GET', `/v1/orgs/${org.id}/teams?page=${next.page}`, undefined, 'query.page'],
  ]

  for (const [method, address, body, fault] of bad) {
    const refused = await admin.client.send(method, address, body)
    assert.equal(refused.status, 400, `${method} ${address} ${JSON.stringify(body)}: ${refused.text}`)
    assert.equal(refused.body.error.details[0].path, fault)
  }
  assert.deepEqual(await everyone(org), before)
  assert.equal((await admin.client.get(`${path}?limit=1&page=${next.page}`)).status, 200)
})

test('fields that only the server sets have no effect', async () => {
  const { org, admin, reader, path } = await anOrganizationWithPeople()
  const before = await everyone(org)

  const changed = await admin.client.patch(`${path}/${reader.id}`, {
    id: admin.id,
    sso: true,
    joinedAt: '2000-01-01T00:00:00Z',
    teams: 9,
    user: { displayName: 'Somebody' },
  })
  assert.equal(changed.status, 200)
  assert.deepEqual(await everyone(org), before)
})
