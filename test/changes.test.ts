import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { startApp } from './app.ts'
import { aCollection, aSpace } from './content.ts'
import { anOrganization } from './factories.ts'

const app = await startApp()

interface ChangeRow {
  action: string
  actor_id: string
  token_id: string
  target_id: string
  fields: string[] | null
  request_id: string
  address: string
}

const changesOf = (organizationId: string) =>
  app.db.all(sql<ChangeRow>`
  select action, actor_id, token_id, target_id, fields, request_id, address from changes
  where organization_id = ${organizationId} and actor_id is not null and action <> 'access.denied' order by id`)

test('a change is recorded with its actor, token, fields, request and address, and without its content', async () => {
  const org = await anOrganization(app)
  const answer = await org.admin.client.patch(`/v1/orgs/${org.id}`, { title: `Secret plan ${org.canary}` })
  const [change, ...more] = await changesOf(org.id)

  assert.equal(more.length, 0)
  assert.deepEqual(
    { ...change, token_id: typeof change!.token_id },
    {
      action: 'organization.updated',
      actor_id: org.admin.id,
      token_id: 'string',
      target_id: org.id,
      fields: ['title'],
      request_id: answer.headers.get('x-request-id'),
      address: '127.0.0.1',
    },
  )
})

test('a refused request records no change, except that access was denied', async () => {
  const org = await anOrganization(app)
  const reader = await org.member('read')
  assert.equal((await reader.client.patch(`/v1/orgs/${org.id}`, { title: 'No' })).status, 403)
  assert.equal((await org.admin.client.patch(`/v1/orgs/${org.id}`, { hostname: 'admin' })).status, 400)
  assert.deepEqual(await changesOf(org.id), [])
})

test('a request that changes nothing is answered as usual and not recorded', async () => {
  const org = await anOrganization(app)
  const member = await org.member('read')
  const { client } = org.admin
  const made = async (method: string, path: string, body: object) => {
    const { status, body: answer, text } = await client.send(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
    return answer
  }
  const at = `/v1/orgs/${org.id}`
  await made('PATCH', at, { emailDomains: [`${org.canary}.test`] })
  const organization = (await client.get(at)).body
  const [space, other] = [await aSpace(client, org.id), await aSpace(client, org.id)]
  const [collection, behind] = [await aCollection(client, org.id), await aCollection(client, org.id)]
  const site = await made('POST', `${at}/sites`, { spaces: [space.id] })
  const onSite = `${at}/sites/${site.id}`
  const section = await made('POST', `${onSite}/sections`, { spaceId: other.id, title: 'Section', icon: 'star' })
  const first = (await client.get(`${onSite}/sections`)).body.items[0]
  const [siteSpace] = section.siteSpaces
  const group = await made('POST', `${onSite}/section-groups`, { title: 'Group' })
  const link = await made('POST', `${onSite}/external-links`, { title: 'Out', url: 'https://example.com/' })
  const team = await made('PUT', `${at}/teams`, { title: 'Team' })
  const provider = await made('POST', `${at}/saml`, { label: 'Provider', defaultTeam: team.id })
  const variants = ['fr', 'de'].map((language, i) => ({ language, space: [space, other][i].id }))
  const translation = await made('POST', `${at}/translations`, { title: 'Guide', variants })
  const invite = await made('POST', `${at}/link-invites`, { role: 'read' })
  const webhook = await made('POST', `${at}/webhooks`, { url: 'https://example.com/hook' })

  const again: [method: string, path: string, body: object][] = [
    ['PATCH', at, {}],
    ['PATCH', at, { title: organization.title, hostname: organization.hostname, sso: false, defaultContent: null }],
    ['PATCH', at, { emailDomains: [`${org.canary}.TEST`] }],
    ['PATCH', `${at}/members/${member.id}`, {}],
    ['PATCH', `${at}/members/${member.id}`, { role: 'read', disabled: false }],
    ['PATCH', `${at}/teams/${team.id}`, { title: 'Team' }],
    ['PATCH', `${at}/saml/${provider.id}`, { label: 'Provider', defaultTeam: team.id, defaultRole: null }],
    ['PATCH', `${at}/saml/${provider.id}`, { signRequests: false }],
    ['PATCH', `${at}/link-invites/${invite.id}`, { role: 'read' }],
    ['PATCH', `${at}/webhooks/${webhook.id}`, { url: 'https://example.com/hook', active: true }],
    ['PUT', `${at}/translations/${translation.id}`, { title: 'Guide' }],
    ['PUT', `${at}/translations/${translation.id}`, { title: 'Guide', source: null, variants: variants.toReversed() }],
    ['PATCH', onSite, { title: site.title, visibility: 'public', basename: site.basename, proxy: null }],
    ['PATCH', onSite, { defaultSiteSection: first.id, defaultSiteSpace: first.siteSpaces[0].id }],
    ['PATCH', `${onSite}/sections/${section.id}`, { title: 'Section', icon: 'star', description: '', condition: null }],
    ['PATCH', `${onSite}/sections/${section.id}`, { path: section.path, defaultSiteSpace: siteSpace.id }],
    ['PATCH', `${onSite}/section-groups/${group.id}`, { title: 'Group', icon: null }],
    ['PATCH', `${onSite}/external-links/${link.id}`, { title: 'Out', url: 'https://example.com/', parent: null }],
    ['PATCH', `${onSite}/site-spaces/${siteSpace.id}`, { path: siteSpace.path, spaceId: other.id, condition: null }],
    ['PATCH', `${onSite}/structure/sort`, { item: { type: 'site-external-link', id: link.id }, position: {} }],
    [
      'POST',
      `${onSite}/sections/${section.id}/move`,
      { position: { after: { type: 'site-section', siteSection: first.id } } },
    ],
    ['POST', `/v1/spaces/${other.id}/move`, { position: { after: { type: 'space', space: space.id } } }],
    ['POST', `/v1/collections/${behind.id}/move`, { position: {} }],
    [
      'POST',
      `/v1/collections/${collection.id}/move`,
      { parent: null, position: { before: { type: 'collection', collection: behind.id } } },
    ],
  ]
  for (const [method, path, body] of again) {
    const [recorded, before] = [await changesOf(org.id), method === 'POST' ? undefined : await client.get(path)]
    const { status, text, body: answer } = await client.send(method, path, body)
    assert.equal(status, 200, `${method} ${path}: ${text}`)
    const what = `${method} ${path} ${JSON.stringify(body)}`
    assert.deepEqual((await changesOf(org.id)).slice(recorded.length), [], what)
    if (before?.status === 200) assert.deepEqual(answer, before.body, what)
  }
})

test('recorded changes cannot be updated, deleted or truncated, not even with SQL', async () => {
  const org = await anOrganization(app)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { ai: true })
  await assert.rejects(app.db.run(sql`update changes set action = 'x'`), /append-only/)
  await assert.rejects(app.db.run(sql`delete from changes`), /append-only/)
  await assert.rejects(app.db.run(sql`truncate changes`), /append-only/)
})
