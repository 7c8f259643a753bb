// Where a page is published and what it is in other languages, as the API returns it: the same as the page itself tells
// search engines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { grant } from '../../../test/content.ts'
import { idsOf, newPage, newReference } from '../../../test/editing.ts'
import { aStranger } from '../../../test/factories.ts'
import { statementsSent } from '../../../test/statements-sent.ts'
import { type TestSite, aSite, expect } from '../../../test/visitor.ts'
import { newId } from '../../ids.ts'
import { petstore } from '../../openapi/testing/petstore.ts'
import { putSpec } from '../../openapi/testing/specs.ts'

const app = await startApp()
const main = 'http://lectern.test'

const pageIds = async ({ who, space }: TestSite): Promise<string[]> =>
  expect(await who.get(`${space.path}/content/pages`), 200).pages.map(({ id }: any) => id)

/** A site in two languages, of which the second is a copy. */
async function aTranslatedSite() {
  const site = await aSite(app)
  const { who, space, org, path } = site
  expect(await who.patch(space.path, { language: 'en' }), 200)
  const copy = expect(await who.post(`${space.path}/duplicate`), 201)
  const variants = [{ language: 'fr', space: copy.id }]
  expect(
    await who.post(`/v1/orgs/${org.id}/translations`, { title: 'Both', source: { space: space.id }, variants }),
    201,
  )
  const there = expect(await who.post(`${path}/site-spaces`, { spaceId: copy.id }), 201)
  expect(await who.patch(`${path}/site-spaces/${there.id}`, { path: 'fr' }), 200)
  const [welcome, guide] = await pageIds(site)
  return { site, copy, welcome: welcome!, guide: guide! }
}

test('the meta links of a page in main, a change request or a revision are its published URL and its translations', async () => {
  const { site, copy, welcome, guide } = await aTranslatedSite()
  const { who, space } = site
  const { revision } = expect(await who.get(space.path), 200)
  const request = await space.changeRequest()
  expect(await request.edit({ operation: 'update_page', page: guide, metadata: { slug: 'moved' } }), 200)
  const [drafted] = idsOf(await request.edit(newPage('Drafted')))
  const refs = (page: string) => [space.id, copy.id].map((id) => ({ kind: 'page', page, space: id }))
  const published = { canonical: { kind: 'url', url: `${main}${site.address}guide` }, alternates: refs(guide) }
  // The change request moves the page, but readers do not find it there yet.
  for (const base of ['content', `change-requests/${request.id}/content`, `revisions/${revision}`])
    assert.deepEqual(expect(await who.get(`${space.path}/${base}/page/${guide}/meta-links`), 200), published, base)
  const first = expect(await who.get(`${space.path}/content/page/${welcome}/meta-links`), 200)
  assert.deepEqual(first, { canonical: { kind: 'url', url: main + site.address }, alternates: refs(welcome) })
  const inFrench = expect(await who.get(`/v1/spaces/${copy.id}/content/page/${guide}/meta-links`), 200)
  assert.deepEqual(inFrench, { ...published, canonical: { kind: 'url', url: `${main}${site.address}fr/guide` } })

  const shown = (await site.browser().get(`${site.address}fr/guide`)).text
  assert.ok(shown.includes(`<link rel="canonical" href="${inFrench.canonical.url}"`))
  assert.deepEqual(
    [...shown.matchAll(/<link[^>]* hreflang="([\w-]+)" href="([^"]+)"/g)].map(([, ...each]) => each),
    [
      ['en', published.canonical.url],
      ['fr', inFrench.canonical.url],
      // For readers of any other language: the variant that shows if none is named.
      ['x-default', published.canonical.url],
    ],
  )
  const draft = `${request.path}/content/page/${drafted}/meta-links`
  assert.deepEqual(expect(await who.get(draft), 200), {})
  for (const missing of [`content/page/${drafted}`, `content/page/${newId()}`, `revisions/${revision}/page/${drafted}`])
    assert.equal((await who.get(`${space.path}/${missing}/meta-links`)).status, 404, missing)
})

test('pages of spaces that were written apart are known as translations by their path, unless one says otherwise', async () => {
  const site = await aSite(app, { pages: ['Welcome', 'Guide', 'Install', 'Faq'].map((title) => newPage(title)) })
  const { who, space, org, path } = site
  const welcome = (await pageIds(site))[0]!
  expect(await who.patch(space.path, { language: 'en' }), 200)
  const add = async (slug: string, pages: object[]) => {
    const made = expect(
      await who.post(`/v1/orgs/${org.id}/spaces`, { title: slug, empty: true, editMode: 'live' }),
      201,
    )
    const there = expect(await who.post(`${path}/site-spaces`, { spaceId: made.id }), 201)
    expect(await who.patch(`${path}/site-spaces/${there.id}`, { path: slug }), 200)
    return { language: slug, space: made.id, fill: () => who.post(`/v1/spaces/${made.id}/content`, { changes: pages }) }
  }
  const { revision } = expect(await who.get(space.path), 200)
  const install = (await pageIds(site))[2]!
  const mark = { translatedFrom: { page: install, revision } }
  const french = await add('fr', [
    newPage('Bienvenue'),
    newPage('Guide'),
    // Translates a page at another path, so it does not belong to the one at its own.
    newPage('Faq', { metadata: mark }),
    newPage('Welcome'),
  ])
  const german = await add('de', [newPage('Willkommen'), newPage('Guide'), newPage('Install')])
  const variants = [french, german].map(({ language, space: id }) => ({ language, space: id }))
  expect(
    await who.post(`/v1/orgs/${org.id}/translations`, { title: 'All', source: { space: space.id }, variants }),
    201,
  )
  for (const { fill } of [french, german]) expect(await fill(), 200)

  const links = async (at: string) =>
    [
      ...(await site.browser().get(site.address + at)).text.matchAll(
        /<link[^>]* hreflang="(?!x-)[\w-]+" href="([^"]+)"/g,
      ),
    ]
      .map(([, href]) => href!.slice((main + site.address).length))
      .toSorted()
  for (const page of ['', 'fr/', 'de/']) assert.deepEqual(await links(page), ['', 'de/', 'fr/'], page)
  for (const page of ['guide', 'fr/guide', 'de/guide'])
    assert.deepEqual(await links(page), ['de/guide', 'fr/guide', 'guide'], page)
  for (const page of ['install', 'fr/faq', 'de/install'])
    assert.deepEqual(await links(page), ['de/install', 'fr/faq', 'install'], page)
  for (const page of ['faq', 'fr/welcome']) assert.deepEqual(await links(page), [page])
  const { alternates } = expect(await who.get(`${space.path}/content/page/${welcome}/meta-links`), 200)
  assert.equal(alternates.length, 3)
})

test('the sitemap lists the same translations as each page, and a site in one language lists none', async () => {
  const { site, copy, guide } = await aTranslatedSite()
  expect(await site.space.edit(newPage('Only here')), 200)
  // The same page, at a different path in the other language.
  const renamed = { operation: 'update_page', page: guide, metadata: { slug: 'manuel' } }
  expect(await site.who.post(`/v1/spaces/${copy.id}/content`, { changes: [renamed] }), 200)
  const read = async (path: string) => (await site.browser().get(site.address + path)).text
  const map = await read('sitemap.xml')
  assert.ok(map.includes('xmlns:xhtml="http://www.w3.org/1999/xhtml"'))
  const pages = [...map.matchAll(/<url><loc>([^<]+)<\/loc>.*?<\/url>/g)]
  const linksIn = (text: string) =>
    [...text.matchAll(/<(?:xhtml:)?link rel="alternate" hreflang="([\w-]+)" href="([^"]+)"/g)].map(
      ([, ...each]) => each,
    )
  const told = Object.fromEntries(
    pages.map(([whole, url]) => [url!.slice((main + site.address).length), linksIn(whole)]),
  )
  assert.deepEqual(Object.keys(told), ['', 'guide', 'only-here', 'fr/', 'fr/manuel'])
  for (const [path, links] of Object.entries(told)) assert.deepEqual(links, linksIn(await read(path)), path)
  assert.deepEqual(told['fr/manuel'], [
    ['en', `${main}${site.address}guide`],
    ['fr', `${main}${site.address}fr/manuel`],
    ['x-default', `${main}${site.address}guide`],
  ])

  const alone = await aSite(app)
  assert.doesNotMatch((await alone.browser().get(`${alone.address}sitemap.xml`)).text, /xhtml/)
})

test('the sitemap of a multilingual site sends no query per page, even with pages from a specification', async () => {
  const { site, copy } = await aTranslatedSite()
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  const reference = newReference('Reference')
  const add = async (...changes: object[]) => {
    for (const path of [site.space.path, `/v1/spaces/${copy.id}`])
      expect(await site.who.post(`${path}/content`, { changes }), 200)
  }
  const sent = async () => {
    const all = await statementsSent(async () => {
      const { status } = await site.browser().get(`${site.address}sitemap.xml`)
      assert.equal(status, 200)
    })
    return all.filter((text) => /openapi|from spaces|heads/.test(text)).length
  }
  await add(reference)
  // The first request also reads the specification.
  await sent()
  await add(newPage('One'))
  const before = await sent()
  await add(...Array.from({ length: 20 }, (_, at) => newPage(`More ${at}`)))
  assert.equal(await sent(), before)
})

test('the canonical URL is on the most open site that shows the page to everyone, and only if the caller may know it', async () => {
  const { site, copy, guide } = await aTranslatedSite()
  const { who, org, space, path } = site
  const at = `${space.path}/content/page/${guide}/meta-links`
  const canonical = async (client = who) => expect(await client.get(at), 200).canonical?.url as string | undefined
  const made = expect(
    await who.post(`/v1/orgs/${org.id}/sites`, { title: 'Second', visibility: 'unlisted', spaces: [space.id] }),
    201,
  )
  const second = `/v1/orgs/${org.id}/sites/${made.id}`
  assert.equal(await canonical(), `${main}${site.address}guide`)
  await site.change({ visibility: 'visitor-auth' })
  assert.equal(await canonical(), `${main}${site.address}guide`)
  expect(await who.post(`${second}/publish`), 200)
  const other = `${main}/sites/${org.row.hostname}/${made.basename}/guide`
  assert.equal(await canonical(), other)
  expect(await who.patch(second, { visibility: 'share-link' }), 200)
  assert.equal(await canonical(), `${main}${site.address}guide`)

  // A guest who sees the space but not the site learns neither what the site is called nor what else is in it.
  const guest = await org.member(null)
  await grant(who, { object: 'space', id: space.id }, { users: [guest.id] }, 'read')
  assert.deepEqual(expect(await guest.client.get(at), 200), {})
  await site.change({ visibility: 'public' })
  const open = expect(await guest.client.get(at), 200)
  assert.deepEqual(open.alternates, [{ kind: 'page', page: guide, space: space.id }])
  assert.equal((await guest.client.get(at.replace(space.id, copy.id))).status, 404)
  assert.equal((await (await aStranger(app)).client.get(at)).status, 404)

  await site.change({ hostname: `h${newId()}.example.com`, proxy: 'company.example/docs' })
  assert.equal(await canonical(), 'https://company.example/docs/guide')
  expect(await who.post(`${path}/unpublish`), 200)
  assert.deepEqual(expect(await who.get(at), 200), {})
})

test('a conditional page has no canonical URL, and a visitor gets meta links only of pages that they see', async () => {
  const hush = { document: { markdown: '---\nif: visitor.claims.plan == "pro"\n---\n\n# Pro\n\nHush\n' } }
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('Guide'), newPage('Pro', hush)] })
  await site.change({ adaptiveContent: { enabled: true } })
  const [, guide, pro] = await pageIds(site)
  const at = (id: string) => `${site.space.path}/content/page/${id}/meta-links`
  assert.deepEqual(expect(await site.who.get(at(pro!)), 200), {})
  const published = { canonical: { kind: 'url', url: `${main}${site.address}guide` } }
  assert.deepEqual(expect(await site.who.get(at(guide!)), 200), published)

  const { apiToken } = expect(await site.who.post('/v1/urls/published', { url: main + site.address }), 200)
  const visitor = app.client(apiToken, [site.org.canary])
  assert.deepEqual(expect(await visitor.get(at(guide!)), 200), published)
  assert.equal((await visitor.get(at(pro!))).status, 404)
  const { revision } = expect(await site.who.get(site.space.path), 200)
  assert.equal((await visitor.get(`${site.space.path}/revisions/${revision}/page/${guide}/meta-links`)).status, 403)
})

test('the start page does not offer its own language, even if only a translation defines that language', async () => {
  const site = await aSite(app)
  const { who, space, org, path } = site
  const copy = expect(await who.post(`${space.path}/duplicate`), 201)
  const source = { space: space.id, language: 'de' }
  const variants = [{ language: 'fr', space: copy.id }]
  expect(await who.post(`/v1/orgs/${org.id}/translations`, { title: 'Both', source, variants }), 201)
  const there = expect(await who.post(`${path}/site-spaces`, { spaceId: copy.id }), 201)
  expect(await who.patch(`${path}/site-spaces/${there.id}`, { path: 'fr' }), 200)
  const { text } = await site.browser().get(site.address)
  const offers = [...text.matchAll(/<aside[^>]* class="offer"[^>]* lang="([\w-]+)"/g)].map(([, language]) => language)
  assert.deepEqual(offers, ['fr'])
})
