import { newId } from '../../src/ids.ts'
import type { Ids } from './belongings.ts'
import { type Row, each, inside, organization, person, special, thing } from './rules.ts'

const website = { type: 'website', url: 'http://127.0.0.1:1/' }

const translating = (ids: Ids) => [
  { title: 'Matrix', source: { space: ids.spaceId, language: 'en' } },
  { title: 'Matrix', variants: [{ space: ids.spaceId, language: 'fr' }] },
]

const fontOf = (storageKey: string) => ({ fontFamily: 'Matrix', fontFaces: [{ weight: 400, storageKey }] })

/** What belongs to an organization as a whole. */
export const ofOrganizations: Record<string, Row> = {
  ...each(
    [
      'listWebhooks',
      'getWebhook',
      'deleteWebhook',
      'listWebhookDeliveries',
      'getWebhookDelivery',
      'testWebhook',
      'rotateWebhookSecret',
    ],
    organization('admin'),
  ),
  replayWebhookDelivery: organization('admin', { ok: [409] }),
  createWebhook: organization('admin', { body: () => ({ url: 'http://127.0.0.1:1/', active: false }) }),
  ...each(
    ['listSAMLProvidersInOrganizationById', 'getOrganizationSAMLProviderById', 'deleteOrganizationSAMLProvider'],
    organization('admin'),
  ),
  ...each(
    ['createOrganizationSAMLProvider', 'updateOrganizationSAMLProvider'],
    organization('admin', {
      body: () => ({ label: 'Matrix' }),
      naming: (ids) => [{ label: 'Matrix', defaultTeam: ids.teamId }],
    }),
  ),
  createOrganizationSAMLProviderKey: organization('admin', { ok: [409] }),
  deleteOrganizationSAMLProviderKey: organization('admin'),
  listSSOProviderLoginsInOrganization: organization('guest'),
  updateWebhook: organization('admin', { body: () => ({ title: 'Matrix' }) }),

  ...each(
    [
      'getOpenAPISpecBySlug',
      'listOpenAPISpecVersions',
      'getOpenAPISpecVersionById',
      'getOpenAPISpecVersionContentById',
      'getLatestOpenAPISpecVersion',
      'getLatestOpenAPISpecVersionContent',
      'getLatestOpenAPISpecVersionContentRaw',
    ],
    inside('read'),
  ),
  createOpenAPISpec: organization('create', {
    body: () => ({ slug: `s-${newId()}`, source: { text: '{"openapi":"3.1.0"}' } }),
  }),
  createOrUpdateOpenAPISpecBySlug: organization('create', {
    body: () => ({ source: { text: '{"openapi":"3.1.0"}' } }),
    creates: true,
  }),
  updateOpenAPISpecBySlug: inside('create', { body: () => ({ visibility: 'private' }) }),
  deleteOpenAPISpecBySlug: inside('create'),

  ...each(['listCustomFonts', 'getCustomFont'], organization('guest')),
  createCustomFont: organization('create', {
    body: (ids) => fontOf(ids.fontKey!),
    // A key can be used for one font only.
    ok: [400],
    naming: (ids) => [fontOf(ids.fontKey!)],
  }),
  updateCustomFont: organization('create', {
    body: () => ({ fontFamily: 'Matrix' }),
    naming: (ids) => [{ fontFaces: [{ weight: 700, storageKey: ids.fontKey }] }],
  }),
  deleteCustomFont: organization('create'),

  ...each(['getTranslation', 'getTranslationStatus'], inside('read')),
  createTranslation: organization('create', { body: () => ({ title: 'Matrix' }), naming: translating }),
  updateTranslation: inside('create', { body: () => ({ title: 'Matrix' }), naming: translating }),
  deleteTranslation: inside('create'),

  // The role on the space that is imported into decides.
  startImportRun: thing('edit', {
    body: (ids) => ({ source: website, target: { space: ids.spaceId } }),
    naming: (ids) => [{ source: website, target: { space: ids.spaceId } }],
  }),
  getImportRun: thing('read'),
  cancelImportRun: thing('edit', { ok: [400, 409] }),

  getContentByUrl: thing('read', {
    query: (ids) => `url=${encodeURIComponent(`http://lectern.test/app/o/${ids.organizationId}/s/${ids.spaceId}`)}`,
  }),
  getEmbedByUrl: person({ query: () => 'url=https%3A%2F%2Fexample.org%2F' }),
  // A visitor without the share key does not find the site.
  getPublishedContentByUrl: special(() => 404, {
    query: (ids) => `url=${encodeURIComponent(`http://lectern.test/sites/${ids.subdomain}/${ids.basename}/`)}`,
  }),
  resolvePublishedContentByUrl: special(() => 404, {
    body: (ids) => ({ url: `http://lectern.test/sites/${ids.subdomain}/${ids.basename}/` }),
  }),

  createCollection: organization('create', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ title: 'Matrix', parent: ids.collectionId }],
  }),
  createSpace: organization('create', {
    body: () => ({ title: 'Matrix', empty: true }),
    naming: (ids) => [{ title: 'Matrix', parent: ids.collectionId }],
  }),
  createSite: organization('create', {
    body: () => ({ title: 'Matrix' }),
    naming: (ids) => [{ title: 'Matrix', spaces: [ids.spaceId] }],
  }),
}
