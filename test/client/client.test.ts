// The official client calls the operations about people: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { makeCertificate } from '../../src/saml/testing/certificate.ts'
import { startApp } from '../app.ts'
import { type TestOrganization, aPerson, anOrganization } from '../factories.ts'
import { OfficialClients, words } from './official-client.ts'

const { MemberRole, TeamMemberRole } = words
const app = await startApp()
const clients = new OfficialClients(app)

async function anOrganizationWithItsClient() {
  const org = await anOrganization(app)
  return { org, admin: clients.of(org.admin.client.token) }
}

async function aMember(org: TestOrganization) {
  const person = await org.member('read')
  return { person, client: clients.of(person.client.token) }
}

test('the official client reads and renames users and reads the version of the API', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: me } = await admin.user.getAuthenticatedUser()
  assert.equal(me.id, org.admin.id)
  assert.match((await clients.of(undefined).getApiInformation()).data.version, /^\d+\.\d+\.\d+/)

  const { person } = await aMember(org)
  assert.equal((await admin.users.getUserById(person.id)).data.displayName, person.user.display_name)
  assert.equal((await admin.users.updateUserById(me.id, { displayName: 'Ada' })).data.displayName, 'Ada')
})

test('the official client lists, reads, changes and searches organizations and finds them by domain', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: list } = await admin.orgs.listOrganizationsForAuthenticatedUser({ limit: 10 })
  assert.deepEqual([list.count, list.items.map(({ id }) => id)], [1, [org.id]])
  assert.equal((await admin.orgs.getOrganizationById(org.id)).data.title, org.row.title)

  const domain = `${org.canary}.example`
  const { data: changed } = await admin.orgs.updateOrganizationById(org.id, {
    title: `Renamed ${org.canary}`,
    emailDomains: [domain],
    defaultRole: MemberRole.Comment,
    logo: null,
    inviteLinks: true,
  })
  assert.deepEqual(
    [changed.title, changed.emailDomains, changed.defaultRole],
    [`Renamed ${org.canary}`, [domain], 'comment'],
  )

  const { data: found } = await admin.emailDomains.getOrganizationsForEmailDomain(domain)
  assert.deepEqual(
    found.organizations.map(({ id }) => id),
    [org.id],
  )
  assert.equal((await admin.subdomains.getSubdomain(org.row.hostname)).data.target.organization, org.id)
  assert.deepEqual((await admin.orgs.searchOrganizationContent(org.id, { query: 'anything' })).data.items, [])
})

test('the official client lists, reads, changes and removes members', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { person, client: theirs } = await aMember(org)
  const { data: list } = await admin.orgs.listMembersInOrganizationById(org.id, {
    role: MemberRole.Read,
    sort: 'joinedAt',
    order: 'asc',
  })
  assert.deepEqual(
    list.items.map(({ id }) => id),
    [person.id],
  )
  assert.equal((await admin.orgs.getMemberInOrganizationById(org.id, person.id)).data.role, 'read')
  assert.equal(
    (await admin.orgs.updateMemberInOrganizationById(org.id, person.id, { role: MemberRole.Edit })).data.role,
    'edit',
  )
  assert.equal((await admin.orgs.setUserAsSsoMemberForOrganization(org.id, person.id)).data.sso, true)
  assert.deepEqual((await theirs.orgs.updateOrganizationMemberLastSeenAt(org.id)).data, {})
  assert.deepEqual(
    (await admin.orgs.listSpacesForOrganizationMember(org.id, person.id, { order: 'asc' })).data.items,
    [],
  )
  await admin.orgs.removeMemberFromOrganizationById(org.id, person.id)
  assert.equal((await admin.orgs.listMembersInOrganizationById(org.id)).data.count, 1)
})

test('the official client manages teams and their members', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const [{ person: one }, { person: two }] = [await aMember(org), await aMember(org)]
  const { data: team } = await admin.orgs.createOrganizationTeam(org.id, { title: 'Writers', members: [one.id] })
  assert.deepEqual((await admin.orgs.getTeamInOrganizationById(org.id, team.id)).data, team)
  assert.deepEqual((await admin.orgs.listTeamsInOrganizationById(org.id, { title: 'wri' })).data.items, [team])
  assert.equal(
    (await admin.orgs.updateTeamInOrganizationById(org.id, team.id, { title: 'Editors' })).data.title,
    'Editors',
  )

  await admin.orgs.addMemberToOrganizationTeamById(org.id, team.id, two.id, { role: TeamMemberRole.Owner })
  await admin.orgs.updateMembersInOrganizationTeam(org.id, team.id, {
    add: [org.admin.id],
    remove: [one.id],
    memberships: { [two.id]: { role: TeamMemberRole.Member } },
  })
  const { data: members } = await admin.orgs.listTeamMembersInOrganizationById(org.id, team.id)
  assert.deepEqual(members.items.map((item) => item.organization.id).toSorted(), [org.admin.id, two.id].toSorted())
  const { data: teams } = await admin.orgs.listTeamsForOrganizationMember(org.id, two.id)
  assert.deepEqual(
    teams.items.map((item) => [item.team.title, item.member.role]),
    [['Editors', 'member']],
  )

  await admin.orgs.deleteMemberFromOrganizationTeamById(org.id, team.id, two.id)
  await admin.orgs.removeTeamFromOrganizationById(org.id, team.id)
  assert.equal((await admin.orgs.listTeamsInOrganizationById(org.id)).data.count, 0)
})

test('the official client invites by e-mail and by link, and joins an organization with a link', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: invited } = await admin.orgs.inviteUsersToOrganization(org.id, {
    emails: [`${org.canary}@example.com`, { email: `x.${org.canary}@example.com`, role: MemberRole.Read }],
    role: MemberRole.Edit,
  })
  assert.deepEqual([invited.users, invited.invited], [[], 2])

  const { data: link } = await admin.orgs.createOrganizationInvite(org.id, { role: MemberRole.Read })
  assert.deepEqual((await admin.orgs.getOrganizationInviteLink(org.id, link.id)).data, link)
  assert.deepEqual(
    (await admin.orgs.listOrganizationInviteLinks(org.id)).data.items.map(({ id }) => id),
    [link.id],
  )
  const { data: changed } = await admin.orgs.updateOrganizationInviteById(org.id, link.id, { role: MemberRole.Comment })

  const newcomer = await aPerson(app)
  const secret = (changed as { urls?: { invite: string } }).urls!.invite.split('/').at(-1)!
  await clients.of(newcomer.client.token).orgs.joinOrganizationWithInvite(org.id, secret)
  assert.equal((await admin.orgs.getMemberInOrganizationById(org.id, newcomer.id)).data.role, 'comment')
  await admin.orgs.deleteOrganizationInviteById(org.id, link.id)
})

test('the official client walks a list by its page tokens until there is no next one', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  for (let i = 0; i < 4; i++) await org.member('read')
  const seen: string[] = []
  let page: string | undefined
  do {
    const { data } = await admin.orgs.listMembersInOrganizationById(org.id, { limit: 2, page })
    seen.push(...data.items.map(({ id }) => id))
    page = data.next?.page
  } while (page)
  assert.equal(new Set(seen).size, 5)
  assert.equal(seen.length, 5)
})

test('the official client reports our refusals as its own error, with our status and message', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const refusals: [() => Promise<unknown>, number, RegExp][] = [
    [() => admin.orgs.getOrganizationById(newId()), 404, /no such organization/],
    [() => clients.of(undefined).user.getAuthenticatedUser(), 401, /token/],
    [() => admin.orgs.updateOrganizationById(org.id, { title: 'x' }), 400, /title/],
    [() => admin.orgs.removeMemberFromOrganizationById(org.id, org.admin.id), 409, /last administrator/],
  ]
  for (const [call, code, message] of refusals) {
    await assert.rejects(call, { name: 'GitBookAPIError', code, errorMessage: message })
  }
})

test('the official client manages single sign-on providers', async () => {
  const { org, admin } = await anOrganizationWithItsClient()
  const { data: created } = await admin.orgs.createOrganizationSamlProvider(org.id, {
    label: 'Company',
    entityID: 'https://idp.example',
    ssoURL: 'https://idp.example/sso',
    certificate: makeCertificate().certificate,
    defaultRole: MemberRole.Edit,
  })
  assert.equal(created.status, 'active')
  assert.equal((await admin.orgs.listSamlProvidersInOrganizationById(org.id, { limit: 5 })).data.count, 1)
  assert.deepEqual((await admin.orgs.getOrganizationSamlProviderById(org.id, created.id)).data, created)
  const { data: logins } = await admin.orgs.listSsoProviderLoginsInOrganization(org.id)
  assert.deepEqual(logins.items, [{ id: created.id, label: 'Company', startURL: created.service.startURL }])
  const changed = await admin.orgs.updateOrganizationSamlProvider(org.id, created.id, { label: 'Other' })
  assert.equal(changed.data.label, 'Other')
  assert.equal((await admin.orgs.deleteOrganizationSamlProvider(org.id, created.id)).status, 204)
})

/** Our tags of the features that are called above. A feature that is ready adds its tag here, and a test of its own. */
const features = [
  'users',
  'organizations',
  'organization-members',
  'organization-invites',
  'teams',
  'team-members',
  'subdomains',
  'sso',
]

test('every operation on people and organizations shared with the official client is called above', () => {
  const { both, missed } = clients.coverage(features)
  assert.ok(both.length > 25)
  assert.deepEqual(missed, [])
})
