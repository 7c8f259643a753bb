import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import type { Client } from '../../test/client.ts'
import { type TestOrganization, aStranger, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = await startApp()

/** A team with an owner and a member, and people around it who are not in it. */
async function aTeam() {
  const org = await anOrganization(app)
  const [owner, member, outsider, guest] = await Promise.all([
    org.member('read'),
    org.member('read'),
    org.member('create'),
    org.member(null),
  ])
  const team = await createTeam(org, `Writers ${org.canary}`, [member.id])
  const path = `/v1/orgs/${org.id}/teams/${team.id}`
  await done(org.admin.client.put(`${path}/members/${owner.id}`, { role: 'owner' }))
  return { org, admin: org.admin, owner, member, outsider, guest, stranger: await aStranger(app), path, id: team.id }
}

async function createTeam(org: TestOrganization, title: string, members: string[] = []): Promise<{ id: string }> {
  const created = await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title, members })
  assert.equal(created.status, 201, created.text)
  return created.body
}

async function done(sent: ReturnType<Client['put']>): Promise<void> {
  const { status, text } = await sent
  assert.equal(status, 204, text)
}

/** All items of a list, fetched two at a time. */
async function walk(client: Client, path: string) {
  const items = []
  for (let page = ''; ;) {
    const { status, body, text } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=2${page}`)
    assert.equal(status, 200, text)
    assert.ok(body.items.length <= 2)
    items.push(...body.items)
    if (!body.next) {
      assert.equal(items.length, body.count)
      return items
    }
    page = `&page=${body.next.page}`
  }
}

/** Who is in the team, as what: to tell whether anything changed. */
async function peopleIn({ admin, path }: Pick<Awaited<ReturnType<typeof aTeam>>, 'admin' | 'path'>) {
  const { body } = await admin.client.get(`${path}/members`)
  const items: { organization: { id: string }; team: { role: string } }[] = body.items
  assert.equal(body.count, items.length)
  return Object.fromEntries(items.map((item) => [item.organization.id, item.team.role]))
}

const titlesOf = (items: { title: string }[]) => items.map((team) => team.title)

test('a team tells each reader exactly what they may do with it, and guests nothing', async () => {
  const { org, admin, owner, member, outsider, guest, path, id } = await aTeam()

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

test('to a stranger nothing about teams exists, and neither does a team in the path of another organization', async () => {
  const { org, admin, member, stranger, path, id } = await aTeam()
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

test('only administrators create teams; those named are in it once, and the creator is not', async () => {
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

test('administrators and owners rename and delete a team, nobody else', async () => {
  const { admin, owner, member, outsider, guest, path } = await aTeam()
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

test('a change that names an older state of the team is refused', async () => {
  const { admin, outsider, member, path } = await aTeam()
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

test('a walk through the teams meets each once, the oldest first', async () => {
  const org = await anOrganization(app)
  const titles = ['One', 'Two', 'Three', 'Four', 'Five']
  for (const title of titles) await createTeam(org, title)

  assert.deepEqual(titlesOf(await walk(org.admin.client, `/v1/orgs/${org.id}/teams`)), titles)
})

test('teams are found by a part of their title in any case, and no character of it is a wildcard', async () => {
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

test('teams of an owner are those that the owner can manage: all for an administrator, none for one without', async () => {
  const { org, admin, owner, member, outsider, stranger, id } = await aTeam()
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

test('a walk through the members of a team meets each once, with what they are in the organization and in the team', async () => {
  const { admin, owner, member, outsider, guest, path } = await aTeam()
  // All four at one moment: the order has to hold without a difference in time.
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

test('administrators and owners manage who is in the team, nobody else', async () => {
  const { admin, owner, member, outsider, guest, path } = await aTeam()
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

test('one who is put into a team becomes a member, and keeps the role there until another one is given', async () => {
  const { admin, outsider, path } = await aTeam()
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

test('anyone leaves a team, guests too; who is not in it cannot be taken out', async () => {
  const { org, admin, owner, member, outsider, guest, path } = await aTeam()
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

test('a guest who owns a team manages that one and sees no other', async () => {
  const { org, admin, guest, member, path, id } = await aTeam()
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

test('many changes at once: by id or address, and whoever is to be removed is, whatever else is said', async () => {
  const { org, admin, owner, member, outsider, guest, path } = await aTeam()
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

test('a list of changes with one bad entry names it and changes nothing', async () => {
  const { admin, owner, member, outsider, stranger, path } = await aTeam()
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

test('bad input gets 400 with the place of the fault, and changes nothing', async () => {
  const { org, admin, member, stranger, path } = await aTeam()
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

test('a path to somebody who is no member of the organization leads nowhere', async () => {
  const { admin, stranger, path } = await aTeam()
  const before = await peopleIn({ admin, path })

  for (const userId of [stranger.id, newId(), 'no-id']) {
    assert.equal((await admin.client.put(`${path}/members/${userId}`, { role: 'owner' })).status, 404)
    assert.equal((await admin.client.delete(`${path}/members/${userId}`)).status, 404)
  }
  assert.deepEqual(await peopleIn({ admin, path }), before)
})

test('the teams of a member are listed once each with the role there, for oneself and for all but guests', async () => {
  const { org, member, outsider, guest } = await aTeam()
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

test('who leaves the organization leaves its teams', async () => {
  const { org, admin, owner, member, path } = await aTeam()
  await done(admin.client.delete(`/v1/orgs/${org.id}/members/${owner.id}`))

  assert.deepEqual(await peopleIn({ admin, path }), { [member.id]: 'member' })
  assert.equal((await owner.client.get(path)).status, 404)
})

test('owners who put each other out at the same moment do not both succeed', async () => {
  const { admin, owner, outsider, path } = await aTeam()
  await done(admin.client.put(`${path}/members/${outsider.id}`, { role: 'owner' }))

  const answers = await Promise.all([
    owner.client.delete(`${path}/members/${outsider.id}`),
    outsider.client.delete(`${path}/members/${owner.id}`),
  ])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [204, 403])
})

test('what changed is recorded, and a repeat that changes nothing is not', async () => {
  const { org, admin, owner, member, path } = await aTeam()
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
