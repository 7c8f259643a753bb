import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { type TestOrganization, type TestPerson, aPerson, anOrganization } from '../../test/factories.ts'
import { inviting } from '../../test/invites.ts'

const app = await startApp()
const { secretOf, invite, anEmailInvite, aLink, roleOf } = inviting(app)

const accept = ({ client }: TestPerson, secret: string) => client.post(`/v1/invites/${secret}/accept`, {})

/** A link to a new space. */
async function aLinkToContent(org: TestOrganization) {
  const space = await aSpace(org.admin.client, org.id)
  const made = await org.admin.client.post(`/v1/orgs/${org.id}/link-invites`, { level: 'comment', space: space.id })
  return { space, secret: secretOf(made.body.urls.invite) }
}

/** A guest who can see one space of the organization. */
async function aGuestOfASpace(org: TestOrganization) {
  const { space, secret } = await aLinkToContent(org)
  const guest = await aPerson(app, { canary: org.canary })
  assert.equal((await accept(guest, secret)).status, 200)
  assert.equal(await roleOf(org, guest.id), null)
  return { space, guest }
}

const inviteAs = async (org: TestOrganization, person: TestPerson, role: string | null) =>
  (await invite(org, { emails: [person.user.email], role })).body

test('a guest who accepts an invite to the organization gets its role and keeps their content roles', async () => {
  const org = await anOrganization(app)
  const [byLink, byAddress] = [await aGuestOfASpace(org), await aGuestOfASpace(org)]
  const link = await aLink(org, 'read')
  const { invites } = await inviteAs(org, byAddress.guest, 'read')

  for (const [{ guest, space }, secret] of [
    [byLink, link.secret],
    [byAddress, secretOf(invites[0].url)],
  ] as const) {
    assert.equal((await accept(guest, secret)).status, 200)
    assert.equal(await roleOf(org, guest.id), 'read')
    assert.equal((await guest.client.get(`/v1/spaces/${space.id}`)).body.permissions.comment, true)
  }
})

test('a guest can be invited by address to a role, but not to be a guest again', async () => {
  const org = await anOrganization(app)
  const { guest } = await aGuestOfASpace(org)
  assert.equal((await inviteAs(org, guest, null)).invited, 0)
  assert.equal((await inviteAs(org, guest, 'edit')).invited, 1)

  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${guest.id}`, { disabled: true })
  assert.equal((await inviteAs(org, guest, 'edit')).invited, 0, 'whoever is disabled could not accept it')
  await accept(guest, (await aLink(org, 'edit')).secret)
  await org.admin.client.patch(`/v1/orgs/${org.id}/members/${guest.id}`, { disabled: false })
  assert.equal(await roleOf(org, guest.id), null, 'a link gave a role to somebody who was shut out')
})

test('an invite by address still works for a person who became a guest in another way', async () => {
  const org = await anOrganization(app)
  const domain = `${org.canary}.example`
  await org.admin.client.patch(`/v1/orgs/${org.id}`, { emailDomains: [domain], defaultRole: null })
  const { secret } = await aLinkToContent(org)
  const ways: ((person: TestPerson) => Promise<{ status: number }>)[] = [
    (person) => accept(person, secret),
    (person) => person.client.post(`/v1/orgs/${org.id}/join`),
  ]
  for (const [i, join] of ways.entries()) {
    const person = await aPerson(app, { canary: org.canary, email: `person-${i}@${domain}` })
    const { invites } = await inviteAs(org, person, 'edit')
    assert.ok((await join(person)).status < 300)
    assert.equal(await roleOf(org, person.id), null)

    assert.equal((await accept(person, secretOf(invites[0].url))).status, 200)
    assert.equal(await roleOf(org, person.id), 'edit')
    assert.equal((await accept(person, secretOf(invites[0].url))).status, 404, 'it works once')
  }
})

test('a guest who was removed or has left cannot come back with an open invite', async () => {
  const org = await anOrganization(app)
  const { secret } = await aLinkToContent(org)
  const [removed, gone] = [await aPerson(app, { canary: org.canary }), await aPerson(app, { canary: org.canary })]
  for (const [person, by] of [
    [removed, org.admin],
    [gone, gone],
  ] as const) {
    const open = await anEmailInvite(org, person.user.email)
    await accept(person, secret)
    assert.equal((await by.client.delete(`/v1/orgs/${org.id}/members/${person.id}`)).status, 204)
    assert.equal((await accept(person, open)).status, 404)
    assert.equal(await roleOf(org, person.id), undefined)
  }
})
