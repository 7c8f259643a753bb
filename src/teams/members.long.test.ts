import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { walk } from '../../test/lists.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { aTeam, createTeam, done, peopleIn, titlesOf } from './testing/team.ts'

const app = await startApp()

test("paging through a team's members meets each once, with their roles in the organization and in the team", async () => {
  const { admin, owner, member, outsider, guest, path } = await aTeam(app)
  // All are added at the same moment, so the order has to be stable without a difference in time.
  await done(admin.client.put(`${path}/members`, { remove: [owner.id, member.id] }))
  await done(
    admin.client.put(`${path}/members`, {
      add: [outsider.id, guest.id, member.id, admin.id],
      memberships: { [owner.id]: { role: 'owner' } },
    }),
  )

  const items = await walk(member.client, `${path}/members`)
  assert.deepEqual(
    items.map((item) => item.organization.id).toSorted(),
    [admin.id, owner.id, member.id, outsider.id, guest.id].toSorted(),
  )
  const item = items.find(({ organization }) => organization.id === owner.id)
  assert.deepEqual(
    { team: item.team, permissions: item.permissions },
    { team: { role: 'owner' }, permissions: { view: true } },
  )
  const asMember = await admin.client.get(`/v1/orgs/${path.split('/')[3]}/members/${owner.id}`)
  assert.deepEqual(item.organization, asMember.body)
})

test('only administrators and owners manage who is in a team', async () => {
  const { admin, owner, member, outsider, guest, path } = await aTeam(app)
  const before = await peopleIn({ admin, path })
  const calls = (userId: string): [method: string, path: string, body?: unknown][] => [
    ['PUT', `/members/${userId}`, { role: 'owner' }],
    ['PUT', '/members', { add: [userId] }],
    ['DELETE', `/members/${userId}`],
  ]

  for (const who of [member, outsider, guest]) {
    for (const [method, rest, body] of calls(owner.id)) {
      assert.equal((await who.client.send(method, path + rest, body)).status, 403, `${method} ${rest}`)
    }
    assert.equal((await who.client.put(`${path}/members/${who.id}`, { role: 'owner' })).status, 403)
  }
  assert.deepEqual(await peopleIn({ admin, path }), before)
  for (const who of [admin, owner]) {
    for (const [method, rest, body] of calls(outsider.id)) await done(who.client.send(method, path + rest, body))
  }
  assert.deepEqual(await peopleIn({ admin, path }), before)
})

test('a person put into a team becomes a member, and keeps their role there until another one is given', async () => {
  const { admin, outsider, path } = await aTeam(app)
  const put = (body?: object) => done(admin.client.put(`${path}/members/${outsider.id}`, body))
  const role = async () => (await peopleIn({ admin, path }))[outsider.id]

  await put()
  assert.equal(await role(), 'member')
  await put({ role: 'owner' })
  assert.equal(await role(), 'owner')
  await put({})
  await done(admin.client.put(`${path}/members`, { add: [outsider.id] }))
  assert.equal(await role(), 'owner')
  await put({ role: 'member' })
  assert.equal(await role(), 'member')
})

test('anyone can leave a team, guests too, and removing a person who is not in it gets 404', async () => {
  const { org, admin, owner, member, outsider, guest, path } = await aTeam(app)
  await done(admin.client.put(`${path}/members/${guest.id}`))
  const leave = (who: typeof guest) => who.client.delete(`${path}/members/${who.id}`)

  for (const who of [member, guest]) {
    await done(leave(who))
    assert.equal((await leave(who)).status, 404)
  }
  assert.equal((await leave(outsider)).status, 404)
  assert.equal((await owner.client.delete(`${path}/members/${outsider.id}`)).status, 404)
  assert.equal((await guest.client.delete(`/v1/orgs/${org.id}/teams/${newId()}/members/${guest.id}`)).status, 404)
  await done(leave(owner))
  assert.equal((await owner.client.patch(path, { title: 'Still mine' })).status, 403, 'with the place goes the right')
  assert.deepEqual(await peopleIn({ admin, path }), {})
})

test('a guest who owns a team manages that team and sees no other', async () => {
  const { org, admin, guest, member, path, id } = await aTeam(app)
  const other = await createTeam(org, 'Others', [guest.id])
  await done(admin.client.put(`${path}/members/${guest.id}`, { role: 'owner' }))

  assert.deepEqual((await guest.client.get(path)).body.permissions, { admin: true, view: true })
  assert.equal((await guest.client.get(`${path}/members`)).status, 200)
  await done(guest.client.delete(`${path}/members/${member.id}`))
  assert.equal((await guest.client.get(`/v1/orgs/${org.id}/teams/${other.id}`)).status, 403)

  const own: { team: { id: string; permissions: object } }[] = await walk(
    guest.client,
    `/v1/orgs/${org.id}/members/${guest.id}/teams`,
  )
  assert.deepEqual(
    own.map(({ team }) => [team.id, team.permissions]),
    [
      [other.id, { admin: false, view: false }],
      [id, { admin: true, view: true }],
    ],
  )
})

test('team members can be changed in bulk by id or address, and a removal wins over all other changes', async () => {
  const { org, admin, owner, member, outsider, guest, path } = await aTeam(app)
  const [another, last] = [await org.member('read'), await org.member('edit')]

  await done(
    owner.client.put(`${path}/members`, {
      add: [outsider.user.email.toUpperCase(), outsider.id, guest.id, last.id],
      remove: [guest.user.email, last.id, member.id, admin.id],
      memberships: {
        [another.user.email]: { role: 'owner' },
        [owner.id]: { role: 'member' },
        [last.id]: { role: 'owner' },
      },
    }),
  )
  assert.deepEqual(await peopleIn({ admin, path }), {
    [outsider.id]: 'member',
    [another.id]: 'owner',
    [owner.id]: 'member',
  })
})

test('a bulk change with one bad entry is refused with the path of that entry and changes nothing', async () => {
  const { admin, owner, member, outsider, stranger, path } = await aTeam(app)
  const before = await peopleIn({ admin, path })
  const good = { add: [outsider.id], remove: [member.id], memberships: { [owner.id]: { role: 'member' } } }
  const bad: [change: object, path: string][] = [
    [{ add: [outsider.id, newId()] }, 'body.add.1'],
    [{ add: [stranger.id] }, 'body.add.0'],
    [{ add: [stranger.user.email] }, 'body.add.0'],
    [{ add: ['not an id', outsider.id] }, 'body.add.0'],
    [{ add: [outsider.id.toUpperCase()] }, 'body.add.0'],
    [{ remove: [member.id, stranger.id] }, 'body.remove.1'],
    [{ memberships: { [stranger.id]: { role: 'owner' } } }, `body.memberships.${stranger.id}`],
    [{ memberships: { constructor: { role: 'owner' } } }, 'body.memberships.constructor'],
    [{ memberships: { [outsider.id]: { role: 'admin' } } }, `body.memberships.${outsider.id}.role`],
    [{ memberships: { [outsider.id]: {} } }, `body.memberships.${outsider.id}.role`],
    [{ memberships: { 'a\nb': null } }, 'body.memberships.a\nb'],
    [{ memberships: { ['x'.repeat(321)]: { role: 'owner' } } }, 'body.memberships'],
    [{ memberships: [] }, 'body.memberships'],
    [{ add: outsider.id }, 'body.add'],
    [{ add: [7] }, 'body.add.0'],
    [{ add: ['\0'] }, 'body.add.0'],
    [{ add: Array.from({ length: 1001 }, () => outsider.id) }, 'body.add'],
  ]

  for (const [change, where] of bad) {
    const refused = await owner.client.put(`${path}/members`, { ...good, ...change })
    assert.equal(refused.status, 400, refused.text)
    assert.equal(refused.body.error.details[0].path, where)
  }
  assert.deepEqual(await peopleIn({ admin, path }), before)
  await done(owner.client.put(`${path}/members`, good))
})

test('an address shared by two members, one from single sign-on, matches neither of them, but their ids do', async () => {
  const { org, admin, outsider, path } = await aTeam(app)
  const second = await org.member('read')
  await app.db.run(sql`
    update users set home_organization_id = ${org.id}, email = ${outsider.user.email} where id = ${second.id}`)
  await done(admin.client.put(`${path}/members`, { add: [outsider.id, second.id] }))
  const before = await peopleIn({ admin, path })
  const address = outsider.user.email.toUpperCase()
  for (const [body, where] of [
    [{ remove: [address] }, 'body.remove.0'],
    [{ add: [admin.id, address] }, 'body.add.1'],
    [{ memberships: { [address]: { role: 'owner' } } }, `body.memberships.${address}`],
  ] as const) {
    const refused = await admin.client.put(`${path}/members`, body)
    assert.deepEqual([refused.status, refused.body.error.details?.[0].path], [400, where])
    assert.match(refused.body.error.message, /several members/)
  }
  assert.deepEqual(await peopleIn({ admin, path }), before)
  await done(admin.client.put(`${path}/members`, { remove: [outsider.id] }))
  assert.equal((await peopleIn({ admin, path }))[second.id], 'member')
})

test("a member's teams are listed once each with the role there, to the member and to all others except guests", async () => {
  const { org, member, outsider, guest } = await aTeam(app)
  const titles = ['Alpha', 'Beta', 'alphabet']
  for (const title of titles) await createTeam(org, title, [member.id, guest.id])
  const path = `/v1/orgs/${org.id}/members/${member.id}/teams`

  const teams = await walk(outsider.client, path)
  assert.deepEqual(titlesOf(teams.map(({ team }) => team)), [`Writers ${org.canary}`, ...titles])
  assert.ok(teams.every((item) => item.member.role === 'member'))
  assert.deepEqual(titlesOf((await walk(outsider.client, `${path}?title=ALPHA`)).map(({ team }) => team)), [
    'Alpha',
    'alphabet',
  ])
  assert.equal((await guest.client.get(path)).status, 403)
  assert.equal((await walk(guest.client, path.replace(member.id, guest.id))).length, 3)
  assert.equal((await outsider.client.get(path.replace(member.id, newId()))).status, 404)
})

test('a member removed from the organization is removed from its teams', async () => {
  const { org, admin, owner, member, path } = await aTeam(app)
  await done(admin.client.delete(`/v1/orgs/${org.id}/members/${owner.id}`))

  assert.deepEqual(await peopleIn({ admin, path }), { [member.id]: 'member' })
  assert.equal((await owner.client.get(path)).status, 404)
})

test('two owners who remove each other from a team at the same time do not both succeed', async () => {
  const { admin, owner, outsider, path } = await aTeam(app)
  await done(admin.client.put(`${path}/members/${outsider.id}`, { role: 'owner' }))

  const answers = await Promise.all([
    owner.client.delete(`${path}/members/${outsider.id}`),
    outsider.client.delete(`${path}/members/${owner.id}`),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 403])
})
