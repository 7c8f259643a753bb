import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { aStranger, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { actions } from './catalogue.ts'

const app = await startApp()

/** An organization in which three teams were created, the last one by another administrator. */
async function anOrganizationWithHistory() {
  const org = await anOrganization(app)
  const other = await org.member('admin')
  const path = `/v1/orgs/${org.id}/audit-events`
  const teams: string[] = []
  for (const who of [org.admin, org.admin, other]) {
    const { body } = await who.client.put(`/v1/orgs/${org.id}/teams`, { title: `Team ${org.canary}` })
    teams.push(body.id)
  }
  return { org, other, path, teams, client: org.admin.client }
}

const actionsOf = ({ items }: { items: { action: string }[] }) => items.map(({ action }) => action)
const targetsOf = ({ items }: { items: { target: { id: string } }[] }) => items.map(({ target }) => target.id)

test('audit events are listed newest first, with actor, action, target and request', async () => {
  const { org, client, path, teams } = await anOrganizationWithHistory()
  const renamed = await client.patch(`/v1/orgs/${org.id}/teams/${teams[0]}`, { title: `Words ${org.canary}` })
  const { body } = await client.get(path)
  assert.deepEqual(actionsOf(body).slice(0, 4), ['team.updated', 'team.created', 'team.created', 'team.created'])
  assert.equal(body.count, body.items.length)

  const [event] = body.items
  assert.deepEqual(
    { ...event, id: '', createdAt: '', actor: { ...event.actor, token: '' }, urls: '' },
    {
      object: 'audit-event',
      id: '',
      action: 'team.updated',
      label: 'Team updated',
      createdAt: '',
      actor: {
        type: 'user',
        id: org.admin.id,
        displayName: org.admin.user.display_name,
        email: org.admin.user.email,
        token: '',
      },
      target: { type: 'team', id: teams[0] },
      request: { id: renamed.headers.get('x-request-id'), address: '127.0.0.1' },
      payload: { fields: ['title'] },
      urls: '',
    },
  )
  assert.ok(!JSON.stringify(body).includes('Words'))
  assert.deepEqual((await client.get(`${path}/${event.id}`)).body, event)
  assert.equal((await client.get(`${path}/${newId()}`)).status, 404)
})

test('audit events about access give the new value: roles, with the former one, levels, and the visibility of a site', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const [member, space] = [await org.member('read'), await aSpace(client, org.id)]
  const inOrg = (path: string) => `/v1/orgs/${org.id}${path}`
  const collection = (await client.post(inOrg('/collections'), { title: 'All' })).body
  const site = (await client.post(inOrg('/sites'), { title: 'Docs' })).body
  const steps: [what: () => Promise<{ status: number }>, action: string, payload: object][] = [
    [
      () => client.patch(inOrg(`/members/${member.id}`), { role: 'admin' }),
      'member.updated',
      { fields: ['role'], details: { role: 'admin', former: 'read' } },
    ],
    [
      () => client.patch(inOrg(`/members/${member.id}`), { role: null, disabled: true }),
      'member.updated',
      { fields: ['role', 'disabled'], details: { role: 'guest', former: 'admin', disabled: 'true' } },
    ],
    [
      () => client.post(`/v1/spaces/${space.id}/permissions`, { role: null, users: [member.id] }),
      'space.granted',
      { fields: ['role'], details: { role: 'none' } },
    ],
    [
      () => client.patch(`/v1/spaces/${space.id}/permissions/users/${member.id}`, { role: 'review' }),
      'space.granted',
      { fields: ['role'], details: { role: 'review' } },
    ],
    [() => client.delete(inOrg(`/members/${member.id}`)), 'member.removed', { details: { former: 'guest' } }],
    [
      () => client.patch(`/v1/spaces/${space.id}`, { title: 'Open', defaultLevel: 'edit' }),
      'space.updated',
      { fields: ['title', 'defaultLevel'], details: { defaultLevel: 'edit' } },
    ],
    [
      () => client.patch(`/v1/collections/${collection.id}`, { defaultLevel: null }),
      'collection.updated',
      { fields: ['defaultLevel'], details: { defaultLevel: 'none' } },
    ],
    [
      () => client.patch(inOrg(''), { sso: true, defaultRole: 'read', inviteLinks: false }),
      'organization.updated',
      {
        fields: ['defaultRole', 'sso', 'inviteLinks'],
        details: { sso: 'true', defaultRole: 'read', inviteLinks: 'false' },
      },
    ],
    [
      () => client.patch(inOrg(''), { defaultRole: null, sso: true }),
      'organization.updated',
      { fields: ['defaultRole'], details: { defaultRole: 'guest' } },
    ],
    [
      () => client.patch(inOrg(`/sites/${site.id}`), { visibility: 'unlisted' }),
      'site.updated',
      { fields: ['visibility'], details: { visibility: 'unlisted' } },
    ],
    [
      () => client.post(inOrg('/invites'), { emails: [`${newId()}@example.org`], role: 'edit' }),
      'invite.created',
      { details: { role: 'edit' } },
    ],
  ]
  for (const [what, action, payload] of steps) {
    assert.ok((await what()).status < 300, action)
    const { items } = (await client.get(inOrg('/audit-events?limit=1'))).body
    assert.deepEqual([items[0].action, items[0].payload], [action, payload])
  }
})

test('the audit log is read in pages of at most 100, and filtered by action, actor, target and time', async () => {
  const { org, other, client, path, teams } = await anOrganizationWithHistory()
  const all = (await client.get(path)).body.items
  const walked: unknown[] = []
  for (let page = ''; ;) {
    const { body } = await client.get(`${path}?limit=2${page}`)
    assert.equal(body.count, all.length)
    walked.push(...body.items)
    if (!body.next) break
    page = `&page=${body.next.page}`
  }
  assert.deepEqual(walked, all)

  const filtered = async (query: string) => (await client.get(`${path}?${query}`)).body
  assert.deepEqual(targetsOf(await filtered('action=team.created')), teams.toReversed())
  assert.deepEqual(targetsOf(await filtered(`actor=${other.id}`)), [teams[2]])
  assert.deepEqual(actionsOf(await filtered(`target=${teams[1]}`)), ['team.created'])
  assert.equal((await filtered('action=no.such')).count, 0)

  const second = (await filtered(`target=${teams[1]}`)).items[0].createdAt
  assert.ok(targetsOf(await filtered(`from=${second}`)).includes(teams[1]!))
  assert.ok(!targetsOf(await filtered(`to=${second}`)).includes(teams[1]!))
  assert.equal((await filtered(`from=${second}&to=${second}`)).count, 0)
  assert.equal((await filtered('from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z')).count, all.length)

  const rules = {
    'limit=0': 'limit',
    'limit=101': 'limit',
    'from=yesterday': 'from',
    'from=2030-02-30T00:00:00Z': 'from',
    'to=2030-01-01T00:00:00%2B20:00': 'to',
    'actor=me': 'actor',
  }
  for (const [query, field] of Object.entries(rules)) {
    const { status, body } = await client.get(`${path}?${query}`)
    assert.deepEqual([status, body.error.details[0].path], [400, `query.${field}`], query)
  }
  assert.equal((await org.admin.client.get(`${path}?page=x`)).status, 400)
})

test('the export of the audit log holds every event once, one per line, also beyond a thousand', async () => {
  const { org, client, path } = await anOrganizationWithHistory()
  await app.db.run(sql`
    insert into changes (organization_id, id, action, target_type, target_id)
    select ${org.id}, gen_random_uuid(), 'team.updated', 'team', 'x' from generate_series(1, 1200)`)
  const { status, text, headers } = await client.get(`${path}/export`)
  assert.equal(status, 200)
  assert.match(headers.get('content-type')!, /^application\/x-ndjson/)
  const events = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(events.length, (await client.get(`${path}?limit=1`)).body.count)
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length)

  const own = (await client.get(`${path}/export?action=team.created`)).text.trimEnd().split('\n')
  assert.deepEqual(
    own.map((line) => JSON.parse(line)),
    (await client.get(`${path}?action=team.created`)).body.items,
  )
  assert.equal((await client.send('HEAD', `${path}/export`)).text, '')
})

test('the audit log is for administrators: other members get 403, and strangers get 404', async () => {
  const { org, client, path } = await anOrganizationWithHistory()
  const creator = await org.member('create')
  const stranger = await aStranger(app)
  const [event] = (await client.get(path)).body.items
  const addresses = [path, `${path}/export`, `${path}/${event.id}`, `/v1/orgs/${org.id}/audit-event-actions`]
  for (const address of addresses) {
    assert.equal((await client.get(address)).status, 200, address)
    assert.equal((await creator.client.get(address)).status, 403, address)
    assert.equal((await stranger.client.get(address)).status, 404, address)
  }
  const theirs = `/v1/orgs/${(await anOrganization(app)).id}`
  assert.equal((await client.get(`${theirs}/audit-events/${event.id}`)).status, 404)
})

test('access denied to a member is recorded, and attempts by strangers are not', async () => {
  const { org, client, path } = await anOrganizationWithHistory()
  const reader = await org.member('read')
  const stranger = await aStranger(app)
  const space = await aSpace(client, org.id, { title: `Space ${org.canary}` })
  const refused = [
    await reader.client.patch(`/v1/orgs/${org.id}`, { title: 'No' }),
    await reader.client.patch(`/v1/spaces/${space.id}`, { title: 'No' }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [403, 403],
  )
  await stranger.client.patch(`/v1/orgs/${org.id}`, { title: 'No' })
  await stranger.client.patch(`/v1/spaces/${space.id}`, { title: 'No' })
  await app.app.audit.flush()

  const { body } = await client.get(`${path}?action=access.denied`)
  assert.deepEqual(
    body.items.map(({ actor, target, payload, request }: any) => [actor.id, target, payload, request.id]),
    [
      [
        reader.id,
        { type: 'space', id: space.id },
        { details: { operation: 'updateSpaceById' } },
        refused[1]!.headers.get('x-request-id'),
      ],
      [
        reader.id,
        { type: 'organization', id: org.id },
        { details: { operation: 'updateOrganizationById' } },
        refused[0]!.headers.get('x-request-id'),
      ],
    ],
  )
})

test('no more than sixty denied requests a minute are recorded per person', async () => {
  const { org, client, path } = await anOrganizationWithHistory()
  const reader = await org.member('read')
  for (let round = 0; round < 8; round++) {
    const calls = Array.from({ length: 10 }, () => reader.client.patch(`/v1/orgs/${org.id}`, { title: 'No' }))
    for (const { status } of await Promise.all(calls)) assert.equal(status, 403)
  }
  await app.app.audit.flush()
  assert.equal((await client.get(`${path}?action=access.denied`)).body.count, 60)
})

test('every action that the code records is in the list of audit actions', async () => {
  const { org, client } = await anOrganizationWithHistory()
  const { items } = (await client.get(`/v1/orgs/${org.id}/audit-event-actions`)).body
  assert.deepEqual(
    items.map(({ id }: { id: string }) => id),
    actions,
  )
  const known = new Set<string>(actions)
  // Actions on accounts, which belong to no organization.
  const elsewhere = ['user.created', 'user.updated']
  const recorded = globSync('src/**/*.ts', { exclude: ['src/**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/action: '([a-z-]+\.[a-z-]+)'/g)].map(([, action]) => action!),
  )
  const missing = recorded.filter((action) => !known.has(action) && !elsewhere.includes(action))
  assert.deepEqual([...new Set(missing)], [], 'these are missing in catalogue.ts')
})
