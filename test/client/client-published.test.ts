// The official client reads a published site: see official-client.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../app.ts'
import { newPage } from '../editing.ts'
import { OfficialClients } from './official-client.ts'
import { aSite, inSeconds, signToken } from '../visitor.ts'

const app = await startApp()
const clients = new OfficialClients(app)
const main = 'http://lectern.test'

test('the official client resolves addresses of a site, of the app and of embeds', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('Guide')] })
  const { urls } = clients.of(site.who.token)
  const { data: content } = await urls.resolvePublishedContentByUrl({ url: `${main}${site.address}guide` })
  assert.ok('site' in content)
  assert.deepEqual([content.site, content.pathname], [site.id, '/guide'])
  const { data: moved } = await urls.getPublishedContentByUrl({ url: `${main}${site.address}welcome` })
  assert.ok('redirect' in moved)
  assert.equal(moved.redirect, main + site.address)

  const { orgs } = clients.of(site.who.token)
  const { data: auth } = await orgs.getSitePublishingAuthById(site.org.id, site.id)
  const jwtToken = signToken(auth.privateKey, { plan: 'pro', exp: inSeconds(60) })
  await urls.resolvePublishedContentByUrl({
    url: main + site.address,
    visitor: { jwtToken, unsignedClaims: { language: 'de' } },
    redirectOnError: true,
  })

  const url = `${main}/app/o/${site.org.id}/s/${site.space.id}/guide`
  const { data: found } = await urls.getContentByUrl({ url })
  assert.ok('space' in found && found.page?.title === 'Guide')

  const { data: embed } = await urls.getEmbedByUrl({ url: 'https://www.example.org/a' })
  const { spaces } = clients.of(site.who.token)
  assert.deepEqual((await spaces.getEmbedByUrlInSpace(site.space.id, { url: 'https://www.example.org/a' })).data, embed)
  assert.deepEqual(embed, { type: 'link', title: 'https://www.example.org/a', site: 'example.org' })
})

test('the official client reads and searches a site with a content token', async () => {
  const site = await aSite(app)
  const { data } = await clients.of(site.who.token).urls.resolvePublishedContentByUrl({ url: main + site.address })
  assert.ok('apiToken' in data)
  const { spaces, orgs } = clients.of(data.apiToken)
  const { data: revision } = await spaces.getCurrentRevision(data.space, {})
  assert.equal(revision.pages.length, 2)
  await spaces.getPageByPath(data.space, 'guide', { format: 'document' })
  const { data: hits } = await orgs.searchSiteContent(site.org.id, site.id, {
    query: 'welcome',
    scope: { mode: 'all' },
  })
  assert.equal(hits.items[0]!.pages[0]!.title, 'Welcome')
})

test('the official client gets a preview of an unpublished site and searches it as a member', async () => {
  const site = await aSite(app, { published: false })
  const { orgs } = clients.of(site.who.token)
  const query = { siteSpace: site.siteSpaceId, claims: '(plan:pro)' }
  const { data } = await orgs.getSitePublishingPreviewById(site.org.id, site.id, query)
  assert.ok(data.url.startsWith(main + site.address))
  const { data: hits } = await orgs.searchSiteContent(site.org.id, site.id, {
    query: 'guide',
    scope: { mode: 'specific', siteSpaceIds: [site.siteSpaceId] },
  })
  assert.equal(hits.count, 1)
})

test('every address, embed and preview operation shared with the official client is called above', () => {
  const { both, missed } = clients.coverage(['urls', 'space-embeds', 'site-preview'])
  assert.equal(both.length, 6)
  assert.deepEqual(missed, [])
})
