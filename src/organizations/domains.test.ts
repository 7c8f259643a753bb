import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type TestOrganization, type TestPerson, aPerson, aStranger, anOrganization } from '../../test/factories.ts'
import { newId } from '../ids.ts'

const app = await startApp()

test('a person with a verified address of a domain finds its organization and joins it with the default role', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { defaultRole: 'comment' })
  const person = await aColleague(org, domain.toUpperCase())

  const found = await person.client.get(`/v1/email-domains/${domain}/orgs`)
  assert.equal(found.status, 200)
  assert.deepEqual(
    found.body.organizations.map((each: { id: string }) => each.id),
    [org.id],
  )
  assert.ok(Object.values(found.body.organizations[0].permissions).every((allowed) => allowed === false))
  assert.equal((await person.client.get(`/v1/orgs/${org.id}`)).status, 404)

  assert.equal((await person.client.post(`/v1/orgs/${org.id}/join`)).status, 204)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members/${person.id}`)).body.role, 'comment')
  const after = await person.client.get(`/v1/email-domains/${domain}/orgs`)
  const { view, listMembers } = after.body.organizations[0].permissions
  assert.deepEqual([view, listMembers], [true, true])
})

test('a member finds the organization as they see it, and a person who could join does not see its default content', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  const [member, outsider] = [await org.member('read'), await aColleague(org, domain)]
  const site = await org.admin.client.post(`/v1/orgs/${org.id}/sites`, { title: 'Site' })
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { defaultContent: { type: 'site', site: site.body.id } })
  const found = async ({ client }: TestPerson) =>
    (await client.get(`/v1/email-domains/${domain}/orgs`)).body.organizations[0]

  assert.deepEqual(await found(member), (await member.client.get(`/v1/orgs/${org.id}`)).body)
  assert.equal((await found(member)).defaultContent.site, site.body.id)
  assert.equal((await found(outsider)).defaultContent, undefined)
})

test('a person with an unverified address or one of another domain or subdomain neither finds nor joins it', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  const outsiders = [
    await aPerson(app, { email: `${newId()}@${domain}`, emailVerified: false }),
    await aPerson(app, { email: `${newId()}@sub.${domain}` }),
    await aPerson(app, { email: `${newId()}@x${domain}` }),
    await aStranger(app),
  ]
  for (const { client } of outsiders) {
    assert.deepEqual((await client.get(`/v1/email-domains/${domain}/orgs`)).body, { organizations: [] })
    const refused = await client.post(`/v1/orgs/${org.id}/join`)
    assert.equal(refused.status, 404)
    assert.deepEqual(refused.body, (await client.post(`/v1/orgs/${newId()}/join`)).body)
    assert.equal((await client.get(`/v1/orgs/${org.id}`)).status, 404)
  }
})

test('an organization without domains cannot be joined, not even with the domain of another', async () => {
  const { domain } = await anOrganizationWithDomain()
  const other = await anOrganization(app)
  const person = await aPerson(app, { email: `${newId()}@${domain}` })
  assert.equal((await person.client.post(`/v1/orgs/${other.id}/join`)).status, 404)
})

test('members find the organization by its domain whatever their own address is, and an unknown domain has none', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  const guest = await org.member(null)
  for (const { client } of [org.admin, guest]) {
    const { body } = await client.get(`/v1/email-domains/${domain.toUpperCase()}/orgs`)
    assert.deepEqual(
      body.organizations.map((each: { id: string }) => each.id),
      [org.id],
    )
  }
  for (const unknown of ['nobody.example', 'not a domain', '%25', newId()]) {
    const { status, body } = await org.admin.client.get(`/v1/email-domains/${encodeURIComponent(unknown)}/orgs`)
    assert.deepEqual([status, body], [200, { organizations: [] }])
  }
})

test('joining again changes nothing, not even for a member who did not join by the domain', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { defaultRole: 'read' })
  const person = await aColleague(org, domain)
  await Promise.all([1, 2, 3].map(() => person.client.post(`/v1/orgs/${org.id}/join`)))
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${person.id}`, { role: 'edit' })

  assert.equal((await person.client.post(`/v1/orgs/${org.id}/join`)).status, 204)
  assert.equal((await org.admin.client.post(`/v1/orgs/${org.id}/join`)).status, 204)
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members/${person.id}`)).body.role, 'edit')
  assert.equal((await org.admin.client.get(`/v1/orgs/${org.id}/members`)).body.count, 2)
})

test('a disabled member and a barred token cannot join again by the domain', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  const [disabled, barred] = [await aColleague(org, domain), await aColleague(org, domain)]
  for (const { client } of [disabled, barred]) await client.post(`/v1/orgs/${org.id}/join`)
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${disabled.id}`, { disabled: true })
  await bar(org, barred)

  for (const { client } of [disabled, barred]) {
    assert.equal((await client.post(`/v1/orgs/${org.id}/join`)).status, 404)
    assert.deepEqual((await client.get(`/v1/email-domains/${domain}/orgs`)).body, { organizations: [] })
    assert.equal((await client.get(`/v1/subdomains/${org.row.hostname}`)).status, 404)
    assert.equal((await client.get(`/v1/orgs/${org.id}`)).status, 404)
  }
})

test('an organization that enforces single sign-on cannot be joined by domain, by newcomers or removed members', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  const [former, newcomer] = [await aColleague(org, domain), await aColleague(org, domain)]
  await former.client.post(`/v1/orgs/${org.id}/join`)
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: true })
  // A member who is not marked for single sign-on stays in.
  assert.equal((await former.client.get(`/v1/email-domains/${domain}/orgs`)).body.organizations[0].id, org.id)
  await org.admin.client.delete(`/v1/orgs/${org.id}/members/${former.id}`)

  for (const { client } of [former, newcomer]) {
    assert.equal((await client.post(`/v1/orgs/${org.id}/join`)).status, 404)
    assert.deepEqual((await client.get(`/v1/email-domains/${domain}/orgs`)).body, { organizations: [] })
  }
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { sso: false })
  assert.equal((await newcomer.client.post(`/v1/orgs/${org.id}/join`)).status, 204)
})

test('joining needs a token without restricted scopes', async () => {
  const { org, domain } = await anOrganizationWithDomain()
  const person = await aColleague(org, domain)
  const { body } = await person.client.post('/v1/user/tokens', { label: 'Narrow', scopes: ['organization:write'] })
  assert.equal((await app.client(body.token).post(`/v1/orgs/${org.id}/join`)).status, 403)
})

test('only members can look up the subdomain of an organization', async () => {
  const org = await anOrganization(app)
  const guest = await org.member(null)
  const stranger = await aStranger(app)
  const path = `/v1/subdomains/${org.row.hostname}`

  assert.deepEqual((await guest.client.get(path)).body, {
    object: 'subdomain',
    subdomain: org.row.hostname,
    target: { type: 'organization', organization: org.id },
    isActive: true,
  })
  const foreign = await stranger.client.get(path)
  assert.equal(foreign.status, 404)
  assert.deepEqual(foreign.body, (await stranger.client.get('/v1/subdomains/no-such-subdomain')).body)
  assert.equal((await app.client().get(path)).status, 401)
})

async function anOrganizationWithDomain() {
  const org = await anOrganization(app)
  const domain = `d${newId().slice(-12)}.example`
  const { status } = await org.admin.client.patch(`/v1/orgs/${org.id}`, { emailDomains: [domain] })
  assert.equal(status, 200)
  return { org, domain }
}

/** A person who could join with their own address. */
const aColleague = (org: TestOrganization, domain: string) =>
  aPerson(app, { canary: org.canary, email: `${newId()}@${domain}` })

async function bar(org: TestOrganization, person: TestPerson) {
  const path = `/v1/orgs/${org.id}/members/${person.id}/tokens`
  const { body } = await org.admin.client.get(path)
  for (const token of body.items) await org.admin.client.put(`${path}/${token.id}/bar`)
}
