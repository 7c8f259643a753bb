// The official client builds a site: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { aSpace } from '../content.ts'
import { anOrganization } from '../factories.ts'
import { OfficialClients, words } from './official-client.ts'

const { SiteVisibility } = words
const app = await startApp()
const clients = new OfficialClients(app)

async function setUp() {
  const org = await anOrganization(app)
  const who = org.admin.client
  const { orgs } = clients.of(who.token)
  const spaces: string[] = []
  for (const title of ['One', 'Two', 'Three', 'Four']) spaces.push((await aSpace(who, org.id, { title })).id)
  const { data: site } = await orgs.createSite(org.id, { title: 'Docs', spaces: spaces.slice(0, 2) })
  return { org, orgs, site, spaces: spaces as [string, string, string, string], ids: [org.id, site.id] as const }
}

test('the official client creates, lists, changes, publishes, unpublishes and deletes sites', async () => {
  const { org, orgs, site, spaces, ids } = await setUp()
  assert.deepEqual((await orgs.listSites(org.id, { space: spaces[0], title: 'doc', published: false })).data.items, [
    site,
  ])
  assert.deepEqual((await orgs.getSiteById(...ids)).data, site)
  const { data: changed } = await orgs.updateSiteById(...ids, {
    visibility: SiteVisibility.Unlisted,
    adaptiveContent: { enabled: true },
    proxy: 'company.com/docs',
  })
  assert.equal(changed.proxy?.origin, 'company.com/docs')
  const { data: live } = await orgs.publishSite(...ids)
  assert.ok('published' in live && live.published)
  const { data: published } = await orgs.getPublishedContentSite(...ids)
  assert.deepEqual(
    [published.site.urls.published, published.structure.type],
    ['https://company.com/docs/', 'siteSpaces'],
  )
  await orgs.unpublishSite(...ids)
  await orgs.updateOrganizationById(org.id, { defaultContent: { type: 'site', site: site.id } })
  await orgs.deleteSiteById(...ids)
  assert.equal((await orgs.listSites(org.id)).data.count, 0)
})

test('the official client adds, changes, moves and removes spaces of a site', async () => {
  const { orgs, spaces, ids } = await setUp()
  const { data: added } = await orgs.addSpaceToSite(...ids, { spaceId: spaces[2] })
  const { data: changed } = await orgs.updateSiteSpaceById(...ids, added.id, {
    path: 'v3',
    condition: 'visitor.claims.a',
  })
  assert.deepEqual([changed.path, changed.condition, changed.default], ['v3', 'visitor.claims.a', false])
  const { data: list } = await orgs.listSiteSpaces(...ids, { default: false })
  await orgs.moveSiteSpace(...ids, added.id, {
    position: { before: { type: 'site-space', siteSpace: list.items[0]!.id } },
  })
  const { data: structure } = await orgs.getSiteStructure(...ids)
  assert.deepEqual(
    structure.structure.map(({ title }) => title),
    ['One', 'Three', 'Two'],
  )
  await orgs.deleteSiteSpaceById(...ids, added.id)
})

test('the official client adds, changes, sorts and removes sections and section groups', async () => {
  const { orgs, spaces, ids } = await setUp()
  const { data: section } = await orgs.addSectionToSite(...ids, { spaceId: spaces[2], title: 'API', icon: null })
  const { data: other } = await orgs.addSectionToSite(...ids, { spaceId: spaces[3] })
  const { data: changed } = await orgs.updateSiteSectionById(...ids, section.id, {
    description: 'All of it',
    icon: 'gear',
  })
  assert.deepEqual([changed.description, changed.icon, changed.path], ['All of it', 'gear', 'api'])
  await orgs.moveSiteSection(...ids, other.id, {
    position: { before: { type: 'site-section', siteSection: section.id } },
  })
  assert.deepEqual(
    (await orgs.listSiteSections(...ids, { limit: 10 })).data.items.map(({ title }) => title),
    ['Docs', 'Four', 'API'],
  )

  const { data: group } = await orgs.addSectionGroupToSite(...ids, { title: 'More', sections: [section.id] })
  const { data: filled } = await orgs.addSectionToGroup(...ids, group.id, { sectionId: other.id })
  assert.equal(filled.sections.length, 2)
  assert.equal((await orgs.updateSiteSectionGroupById(...ids, group.id, { title: 'Less' })).data.title, 'Less')
  await orgs.moveSiteSectionGroup(...ids, group.id, {})
  await orgs.sortSiteStructure(...ids, {
    item: { type: 'site-section', id: other.id },
    position: { before: { type: 'site-section', id: section.id } },
  })
  await orgs.removeSectionFromGroup(...ids, group.id, section.id)
  assert.equal((await orgs.listSiteSectionGroups(...ids)).data.items[0]!.sections.length, 1)
  await orgs.getSiteStructure(...ids)
  await orgs.getPublishedContentSite(...ids)
  await orgs.deleteSiteSectionGroupById(...ids, group.id)
  await orgs.deleteSiteSectionById(...ids, section.id)
})

/** Called in the tests of the settings of sites, and of what readers get. */
const elsewhere = [
  'getSiteAdaptiveSchema',
  'updateSiteAdaptiveSchema',
  'listSiteAdaptiveTemplateConditions',
  'searchSiteContent',
  'getSitePublishingPreviewById',
]

test('every site operation shared with the official client is called above or in the tests of settings and published sites', () => {
  const { both, missed } = clients.coverage(['sites', 'site-sections', 'site-section-groups', 'site-spaces'])
  assert.ok(both.length > 20)
  assert.deepEqual(
    missed.filter((id) => !elsewhere.includes(id)),
    [],
  )
})
