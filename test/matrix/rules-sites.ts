import type { Ids } from './belongings.ts'
import { type Row, each, special, thing, has } from './rules.ts'

const destination = { kind: 'external', url: 'https://example.com' }

const destinations = (ids: Ids) => [
  { kind: 'site-section', siteSectionId: ids.siteSectionId },
  { kind: 'site-space', siteSpaceId: ids.siteSpaceId },
]

/** Sites. Adding a space to a site requires the role on both. */
export const ofSites: Record<string, Row> = {
  ...each(
    [
      'getSiteById',
      'getSiteAdaptiveSchema',
      'listSiteAdaptiveTemplateConditions',
      'getSiteCustomizationById',
      'getSiteSpaceCustomizationById',
      'getPublishedContentSite',
      'listSiteRedirects',
      'listSiteSectionGroups',
      'listSiteSections',
      'listSiteSpaces',
      'getSiteStructure',
    ],
    thing('read'),
  ),
  getSiteRedirectBySource: thing('read', { query: () => 'source=%2Fold' }),
  searchSiteContent: thing('read', { body: () => ({ query: 'zebra' }), readers: true }),

  updateSiteById: thing('create', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ defaultSiteSpace: ids.siteSpaceId }, { defaultSiteSection: ids.siteSectionId }],
  }),
  ...each(
    ['deleteSiteById', 'publishSite', 'regenerateSitePublishingAuthById', 'getSitePublishingAuthById'],
    thing('create'),
  ),
  unpublishSite: thing('create', {
    after: ({ who, own }) => who.post(`/v1/orgs/${own.organizationId}/sites/${own.siteId}/publish`),
  }),
  getSitePublishingPreviewById: thing('create'),
  updateSitePublishingAuthById: thing('create', { body: () => ({ backend: 'custom' }) }),
  updateSiteAdaptiveSchema: thing('create', { body: () => ({ jsonSchema: { type: 'object', properties: {} } }) }),
  updateSiteCustomizationById: thing('create', { body: () => ({}) }),
  overrideSiteSpaceCustomizationById: thing('create', { body: () => ({}) }),
  deleteSiteSpaceCustomizationById: thing('create'),

  inviteToSite: thing('create', {
    body: (ids) => ({ role: 'read', users: [ids.userId] }),
    naming: (ids) => [
      { role: 'read', users: [ids.userId] },
      { role: 'read', teams: [ids.teamId] },
    ],
  }),
  ...each(
    [
      'listPermissionsAggregateInSite',
      'listTeamPermissionsInSite',
      'listUserPermissionsInSite',
      'removeTeamFromSite',
      'removeUserFromSite',
    ],
    thing('create'),
  ),
  ...each(
    ['updateTeamPermissionInSite', 'updateUserPermissionInSite'],
    thing('create', { body: () => ({ role: 'read' }) }),
  ),

  createSiteRedirect: thing('create', {
    body: () => ({ source: '/new', destination }),
    ok: [409],
    naming: (ids) => destinations(ids).map((each) => ({ source: '/named', destination: each })),
  }),
  bulkUpsertSiteRedirects: thing('create', { body: () => ({ redirects: [{ source: '/bulk', destination }] }) }),
  updateSiteRedirectById: thing('create', {
    body: () => ({ destination }),
    naming: (ids) => destinations(ids).map((each) => ({ destination: each })),
  }),
  deleteSiteRedirectById: thing('create'),

  ...each(['listSitePictures', 'deleteSitePictureById'], thing('create')),
  createSitePicture: thing('create', {
    body: (ids) => ({ key: ids.uploadKey }),
    // A key can be used for one picture only.
    ok: [400],
    naming: (ids) => [{ key: ids.uploadKey }],
  }),

  ...each(['listSiteShareLinks', 'deleteSiteShareLinkById'], thing('create')),
  ...each(
    ['listSiteInsightsDays', 'listSiteInsightsPages', 'listSiteInsightsSearches', 'listSiteInsightsMissing'],
    thing('create'),
  ),
  ...each(['listSiteInsightsRatings', 'listSiteInsightsRemarks', 'deleteSiteInsightsRemarkById'], thing('create')),
  createSiteShareLink: thing('create', { body: () => ({ name: 'Matrix' }) }),
  updateSiteShareLinkById: thing('create', { body: () => ({ name: 'Matrix' }) }),

  // A hostname exists only for callers who may give it away.
  ...each(
    ['getCustomHostname', 'removeCustomHostname'],
    special((caller, of) => (has(caller.on(of), 'create') ? 'through' : 404), {
      after: ({ who, own }) =>
        who.patch(`/v1/orgs/${own.organizationId}/sites/${own.siteId}`, { hostname: own.hostname }),
    }),
  ),

  addSectionGroupToSite: thing('create', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ title: 'Matrix', sections: [ids.otherSectionId] }],
  }),
  updateSiteSectionGroupById: thing('create', { body: () => ({ title: 'Matrix' }) }),
  ...each(['deleteSiteSectionGroupById', 'removeSectionFromGroup'], thing('create')),
  moveSiteSectionGroup: thing('create', {
    body: (ids) => ({ position: { before: { type: 'site-section', id: ids.otherSectionId } } }),
    ok: [400],
  }),
  addSectionToGroup: thing('create', {
    body: (ids) => ({ sectionId: ids.otherSectionId }),
    ok: [409],
    naming: (ids) => [{ sectionId: ids.otherSectionId }],
  }),

  addExternalLinkToSite: thing('create', {
    body: () => ({ title: 'Matrix', url: 'https://example.com' }),
    naming: (ids) => [{ title: 'Matrix', url: 'https://example.com', parent: ids.siteSectionGroupId }],
  }),
  updateSiteExternalLinkById: thing('create', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ parent: ids.siteSectionGroupId }],
  }),
  deleteSiteExternalLinkById: thing('create'),
  duplicateSiteSpace: thing('create', { body: () => ({ draft: true }), ok: [403] }),

  ...each(
    ['addSectionToSite', 'addSpaceToSite'],
    special(
      (caller, of) => {
        const role = caller.on(of)
        if (!has(role, 'read')) return 404
        return has(role, 'create') ? 'through' : 403
      },
      {
        body: (ids) => ({ spaceId: ids.thirdSpaceId }),
        ok: [400, 409],
        naming: (ids) => [{ spaceId: ids.thirdSpaceId }, { spaceId: ids.spaceId }],
      },
    ),
  ),
  updateSiteSectionById: thing('create', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ defaultSiteSpace: ids.siteSpaceId }],
  }),
  deleteSiteSectionById: thing('create'),
  moveSiteSection: thing('create', {
    body: (ids) => ({ position: { before: { type: 'site-section', siteSection: ids.otherSectionId } } }),
    ok: [400, 409],
  }),
  updateSiteSpaceById: thing('create', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ spaceId: ids.spaceId }],
  }),
  deleteSiteSpaceById: thing('create'),
  moveSiteSpace: thing('create', {
    body: (ids) => ({ position: { before: { type: 'site-space', siteSpace: ids.otherSiteSpaceId } } }),
    ok: [400, 409],
  }),
  sortSiteStructure: thing('create', {
    body: (ids) => ({
      item: { type: 'site-section', id: ids.otherSectionId },
      position: { before: { type: 'site-section-group', id: ids.siteSectionGroupId } },
    }),
    ok: [400, 409],
  }),
}
