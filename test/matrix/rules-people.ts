import { newId } from '../../src/ids.ts'
import { type Row, each, has, inside, organization, person, special } from './rules.ts'

/** Accounts, organizations, and the people in them. */
export const ofPeople: Record<string, Row> = {
  getApiInformation: { ...person(), open: true },
  ...each(['listOrganizationsForAuthenticatedUser', 'getAuthenticatedUser', 'listTokens'], person()),
  createToken: person({ body: () => ({ label: 'Matrix' }) }),
  ...each(
    ['getToken', 'revokeToken'],
    // Nobody sees the tokens of another person, whatever their role in an organization is.
    special((caller, of) => (caller.name === (of === 'own' ? 'admin' : 'foreign admin') ? 'through' : 404), {
      ids: (ids) => ({ ...ids, tokenId: ids.adminTokenId! }),
    }),
  ),
  listSessions: person(),
  // The sessions of the administrators are needed for the following operations.
  endAllSessions: person({ notFor: ({ name }) => name === 'admin' || name === 'foreign admin' }),
  ...each(
    ['getSession', 'endSession'],
    special((caller, of) => (caller.name === (of === 'own' ? 'admin' : 'foreign admin') ? 'through' : 404)),
  ),
  // Guests see no user but themselves.
  getUserById: inside('read'),
  updateUserById: special((caller, of) => (has(caller.member(of), 'read') ? 403 : 404), {
    body: () => ({ displayName: 'Matrix' }),
  }),
  getOrganizationsForEmailDomain: person({ anyId: true }),
  getSubdomain: organization('guest'),
  createOrganization: special(() => 403, { body: () => ({ title: 'Matrix' }) }),

  ...each(
    [
      'getOrganizationById',
      'updateOrganizationMemberLastSeenAt',
      'listChangeRequestsForOrganization',
      'listCollectionsInOrganizationById',
      'listSpacesInOrganizationById',
      'listDeletedSpaces',
      'listSites',
      'listOpenAPISpecs',
      'listTranslations',
      'listImportRuns',
    ],
    organization('guest'),
  ),
  searchOrganizationContent: organization('guest', { query: () => 'query=zebra' }),
  generateStorageUploadURL: organization('guest', {
    body: () => ({ file: { name: 'a.png', type: 'image/png', size: 10 }, kind: 'organization_file' }),
  }),
  updateOrganizationById: organization('admin', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ defaultContent: { type: 'site', site: ids.siteId } }],
  }),
  exportOrganization: organization('admin', { writes: true }),
  listExportRuns: organization('guest'),
  // Only the administrator, who started it, sees it.
  getExportRun: special((caller, of) => (caller.member(of) === 'admin' ? 'through' : 404)),
  ...each(
    [
      'listOrganizationAuditEvents',
      'getOrganizationAuditEvent',
      'listOrganizationAuditEventActions',
      'exportOrganizationAuditEvents',
    ],
    organization('admin'),
  ),
  // Joining requires an address of the organization's domain, and the organization has none. Members have joined
  // already.
  joinOrganization: organization('guest'),

  ...each(
    [
      'listMembersInOrganizationById',
      'getMemberInOrganizationById',
      'listSpacesForOrganizationMember',
      'listTeamsForOrganizationMember',
    ],
    organization('read'),
  ),
  updateMemberInOrganizationById: organization('admin', { body: () => ({ role: 'comment' }) }),
  ...each(
    [
      'removeMemberFromOrganizationById',
      'setUserAsSSOMemberForOrganization',
      'listTokensOfMember',
      'barTokenOfMember',
      'unbarTokenOfMember',
    ],
    organization('admin'),
  ),

  listTeamsInOrganizationById: organization('read'),
  createOrganizationTeam: organization('admin', {
    body: (ids) => ({ title: 'Matrix', members: [ids.userId] }),
    naming: (ids) => [{ title: 'Matrix', members: [ids.userId] }],
  }),
  ...each(['getTeamInOrganizationById', 'listTeamMembersInOrganizationById'], organization('read')),
  updateTeamInOrganizationById: organization('admin', { body: () => ({ title: 'Matrix' }) }),
  ...each(['removeTeamFromOrganizationById', 'deleteMemberFromOrganizationTeamById'], organization('admin')),
  updateMembersInOrganizationTeam: organization('admin', {
    body: (ids) => ({ add: [ids.userId] }),
    naming: (ids) => [{ add: [ids.userId] }, { memberships: { [ids.userId!]: 'owner' } }],
  }),
  addMemberToOrganizationTeamById: organization('admin', { body: () => ({ role: 'member' }) }),

  ...each(
    [
      'scimListUsers',
      'scimGetUser',
      'scimDeleteUser',
      'scimListGroups',
      'scimGetGroup',
      'scimDeleteGroup',
      'scimGetServiceProviderConfig',
      'scimListResourceTypes',
      'scimListSchemas',
      'scimGetMe',
    ],
    organization('admin'),
  ),
  ...each(['scimSearchUsers', 'scimSearchGroups'], organization('admin', { body: () => ({ count: 1 }) })),
  scimGetResourceType: organization('admin', { ids: (ids) => ({ ...ids, described: 'User' }) }),
  scimGetSchema: organization('admin', {
    ids: (ids) => ({ ...ids, described: 'urn:ietf:params:scim:schemas:core:2.0:Group' }),
  }),
  scimCreateUser: organization('admin', { body: () => ({ userName: `${newId()}@example.org` }) }),
  scimReplaceUser: organization('admin', { body: () => ({ userName: `${newId()}@example.org` }) }),
  scimUpdateUser: organization('admin', {
    body: () => ({ Operations: [{ op: 'replace', path: 'externalId', value: 'matrix' }] }),
  }),
  ...each(
    ['scimCreateGroup', 'scimReplaceGroup'],
    organization('admin', {
      body: (ids) => ({ displayName: 'Matrix', members: [{ value: ids.userId }] }),
      naming: (ids) => [{ displayName: 'Matrix', members: [{ value: ids.userId }] }],
    }),
  ),
  scimUpdateGroup: organization('admin', {
    body: (ids) => ({ Operations: [{ op: 'add', path: 'members', value: [{ value: ids.userId }] }] }),
    naming: (ids) => [{ Operations: [{ op: 'add', path: 'members', value: [{ value: ids.userId }] }] }],
  }),

  inviteUsersToOrganization: organization('admin', { body: () => ({ emails: [`${newId()}@example.org`] }) }),
  createOrganizationInvite: organization('admin', {
    body: () => ({ role: 'read' }),
    naming: (ids) => [
      { level: 'read', space: ids.spaceId },
      { level: 'read', collection: ids.collectionId },
    ],
  }),
  ...each(
    [
      'listOrganizationInvites',
      'listOrganizationInviteLinks',
      'getOrganizationInviteLink',
      'deleteOrganizationInviteById',
    ],
    organization('admin'),
  ),
  updateOrganizationInviteById: organization('admin', { body: () => ({ role: 'comment' }) }),
  // A secret is valid for everyone who has it. Callers who would become members by the call are not let through.
  joinOrganizationWithInvite: person({ notFor: (caller, of) => caller.member(of) === undefined }),
  acceptInvite: {
    ...person({
      body: () => ({ email: `${newId()}@example.org`, displayName: 'Newcomer' }),
      notFor: (caller, of) => caller.kind === 'person' && caller.member(of) === undefined,
    }),
    open: true,
    whole: true,
  },
}
