import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, type TestPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { stateOf } from '../../test/state.ts'
import { newId } from '../ids.ts'
import { daysFromNow, makeCertificate } from './testing/certificate.ts'

const app = await startApp()
const { certificate, key } = makeCertificate({ until: new Date('2090-01-02T03:04:05Z') })
const complete = { label: 'Company', entityID: 'https://idp.example', ssoURL: 'https://idp.example/sso', certificate }
const pathOf = (org: TestOrganization) => `/v1/orgs/${org.id}/saml`

test('a provider is created, read, listed, changed and deleted', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const team = (await client.put(`/v1/orgs/${org.id}/teams`, { title: 'Writers' })).body

  const created = await client.post(pathOf(org), { ...complete, defaultTeam: team.id, defaultRole: 'edit' })
  const { id, createdAt } = created.body
  const base = `http://lectern.test/saml/${org.id}/${id}`
  assert.equal(created.status, 201)
  assert.deepEqual(created.body, {
    object: 'saml-provider',
    id,
    label: 'Company',
    ssoURL: 'https://idp.example/sso',
    entityID: 'https://idp.example',
    certificate,
    certificateExpiresAt: '2090-01-02T03:04:05.000Z',
    defaultTeam: team,
    defaultRole: 'edit',
    signRequests: false,
    keys: [],
    createdAt,
    status: 'active',
    service: { acsURL: `${base}/acs`, startURL: `${base}/start`, entityID: base },
    urls: { location: `http://lectern.test/v1/orgs/${org.id}/saml/${id}` },
  })
  const path = `${pathOf(org)}/${id}`
  assert.deepEqual((await client.get(path)).body, created.body)
  assert.deepEqual((await client.get(pathOf(org))).body, { count: 1, items: [created.body] })

  const { defaultTeam: _team, ...withoutTeam } = created.body
  const changed = await client.patch(path, { label: 'Okta', defaultTeam: null, defaultRole: null })
  assert.deepEqual([changed.status, changed.body], [200, { ...withoutTeam, label: 'Okta', defaultRole: null }])

  assert.equal((await client.delete(path)).status, 204)
  assert.equal((await client.get(path)).status, 404)
  assert.equal((await client.delete(path)).status, 404)
})

test('a provider is pending until its entity, address and certificate are set, and again when one is removed', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const { id, ...first } = (await client.post(pathOf(org), { label: 'Company' })).body
  assert.deepEqual(
    [first.status, first.entityID, first.ssoURL, first.certificate, first.certificateExpiresAt, first.defaultRole],
    ['pending', '', '', '', undefined, null],
  )
  const logins = async () => (await client.get(`/v1/orgs/${org.id}/sso`)).body.items
  const change = async (body: object) => (await client.patch(`${pathOf(org)}/${id}`, body)).body.status
  assert.equal(await change({ entityID: complete.entityID }), 'pending')
  assert.equal(await change({ ssoURL: complete.ssoURL }), 'pending')
  assert.deepEqual(await logins(), [])
  assert.equal(await change({ certificate }), 'active')
  assert.deepEqual(await logins(), [{ id, label: 'Company', startURL: first.service.startURL }])
  assert.equal(await change({ certificate: '' }), 'pending')
  assert.equal(await change({ label: 'Still' }), 'pending')
})

test('blanks around the entity and the address of a provider are removed', async () => {
  const org = await anOrganization(app)
  const blanks = { ...complete, entityID: ` ${complete.entityID}\n`, ssoURL: `\t${complete.ssoURL} ` }
  const { entityID, ssoURL } = (await org.admin.client.post(pathOf(org), blanks)).body
  assert.deepEqual([entityID, ssoURL], [complete.entityID, complete.ssoURL])
})

test("newcomers get the organization's default role if the provider names none", async () => {
  const org = await anOrganization(app)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { defaultRole: 'comment' })
  assert.equal((await org.admin.client.post(pathOf(org), { label: 'One' })).body.defaultRole, 'comment')
  assert.equal((await org.admin.client.post(pathOf(org), { label: 'Two', defaultRole: null })).body.defaultRole, null)
})

test('a certificate is taken as PEM, as bare base64, or several at once, and the first to expire is shown', async () => {
  const org = await anOrganization(app)
  const sooner = makeCertificate({ until: new Date('2080-01-01T00:00:00Z') }).certificate
  const expiry = async (text: string) => {
    const { status, body } = await org.admin.client.post(pathOf(org), { label: 'Company', certificate: text })
    return [status, body.certificateExpiresAt]
  }
  const bare = certificate.replaceAll(/-----.*-----|\n/g, '')
  assert.deepEqual(await expiry(bare), [201, '2090-01-02T03:04:05.000Z'])
  assert.deepEqual(await expiry(certificate.replaceAll('\n', '\r\n')), [201, '2090-01-02T03:04:05.000Z'])
  assert.deepEqual(await expiry(`${certificate}\n${sooner}\n`), [201, '2080-01-01T00:00:00.000Z'])
  // As in metadata: bare, on several lines or on one, with nothing between them but a line break.
  const bareSooner = sooner.replaceAll(/-----.*-----/g, '').trim()
  for (const both of [
    `${bare}\n${bareSooner}`,
    `${bareSooner}\n\n${bare}\n`,
    `${bare}\n${sooner}`,
    `${sooner}\n${bare}`,
  ])
    assert.deepEqual(await expiry(both), [201, '2080-01-01T00:00:00.000Z'])
})

test('a certificate is returned as it was sent, including its final line break', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const { id } = (await client.post(pathOf(org), complete)).body
  for (const sent of [`${certificate.trim()}\n`, `\r\n${certificate.trim()}\r\n`, certificate.trim()]) {
    const { body } = await client.patch(`${pathOf(org)}/${id}`, { certificate: sent })
    assert.deepEqual([body.certificate, body.status], [sent, 'active'])
    assert.deepEqual((await client.get(`${pathOf(org)}/${id}`)).body, body)
  }
  assert.equal((await client.patch(`${pathOf(org)}/${id}`, { certificate: ' \n' })).body.certificate, '')
})

test('an unsuitable certificate is refused when it is saved, with the reason, and nothing is changed', async () => {
  const org = await anOrganization(app)
  const refusal = async (text: string) => {
    const { status, body } = await org.admin.client.post(pathOf(org), { label: 'Company', certificate: text })
    assert.deepEqual([status, body.error.details[0].path], [400, 'body.certificate'])
    return body.error.message as string
  }
  const before = await stateOf(app.db)
  assert.match(await refusal('hello, world'), /X\.509/)
  assert.match(await refusal(certificate.slice(0, 300)), /X\.509/)
  assert.match(await refusal(certificate.replace(/.{64}\n/, '')), /not a whole/)
  assert.match(await refusal(key), /private key/)
  assert.match(await refusal(`${certificate}\nand more`), /outside/)
  assert.match(await refusal(makeCertificate({ until: daysFromNow(-1) }).certificate), /expired on \d{4}-\d\d-\d\d/)
  assert.match(await refusal(makeCertificate({ bits: 1024 }).certificate), /1024 bits/)
  assert.match(await refusal(makeCertificate({ type: 'ec' }).certificate), /RSA/)
  assert.equal(await stateOf(app.db), before)
})

test('any other invalid field is named, and nothing is changed', async () => {
  const org = await anOrganization(app)
  const foreign = await anOrganization(app)
  const theirs = (await foreign.admin.client.put(`/v1/orgs/${foreign.id}/teams`, { title: 'Theirs' })).body
  const { id } = (await org.admin.client.post(pathOf(org), complete)).body
  const before = await stateOf(app.db)
  const refused = async (changes: object) => {
    const { status, body } = await org.admin.client.patch(`${pathOf(org)}/${id}`, changes)
    return [status, body.error?.details?.[0]?.path]
  }
  assert.deepEqual(await refused({ label: '' }), [400, 'body.label'])
  assert.deepEqual(await refused({ label: ' ' }), [400, 'body.label'])
  assert.deepEqual(await refused({ label: 'x'.repeat(31) }), [400, 'body.label'])
  assert.deepEqual(await refused({ entityID: 'x'.repeat(1025) }), [400, 'body.entityID'])
  assert.deepEqual(await refused({ certificate: 'x'.repeat(10_001) }), [400, 'body.certificate'])
  assert.deepEqual(await refused({ ssoURL: 'javascript:alert(1)' }), [400, 'body.ssoURL'])
  assert.deepEqual(await refused({ ssoURL: 'https://user:word@idp.example' }), [400, 'body.ssoURL'])
  assert.deepEqual(await refused({ ssoURL: `https://idp.example/${'x'.repeat(2048)}` }), [400, 'body.ssoURL'])
  assert.deepEqual(await refused({ defaultRole: 'owner' }), [400, 'body.defaultRole'])
  assert.deepEqual(await refused({ defaultTeam: theirs.id }), [400, 'body.defaultTeam'])
  assert.deepEqual(await refused({ defaultTeam: newId() }), [400, 'body.defaultTeam'])
  assert.deepEqual(await refused({ defaultTeam: 'no-id' }), [400, 'body.defaultTeam'])
  assert.equal((await org.admin.client.post(pathOf(org), {})).status, 400)
  assert.equal(await stateOf(app.db), before)
})

test('only administrators see and change providers, members see where to sign in, and strangers see nothing', async () => {
  const org = await anOrganization(app)
  const { id } = (await org.admin.client.post(pathOf(org), complete)).body
  const statuses = async ({ client }: TestPerson) => {
    const answers = [
      await client.get(pathOf(org)),
      await client.post(pathOf(org), complete),
      await client.get(`${pathOf(org)}/${id}`),
      await client.patch(`${pathOf(org)}/${id}`, { label: 'Changed' }),
      await client.delete(`${pathOf(org)}/${id}`),
    ]
    return [...new Set(answers.map(({ status }) => status))]
  }
  const logins = async ({ client }: TestPerson) => (await client.get(`/v1/orgs/${org.id}/sso`)).status
  const [guest, creator, stranger] = [await org.member(null), await org.member('create'), await aStranger(app)]
  assert.deepEqual(await statuses(guest), [403])
  assert.deepEqual(await statuses(creator), [403])
  assert.deepEqual(await statuses(stranger), [404])
  assert.deepEqual([await logins(guest), await logins(creator), await logins(stranger)], [200, 200, 404])
  assert.equal((await org.admin.client.get(`${pathOf(org)}/${id}`)).body.label, 'Company')
})

test('a provider is found only in its own organization', async () => {
  const [one, other] = [await anOrganization(app), await anOrganization(app)]
  const { id } = (await one.admin.client.post(pathOf(one), complete)).body
  const path = `${pathOf(other)}/${id}`
  assert.equal((await other.admin.client.get(path)).status, 404)
  assert.equal((await other.admin.client.patch(path, { label: 'Mine' })).status, 404)
  assert.equal((await other.admin.client.delete(path)).status, 404)
  assert.equal((await one.admin.client.get(`${pathOf(one)}/${id}`)).body.label, 'Company')
})

test('a provider is changed and deleted only if If-Match names its current state', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const { body, headers } = await client.post(pathOf(org), complete)
  const path = `${pathOf(org)}/${body.id}`
  const old = { 'if-match': headers.get('etag')! }
  assert.equal((await client.patch(path, { label: 'Changed' }, old)).status, 200)
  assert.equal((await client.patch(path, { label: 'Again' }, old)).status, 412)
  assert.equal((await client.delete(path, old)).status, 412)
  assert.equal((await client.delete(path, { 'if-match': (await client.get(path)).headers.get('etag')! })).status, 204)
})

test('the list of providers has pages, and an organization has at most 20 providers', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  for (let i = 0; i < 20; i++) await client.post(pathOf(org), { label: `Provider ${i}` })
  assert.equal((await client.post(pathOf(org), { label: 'One more' })).status, 409)

  const first = (await client.get(`${pathOf(org)}?limit=15`)).body
  const second = (await client.get(`${pathOf(org)}?limit=15&page=${first.next.page}`)).body
  const labels = [...first.items, ...second.items].map(({ label }: { label: string }) => label)
  assert.deepEqual([first.count, second.next], [20, undefined])
  assert.deepEqual(
    labels,
    Array.from({ length: 20 }, (_, i) => `Provider ${i}`),
  )
})

test('a deleted team is no longer the one that newcomers join', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const team = (await client.put(`/v1/orgs/${org.id}/teams`, { title: 'Writers' })).body
  const { id } = (await client.post(pathOf(org), { ...complete, defaultTeam: team.id })).body
  assert.equal((await client.delete(`/v1/orgs/${org.id}/teams/${team.id}`)).status, 204)
  const { status, body } = await client.get(`${pathOf(org)}/${id}`)
  assert.deepEqual([status, body.defaultTeam, body.status], [200, undefined, 'active'])
})

test('creating, changing and deleting a provider is recorded in the audit log', async () => {
  const org = await anOrganization(app)
  const { client } = org.admin
  const { id } = (await client.post(pathOf(org), complete)).body
  await client.patch(`${pathOf(org)}/${id}`, { label: 'Changed', certificate })
  await client.delete(`${pathOf(org)}/${id}`)
  const { items } = (await client.get(`/v1/orgs/${org.id}/audit-events`)).body
  const actions = items.map(({ action }: { action: string }) => action)
  for (const action of ['saml-provider.created', 'saml-provider.updated', 'saml-provider.removed'])
    assert.ok(actions.includes(action), action)
  assert.ok(!JSON.stringify(items).includes('CERTIFICATE'))
})
