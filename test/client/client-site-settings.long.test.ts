// The official client calls the operations about the settings of sites: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { idsOf, newPage } from '../editing.ts'
import { bold, regular } from '../fonts.ts'
import { OfficialClients, words } from './official-client.ts'
import { aSite } from '../sites.ts'

const app = await startApp()
const clients = new OfficialClients(app)

async function setUp() {
  const site = await aSite(app)
  const [page] = idsOf(await site.space.edit(newPage('Guide'))) as [string]
  const { orgs, customHostnames } = clients.of(site.who.token)
  return { site, page, ids: [site.org.id, site.id] as const, orgs, customHostnames }
}

test('the official client manages share links and publishing auth', async () => {
  const { ids, orgs } = await setUp()
  const { data: link } = await orgs.createSiteShareLink(...ids, { name: 'Partners' })
  assert.deepEqual((await orgs.listSiteShareLinks(...ids, { limit: 10 })).data.items, [link])
  const { data: off } = await orgs.updateSiteShareLinkById(...ids, link.id, { active: false })
  assert.equal(off.active, false)
  await orgs.deleteSiteShareLinkById(...ids, link.id)

  const { data: auth } = await orgs.getSitePublishingAuthById(...ids)
  const fallbackURL = 'https://login.example.com/'
  const { data: changed } = await orgs.updateSitePublishingAuthById(...ids, { backend: 'custom', fallbackURL })
  assert.deepEqual(changed, { ...auth, fallbackURL })
  const { data: regenerated } = await orgs.regenerateSitePublishingAuthById(...ids)
  assert.notEqual(regenerated.privateKey, auth.privateKey)
})

test('the official client reads and removes a custom hostname', async () => {
  const { site, ids, customHostnames } = await setUp()
  const hostname = `h${ids[1]}.example.com`
  await site.who.patch(site.path, { hostname })
  const { data } = await customHostnames.getCustomHostname(hostname)
  assert.deepEqual([data.hostname, data.target, data.isActive], [hostname, { type: 'site', site: ids[1] }, false])
  await customHostnames.removeCustomHostname(hostname)
  await assert.rejects(customHostnames.getCustomHostname(hostname), /There is no such custom hostname/)
})

test('the official client manages fonts of an organization, from the upload to the look of a site', async () => {
  const { site, ids, orgs } = await setUp()
  const [organizationId] = ids
  const kind = words.StorageUploadKind.CustomizationFont
  const sent = async (bytes: Buffer<ArrayBuffer>) => {
    const file = { name: 'acme.woff2', type: 'font/woff2', size: bytes.length }
    const { data } = await orgs.generateStorageUploadUrl(organizationId, { file, kind })
    const { pathname, search } = new URL(data.url)
    assert.equal((await fetch(app.url + pathname + search, { method: 'PUT', body: bytes })).status, 200)
    return data.key
  }
  const fontFaces = [{ weight: 400, storageKey: await sent(regular) }]
  const { data: font } = await orgs.createCustomFont(organizationId, { fontFamily: 'Acme', fontFaces })
  assert.deepEqual((await orgs.listCustomFonts(organizationId)).data.items, [font])
  assert.deepEqual((await orgs.getCustomFont(organizationId, font.id)).data, font)
  const more = [{ weight: 700, storageKey: await sent(bold) }]
  const { data: changed } = await orgs.updateCustomFont(organizationId, font.id, { fontFaces: more })
  assert.deepEqual(
    changed.fontFaces.map(({ weight }) => weight),
    [400, 700],
  )
  const { data: look } = await orgs.getSiteCustomizationById(...ids)
  const { data: set } = await orgs.updateSiteCustomizationById(...ids, {
    ...look,
    styling: { ...look.styling, font: changed },
  })
  const { id, custom, fontFamily, fontFaces: faces } = changed
  assert.deepEqual(set.styling.font, { id, custom, fontFamily, fontFaces: faces })
  await orgs.updateSiteCustomizationById(...ids, look)
  await orgs.deleteCustomFont(organizationId, font.id)
  assert.equal((await site.who.get(`/v1/orgs/${organizationId}/fonts/${font.id}`)).status, 404)
})

test('the official client reads and updates the adaptive schema', async () => {
  const { ids, orgs } = await setUp()
  await orgs.getSiteAdaptiveSchema(...ids)
  const { data: schema } = await orgs.updateSiteAdaptiveSchema(...ids, {
    jsonSchema: {
      type: 'object',
      properties: {
        unsigned: {
          type: 'object',
          description: 'Unsigned claims of the site visitor.',
          properties: { beta: { type: 'boolean', description: 'Wants what is new' } },
          additionalProperties: false,
        },
        plan: { type: 'string', description: 'What they pay for', enum: ['free', 'pro'] },
      },
      additionalProperties: false,
    },
  })
  assert.deepEqual((await orgs.getSiteAdaptiveSchema(...ids)).data, schema)
  assert.equal((await orgs.listSiteAdaptiveTemplateConditions(...ids)).data.items.length, 4)
})

test('the official client changes the look of a site, and overrides and resets it for a space in it', async () => {
  const { site, page, ids, orgs } = await setUp()
  const { data: look } = await orgs.getSiteCustomizationById(...ids)
  const { data: set } = await orgs.updateSiteCustomizationById(...ids, {
    ...look,
    title: 'Handbook',
    header: { ...look.header, links: [{ title: 'Guide', to: { kind: 'page', page }, links: [] }] },
  })
  assert.deepEqual(set.header.links[0]!.to, { kind: 'page', page, space: site.space.id })
  const { data: own } = await orgs.overrideSiteSpaceCustomizationById(...ids, site.siteSpaceId, {
    styling: { theme: words.CustomizationTheme.Bold, corners: null },
  })
  assert.deepEqual((await orgs.getSiteSpaceCustomizationById(...ids, site.siteSpaceId)).data, own)
  await orgs.deleteSiteSpaceCustomizationById(...ids, site.siteSpaceId)
  assert.equal((await orgs.getSiteSpaceCustomizationById(...ids, site.siteSpaceId)).data.styling.theme, 'clean')
})

test('the official client creates, lists, changes, finds and deletes redirects', async () => {
  const { site, page, ids, orgs } = await setUp()
  const destination = { kind: 'site-page' as const, siteSpaceId: site.siteSpaceId, pageId: page }
  const { data: made } = await orgs.createSiteRedirect(...ids, { source: '/old', destination })
  assert.deepEqual((await orgs.listSiteRedirects(...ids)).data.items, [made])
  const { data: moved } = await orgs.updateSiteRedirectById(...ids, made.id, { source: '/older' })
  const { data: found } = await orgs.getSiteRedirectBySource(...ids, { source: '/older' })
  assert.deepEqual(found.redirect, moved)
  await orgs.deleteSiteRedirectById(...ids, made.id)
})

test('the official client lists the people with access to a site', async () => {
  const { site, ids, orgs } = await setUp()
  const { data } = await orgs.listPermissionsAggregateInSite(...ids)
  assert.deepEqual(
    data.items.map(({ user, permission }) => [user.id, permission]),
    [[site.org.admin.id, 'admin']],
  )
})

const features = [
  'site-share-links',
  'custom-hostnames',
  'site-publishing-auth',
  'site-customization',
  'site-redirects',
  'site-permissions',
]

test('every site setting operation shared with the official client is called above', () => {
  const { both, missed } = clients.coverage(features)
  assert.ok(both.length > 15)
  assert.deepEqual(missed, [])
})
