import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'

const app = await startApp()

test('a member sees the organization with exactly the rights of their own role', async () => {
  const org = await anOrganization(app)
  const reader = await org.member('read')
  const guest = await org.member(null)

  const forAdmin = await org.admin.client.get(`/v1/orgs/${org.id}`)
  assert.equal(forAdmin.status, 200)
  assert.equal(forAdmin.body.title, `Organization ${org.canary}`)
  assert.equal(forAdmin.body.permissions.admin, true)

  const forReader = await reader.client.get(`/v1/orgs/${org.id}`)
  assert.deepEqual(
    { admin: forReader.body.permissions.admin, listMembers: forReader.body.permissions.listMembers },
    { admin: false, listMembers: true },
  )
  const forGuest = await guest.client.get(`/v1/orgs/${org.id}`)
  assert.equal(forGuest.body.permissions.listMembers, false)
})

test('a stranger gets the same 404 for an organization as for one that does not exist', async () => {
  const org = await anOrganization(app)
  const stranger = await aStranger(app)

  const foreign = await stranger.client.get(`/v1/orgs/${org.id}`)
  const missing = await stranger.client.get('/v1/orgs/01990000-0000-7000-8000-000000000000')
  const malformed = await stranger.client.get('/v1/orgs/no-such-organization')
  assert.equal(foreign.status, 404)
  assert.deepEqual(foreign.body, missing.body)
  assert.deepEqual(foreign.body, malformed.body)
  assert.equal((await stranger.client.patch(`/v1/orgs/${org.id}`, { title: 'Mine' })).status, 404)
})

test('only administrators change an organization, and fields left out stay', async () => {
  const org = await anOrganization(app)
  const creator = await org.member('create')
  const change = (who: typeof creator) => who.client.patch(`/v1/orgs/${org.id}`, { title: `Renamed ${org.canary}` })

  assert.equal((await change(creator)).status, 403)
  const changed = await change(org.admin)
  assert.equal(changed.status, 200)
  assert.equal(changed.body.title, `Renamed ${org.canary}`)
  assert.equal(changed.body.hostname, org.row.hostname)
})

test('only instance administrators create organizations', async () => {
  const person = await aPerson(app)
  const refused = await person.client.post('/v1/orgs', { title: 'New one' })
  assert.equal(refused.status, 403)
})

test('an instance administrator who creates an organization administers it, and its hostname is made from its title', async () => {
  const person = await anInstanceAdministrator()
  const created = await person.client.post('/v1/orgs', {
    title: 'Fresh & New',
    id: newId(),
    plan: 'gold',
    role: 'read',
  })
  assert.equal(created.status, 201)
  assert.deepEqual(
    [created.body.hostname, created.body.plan, created.body.defaultRole],
    ['fresh-new', 'free_2024', null],
  )
  assert.equal(created.body.permissions.admin, true)
  assert.deepEqual((await person.client.get(`/v1/orgs/${created.body.id}`)).body, created.body)

  const second = await person.client.post('/v1/orgs', { title: 'Fresh & New' })
  assert.equal(second.body.hostname, 'fresh-new-2')
  for (const [title, hostname] of [
    ['Müller Łódź Straße', 'muller-lodz-strasse'],
    ['Thiết kế Đà Nẵng', 'thiet-ke-da-nang'],
    ['Işık Çözüm', 'isik-cozum'],
    ['株式会社 Kaze', 'kaze'],
  ]) {
    assert.equal((await person.client.post('/v1/orgs', { title })).body.hostname, hostname)
  }
})

test('an organization is created with a default site and a specification if the query asks for them', async () => {
  const { client } = await anInstanceAdministrator()
  const make = (query: string) => client.post(`/v1/orgs?${query}`, { title: 'Furnished' })
  const source = 'https://127.0.0.1:1/openapi.json'

  const { status, body } = await make(`withDefaultSite=true&openapiUrl=${encodeURIComponent(source)}`)
  assert.equal(status, 201)
  assert.deepEqual((await client.get(`/v1/orgs/${body.id}`)).body, body)
  const site = (await client.get(`/v1/orgs/${body.id}/sites/${body.defaultContent.site}`)).body
  assert.deepEqual([site.title, site.published, site.siteSpaces], ['Furnished', false, 1])
  const specs = (await client.get(`/v1/orgs/${body.id}/openapi`)).body.items
  assert.deepEqual(
    specs.map((spec: any) => [spec.slug, spec.sourceURL]),
    [['api', source]],
  )

  const plain = (await make('withDefaultSite=false')).body
  assert.equal(plain.defaultContent, undefined)
  assert.equal((await client.get(`/v1/orgs/${plain.id}/sites`)).body.count, 0)
  for (const query of ['withDefaultSite=perhaps', 'openapiUrl=file:///etc/passwd', 'openapiUrl=http://a:b@c.test/'])
    assert.equal((await make(query)).status, 400, query)
})

test('instance administrators have no access to organizations that they are not members of', async () => {
  const org = await anOrganization(app)
  const person = await anInstanceAdministrator()
  assert.equal((await person.client.get(`/v1/orgs/${org.id}`)).status, 404)
  assert.equal((await person.client.patch(`/v1/orgs/${org.id}`, { title: 'Mine' })).status, 404)
})

test('the list of organizations is paged and has only those of the caller', async () => {
  const person = await anInstanceAdministrator()
  await anOrganization(app)
  for (const title of ['First', 'Second']) await person.client.post('/v1/orgs', { title })

  const first = (await person.client.get('/v1/orgs?limit=1')).body
  const second = (await person.client.get(`/v1/orgs?limit=1&page=${first.next.page}`)).body
  const titles = [...first.items, ...second.items].map((each: { title: string }) => each.title)
  assert.deepEqual([first.count, titles, second.next], [2, ['First', 'Second'], undefined])
})

test('every setting changes on its own, and null clears optional settings', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}`
  const logo = 'https://example.com/logo.png'
  const hostname = `h${newId().slice(-12)}`

  for (const changes of [{ defaultRole: 'read' }, { inviteLinks: false }, { ai: true }, { sso: true }, { hostname }]) {
    const before = (await org.admin.client.get(path)).body
    const { status, body } = await org.admin.client.patch(path, changes)
    assert.equal(status, 200)
    assert.deepEqual(body, { ...before, ...changes })
    assert.deepEqual((await org.admin.client.get(path)).body, body)
  }
  assert.equal((await org.admin.client.patch(path, { logo })).body.urls.logo, logo)
  const cleared = (await org.admin.client.patch(path, { logo: null, defaultRole: null, defaultContent: null })).body
  assert.deepEqual([cleared.urls.logo, cleared.defaultRole, cleared.defaultContent], [undefined, null, undefined])
})

test('a hostname belongs to one organization, and reserved or malformed ones are refused', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const change = (hostname: string) => org.admin.client.patch(`/v1/orgs/${org.id}`, { hostname })

  const taken = await change(other.row.hostname)
  assert.deepEqual([taken.status, taken.body.error.type], [409, 'taken'])
  assert.equal(taken.body.error.details[0].path, 'body.hostname')
  for (const bad of ['admin', 'ab', '-abc', 'abc-', 'Abc', 'a.bc', 'x'.repeat(33)]) {
    const refused = await change(bad)
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [400, 'body.hostname'], bad)
  }
  assert.equal((await change(org.row.hostname)).status, 200)
})

test('an e-mail domain belongs to one organization until that organization gives it up', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const [one, two, three] = [aDomain(), aDomain(), aDomain()].toSorted() as [string, string, string]
  const change = (who: typeof org, emailDomains: unknown) =>
    who.admin.client.patch(`/v1/orgs/${who.id}`, { emailDomains })

  assert.deepEqual((await change(org, [two, one.toUpperCase(), two])).body.emailDomains, [one, two])
  const taken = await change(other, [three, one])
  assert.deepEqual([taken.status, taken.body.error.details[0].path], [409, 'body.emailDomains'])
  assert.deepEqual((await other.admin.client.get(`/v1/orgs/${other.id}`)).body.emailDomains, [])

  // One is removed, one stays, one is added.
  await change(org, [two, three])
  assert.deepEqual((await org.admin.client.get(`/v1/orgs/${org.id}`)).body.emailDomains, [two, three])
  assert.equal((await change(other, [one])).status, 200)
  assert.deepEqual((await change(org, [])).body.emailDomains, [])
})

test('if two organizations claim the same domains at once, only one gets them', async () => {
  const [org, other] = [await anOrganization(app), await anOrganization(app)]
  const emailDomains = [aDomain(), aDomain()]
  const claim = async (who: typeof org, domains: string[]) =>
    (await who.admin.client.patch(`/v1/orgs/${who.id}`, { emailDomains: domains })).status
  const statuses = await Promise.all([claim(org, emailDomains), claim(other, emailDomains.toReversed())])
  assert.deepEqual(statuses.toSorted(), [200, 409])
})

test('bad values are refused with the name of the field and change nothing', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}`
  const before = (await org.admin.client.get(path)).body
  const refusal = async (changes: object) => {
    const answer = await org.admin.client.patch(path, { ai: true, ...changes })
    assert.equal(answer.status, 400, JSON.stringify(changes))
    return answer.body.error.details[0].path
  }

  for (const title of ['x', ' Blank', 'Blank ', 'x'.repeat(256), 5, null])
    assert.equal(await refusal({ title }), 'body.title')
  assert.equal(await refusal({ emailDomains: 'example.com' }), 'body.emailDomains')
  for (const domain of ['nodot', '@example.com', 'exa mple.com', 'example.com.', '-a.com']) {
    assert.equal(await refusal({ emailDomains: ['fine.example', domain] }), 'body.emailDomains.1')
  }
  assert.equal(await refusal({ emailDomains: Array.from({ length: 51 }, aDomain) }), 'body.emailDomains')
  assert.equal(await refusal({ defaultRole: 'owner' }), 'body.defaultRole')
  assert.equal(await refusal({ inviteLinks: 'no' }), 'body.inviteLinks')
  assert.equal(await refusal({ inviteLinks: null }), 'body.inviteLinks')
  assert.equal(await refusal({ logo: 'javascript:alert(1)' }), 'body.logo')
  assert.equal(await refusal({ logo: `https://example.com/${'x'.repeat(2048)}` }), 'body.logo')
  assert.equal(await refusal({ defaultContent: { type: 'site', site: newId() } }), 'body.defaultContent.site')
  assert.deepEqual((await org.admin.client.get(path)).body, before)
})

test('read-only and unknown fields of an organization have no effect', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}`
  const before = (await org.admin.client.get(path)).body
  const { status, body } = await org.admin.client.patch(path, {
    id: newId(),
    object: 'user',
    createdAt: '2000-01-01T00:00:00Z',
    plan: 'gold',
    type: 'community',
    urls: {},
    permissions: {},
    useCase: 'notes',
    trial: { status: 'active' },
    somethingNewer: { than: 'us' },
  })
  assert.equal(status, 200)
  assert.deepEqual(body, before)
})

test('a change of an organization with an outdated If-Match gets 412', async () => {
  const org = await anOrganization(app)
  const path = `/v1/orgs/${org.id}`
  const ifMatch = { 'if-match': (await org.admin.client.get(path)).headers.get('etag')! }
  assert.equal((await org.admin.client.patch(path, { ai: true }, ifMatch)).status, 200)
  assert.equal((await org.admin.client.patch(path, { ai: false }, ifMatch)).status, 412)
})

async function anInstanceAdministrator() {
  const person = await aPerson(app)
  await transaction(app.db, nobody, (tx) => tx.run(sql`update users set instance_admin = true where id = ${person.id}`))
  return person
}

const aDomain = () => `d${newId().slice(-12)}.example`

test('an organization can be changed while a transaction adds something to it', async () => {
  const org = await anOrganization(app)
  const changed = await transaction(app.db, nobody, async (tx) => {
    // The lock that adding anything to the organization holds until it is committed.
    await tx.run(sql`select from organizations where id = ${org.id} for key share`)
    return org.admin.client.patch(`/v1/orgs/${org.id}`, { title: `Renamed ${org.canary}` })
  })
  assert.equal(changed.status, 200, changed.text)
})
