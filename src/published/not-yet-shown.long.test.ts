// Links out of a site among its sections, as readers see them; and versions that readers do not see yet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { newPage } from '../../test/editing.ts'
import { type TestSite, aSite, expect, withoutMarks } from '../../test/visitor.ts'

const app = await startApp()

const url = 'https://status.example.com/'

const add = async (site: TestSite, body: object) =>
  expect(await site.who.post(`${site.path}/external-links`, { title: 'Status', url, ...body }), 201)
const read = async (site: TestSite, path = '') => withoutMarks((await site.browser().get(site.address + path)).text)
const barOf = (text: string) => /<nav class="wrap sections"[^]*?<\/nav>/.exec(text)?.[0] ?? ''
const drawerOf = (text: string) => /<div class="nav-sections">[^]*?<\/div>/.exec(text)?.[0] ?? ''

/** A browser that came by the address of a preview. */
async function viewerOf(site: TestSite, address: string) {
  const viewer = site.browser()
  const { pathname, search } = new URL(address)
  assert.equal((await viewer.get(pathname + search)).status, 307)
  return async (path: string) => viewer.get(site.address + path)
}

const preview = async (site: TestSite, query = '') =>
  viewerOf(site, expect(await site.who.get(`${site.path}/publishing/preview${query}`), 200).url)

test('an external link is in the section bar and the drawer, marked as external', async () => {
  const site = await aSite(app)
  assert.equal(barOf(await read(site)), '')
  await add(site, { icon: 'heart' })
  const text = await read(site)
  const [bar, drawer] = [barOf(text), drawerOf(text)]
  for (const part of [bar, drawer]) {
    assert.match(part, /<a href="https:\/\/status\.example\.com\/" rel="noopener">[^]*Status[^]*leads-out/)
    assert.equal(part.match(/leads-out/g)!.length, 1, 'and nothing else does')
    assert.equal(part.match(/aria-current/g)!.length, 1)
  }
  expect(await site.who.put(`${site.path}/customization`, { externalLinks: { target: 'blank' } }), 200)
  assert.match(barOf(await read(site)), /<a href="https:\/\/status[^"]*" rel="noopener" target="_blank">/)
  assert.doesNotMatch(await read(site, '~/search?q=welcome'), /name="scope"[^]*Status/)
})

test('an external link in a menu is among the sections with its description, and its texts are escaped', async () => {
  const site = await aSite(app)
  const named = {
    title: '<b>Shop & Co</b>',
    description: 'Things "to" <i>buy</i>',
    url: 'https://shop.example.com/?a=1&b="',
  }
  const group = expect(await site.who.post(`${site.path}/section-groups`, { title: 'More' }), 201)
  await add(site, { ...named, parent: group.id })
  const bar = barOf(await read(site))
  assert.match(
    bar,
    /<summary>[^]*More[^]*<li>\s*<a href="https:\/\/shop\.example\.com\/\?a=1&amp;b=%22" rel="noopener">/,
  )
  assert.match(bar, /&lt;b&gt;Shop &amp; Co&lt;\/b&gt; <small>Things &quot;to&quot; &lt;i&gt;buy&lt;\/i&gt;<\/small>/)
})

test('the drawer lists what is in a menu below the title of the menu, and what is in none beside it', async () => {
  const site = await aSite(app)
  const group = expect(await site.who.post(`${site.path}/section-groups`, { title: 'More <b>' }), 201)
  await add(site, { title: 'Shop', parent: group.id })
  await add(site, { title: 'Status' })
  const drawer = drawerOf(await read(site))
  assert.match(
    drawer,
    /<p>More &lt;b&gt;<\/p>\s*<ul>\s*<li><a [^>]*>[^]*?Shop[^]*?<\/li>\s*<\/ul>\s*<a [^>]*>[^]*Status/,
  )
  assert.equal(drawer.match(/<a /g)!.length, 3)
})

test('readers see no external link that is a draft or conditional for others, and no menu with only such links', async () => {
  const site = await aSite(app)
  const group = expect(await site.who.post(`${site.path}/section-groups`, { title: 'Drawer' }), 201)
  const draft = await add(site, { title: 'Hidden draft', draft: true, parent: group.id })
  await site.change({ adaptiveContent: { enabled: true } })
  await add(site, { title: 'Only pro', condition: 'visitor.claims.plan == "pro"' })
  await add(site, { title: 'Not pro', condition: 'visitor.claims.plan != "pro"' })
  for (const path of ['', 'guide', 'llms.txt', 'llms-full.txt', 'sitemap.xml', 'welcome.md', '~/search?q=hidden'])
    assert.doesNotMatch(await read(site, path), /Hidden draft|Only pro|Drawer/, path)
  assert.match(barOf(await read(site)), /Not pro/)
  const seen = await preview(site, `?claims=${encodeURIComponent('(plan:pro)')}`)
  assert.match(barOf((await seen('')).text), /Drawer[^]*Hidden draft[^]*Only pro/)
  const asPublished = await preview(site, `?draft=false`)
  assert.doesNotMatch((await asPublished('')).text, /Hidden draft|Drawer/)

  expect(await site.who.patch(`${site.path}/external-links/${draft.id}`, { draft: false }), 200)
  assert.match(barOf(await read(site)), /Drawer[^]*Hidden draft/)
})

test('a draft version is nowhere for readers until it is shown, and editors can preview it', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('Zebra')] })
  const copy = expect(
    await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`, { draft: true }),
    201,
  )
  const changes = [newPage('Okapi')]
  expect(await site.who.post(`/v1/spaces/${copy.space.id}/content`, { changes }), 200)
  const at = copy.path
  const asks = ['', 'welcome', 'llms.txt', 'llms-full.txt', 'sitemap.xml', '~/search?q=okapi', '~/search.json?q=okapi']
  for (const path of asks) {
    assert.doesNotMatch(await read(site, path), new RegExp(`${at}/|Text of Okapi`), path)
  }
  for (const path of [`${at}/`, `${at}/okapi`, `${at}/okapi.md`, `${at}/~/pdf`])
    assert.equal((await site.browser().get(site.address + path)).status, 404, path)
  const lookup = async (path: string) =>
    site.who.post('/v1/urls/published', { url: `http://lectern.test${site.address}${path}` })
  assert.equal((await lookup(`${at}/okapi`)).status, 404)
  const { apiToken } = expect(await lookup('zebra'), 200)
  const visitor = app.client(apiToken, [site.org.canary])
  assert.equal((await visitor.get(`/v1/spaces/${copy.space.id}/content/pages`)).status, 404)

  const seen = await preview(site, `?siteSpace=${copy.id}`)
  assert.match((await seen(`${at}/okapi`)).text, /Text of Okapi/)
  assert.match((await seen('')).text, new RegExp(`class="menu variant"[^]*${at}/`))

  expect(await site.who.patch(`${site.path}/site-spaces/${copy.id}`, { draft: false }), 200)
  assert.match(await read(site, `${at}/okapi`), /Text of Okapi/)
  assert.match(await read(site), new RegExp(`class="menu variant"[^]*${at}/`))
  assert.match(await read(site, 'llms.txt'), /okapi/)
})

test('a change request of a draft version can be previewed before it is merged', async () => {
  const site = await aSite(app)
  const copy = expect(
    await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`, { draft: true }),
    201,
  )
  const space = `/v1/spaces/${copy.space.id}`
  const { id } = expect(await site.who.post(`${space}/change-requests`, { subject: 'Okapi' }), 201)
  const changes = [newPage('Okapi')]
  expect(await site.who.post(`${space}/change-requests/${id}/content`, { changes }), 200)
  const { url } = expect(await site.who.get(`${space}/change-requests/${id}/preview`), 200)
  const seen = await viewerOf(site, url)
  assert.match((await seen(`${copy.path}/okapi`)).text, /Text of Okapi/)
})

test('if the default version is a draft, readers are redirected to the next one', async () => {
  const site = await aSite(app)
  const copy = expect(await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`), 201)
  expect(await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, { draft: true }), 200)
  const { status, location } = await site.browser().get(site.address)
  assert.deepEqual([status, location], [307, `${site.address}${copy.path}/`])
})

test('a draft version or section does not change the published URLs of other pages, even with the path of a page', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('Zebra')] })
  const lookup = async (path: string) => {
    const url = `http://lectern.test${site.address}${path}`
    const { apiToken: _, ...told } = expect(await site.who.post('/v1/urls/published', { url }), 200)
    return told
  }
  const before = [await lookup(''), await lookup('zebra')]
  const copy = expect(
    await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`, { draft: true }),
    201,
  )
  expect(await site.who.patch(`${site.path}/site-spaces/${copy.id}`, { path: 'zebra' }), 200)
  assert.deepEqual([await lookup(''), await lookup('zebra')], before)
  assert.match(await read(site, 'zebra'), /Text of Zebra/)
  assert.match(await read(site, 'sitemap.xml'), /\/zebra</)
  const seen = await preview(site)
  assert.match((await seen('zebra/')).text, /Text of Welcome/)
  const [{ path }] = expect(await site.who.get(`${site.path}/site-spaces`), 200).items
  assert.match((await seen(`${path}/zebra`)).text, /Text of Zebra/)

  // The same for a section that contains nothing else.
  const section = expect(
    await site.who.post(`${site.path}/sections`, { spaceId: copy.space.id, title: 'Welcome two' }),
    201,
  )
  expect(await site.who.patch(`${site.path}/site-spaces/${section.siteSpaces[0].id}`, { draft: true }), 200)
  expect(await site.who.delete(`${site.path}/site-spaces/${copy.id}`), 205)
  expect(await site.who.patch(`${site.path}/sections/${section.id}`, { path: 'zebra' }), 200)
  const { pathname, canonicalUrl, complete } = await lookup('zebra')
  const [, was] = before
  assert.deepEqual([pathname, canonicalUrl, complete], [was.pathname, was.canonicalUrl, was.complete])
  assert.match(await read(site, 'zebra'), /Text of Zebra/)
})

test('every answer to readers is identical with or without a draft beside it', async () => {
  const markdown = '# Links\n\n[Home](welcome.md) and [more](zebra.md)\n'
  const site = await aSite(app, {
    pages: [newPage('Welcome'), newPage('Zebra'), newPage('', { document: { markdown } })],
  })
  const asks = [
    '',
    'zebra',
    'links',
    'zebra.md',
    'nowhere',
    'zebras',
    'llms.txt',
    'llms-full.txt',
    'sitemap.xml',
    'robots.txt',
  ]
  const searches = ['search?q=zebra', 'search.json?q=zebra', 'search.json?q=', 'search?q=', 'search?q=okapi'].map(
    (at) => `~/${at}`,
  )
  const all = async () => {
    const got = [...asks, ...searches].map(async (path) => {
      const { status, text, location } = await site.browser().get(site.address + path)
      return [path, { status, text, location }]
    })
    return Object.fromEntries(await Promise.all(got))
  }
  const before = await all()
  const copy = expect(
    await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`, { draft: true }),
    201,
  )
  expect(await site.who.post(`/v1/spaces/${copy.space.id}/content`, { changes: [newPage('Okapi')] }), 200)
  assert.deepEqual(await all(), before)
  expect(await site.who.patch(`${site.path}/site-spaces/${copy.id}`, { draft: false }), 200)
  assert.notDeepEqual(await all(), before)

  // The same with sections: one with nothing but drafts, and a link.
  expect(await site.who.delete(`${site.path}/site-spaces/${copy.id}`), 205)
  await add(site, {})
  const inSections = await all()
  await add(site, { draft: true })
  const section = expect(
    await site.who.post(`${site.path}/sections`, { spaceId: copy.space.id, title: 'Animals' }),
    201,
  )
  assert.notDeepEqual(await all(), inSections)
  expect(await site.who.patch(`${site.path}/site-spaces/${section.siteSpaces[0].id}`, { draft: true }), 200)
  assert.deepEqual(await all(), inSections)
})

test('the search API returns no published URL for a draft version', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('Zebra')] })
  const copy = expect(
    await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`, { draft: true }),
    201,
  )
  const found = async () => {
    const body = { query: 'zebra', scope: { mode: 'all' } }
    const { items } = expect(await site.who.post(`${site.path}/search`, body), 200)
    return Object.fromEntries(items.map(({ id, pages }: any) => [id, pages[0].urls.published]))
  }
  const address = `http://lectern.test${site.address}`
  assert.deepEqual(await found(), { [site.space.id]: `${address}zebra`, [copy.space.id]: undefined })
  // A space that the site contains twice is found where it is shown.
  const again = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: copy.space.id }), 201)
  assert.equal((await found())[copy.space.id], `${address}${again.path}/zebra`)
})

test('a draft section is nowhere for readers, with its content, until it is shown', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('Zebra')] })
  const copy = expect(await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`), 201)
  expect(await site.who.post(`/v1/spaces/${copy.space.id}/content`, { changes: [newPage('Okapi')] }), 200)
  expect(await site.who.delete(`${site.path}/site-spaces/${copy.id}`), 205)
  await add(site, {})
  const asks = ['', 'zebra', 'okapi', 'animals/', 'animals/okapi', 'animals/okapi.md', 'animals/~/pdf', 'llms.txt']
  asks.push('llms-full.txt', 'sitemap.xml', '~/search?q=okapi', '~/search.json?q=okapi', '~/search?q=zebra')
  const all = async () => {
    const got = asks.map(async (path) => {
      const { status, text, location } = await site.browser().get(site.address + path)
      return [path, { status, text, location }]
    })
    return Object.fromEntries(await Promise.all(got))
  }
  const before = await all()
  const published = `${site.path}/published`
  const { structure: readable } = expect(await site.who.get(published), 200)
  const draft = { spaceId: copy.space.id, title: 'Animals', draft: true }
  const section = expect(await site.who.post(`${site.path}/sections`, draft), 201)
  const [{ urls, draft: isDraft }] = section.siteSpaces
  assert.deepEqual([section.draft, section.urls, urls, isDraft], [true, {}, {}, false])
  assert.deepEqual(await all(), before)
  assert.deepEqual(expect(await site.who.get(published), 200).structure, readable)
  assert.equal(expect(await site.who.get(`/v1/spaces/${copy.space.id}`), 200).urls.published, undefined)
  const found = expect(await site.who.post(`${site.path}/search`, { query: 'okapi', scope: { mode: 'all' } }), 200)
  assert.deepEqual(
    found.items.map(({ pages }: any) => pages[0].urls.published),
    [undefined],
  )

  const seen = await preview(site)
  assert.match(barOf((await seen('')).text), /Animals/)
  assert.match((await seen('animals/okapi')).text, /Text of Okapi/)
  assert.equal((await (await preview(site, '?draft=false'))('animals/okapi')).status, 404)
  // The preview of a change request in it shows how the section will look.
  const space = `/v1/spaces/${copy.space.id}`
  const { id } = expect(await site.who.post(`${space}/change-requests`, { subject: 'Tapir' }), 201)
  expect(await site.who.post(`${space}/change-requests/${id}/content`, { changes: [newPage('Tapir')] }), 200)
  const { url } = expect(await site.who.get(`${space}/change-requests/${id}/preview`), 200)
  assert.match((await (await viewerOf(site, url))('animals/tapir')).text, /Text of Tapir/)

  const shown = expect(await site.who.patch(`${site.path}/sections/${section.id}`, { draft: false }), 200)
  assert.match(shown.urls.published, /\/animals\/$/)
  assert.match(await read(site, 'animals/okapi'), /Text of Okapi/)
  assert.match(await read(site, 'llms.txt'), /okapi/)
})

test('if the first section is a draft, readers are redirected to the next, and the last one shown cannot be hidden', async () => {
  const site = await aSite(app)
  const copy = expect(await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`), 201)
  const section = { spaceId: copy.space.id, siteSpaceId: copy.id, title: 'Other' }
  const other = expect(await site.who.post(`${site.path}/sections`, section), 201)
  const [first] = expect(await site.who.get(`${site.path}/sections`), 200).items
  const hide = (id: string, draft = true) => site.who.patch(`${site.path}/sections/${id}`, { draft })
  expect(await hide(first.id), 200)
  const { status, location } = await site.browser().get(site.address)
  assert.deepEqual([status, location], [307, `${site.address}other/`])
  const refused = await hide(other.id)
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /the only content of the published site/)
  assert.equal((await site.who.delete(`${site.path}/sections/${other.id}`)).status, 409)

  expect(await site.who.post(`${site.path}/unpublish`), 200)
  expect(await hide(other.id), 200)
  const publish = () => site.who.post(`${site.path}/publish`)
  assert.equal((await publish()).status, 400)
  expect(await hide(first.id, false), 200)
  expect(await publish(), 200)
  assert.equal((await site.browser().get(site.address)).status, 200)
})

test('a space can be added to a site as a draft', async () => {
  const site = await aSite(app)
  const { space } = expect(await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`), 201)
  const added = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: space.id, draft: true }), 201)
  assert.deepEqual([added.draft, added.urls], [true, {}])
  assert.equal((await site.browser().get(`${site.address}${added.path}/`)).status, 404)
})

test('the published structure has the real addresses next to drafts, and no menu of drafts only', async () => {
  const site = await aSite(app)
  const copy = expect(await site.who.post(`${site.path}/site-spaces/${site.siteSpaceId}/duplicate`), 201)
  const address = `http://lectern.test${site.address}`
  const shown = async () => {
    const { structure } = expect(await site.who.get(`${site.path}/published`), 200).structure
    return structure.map(({ default: isFirst, urls }: any) => [isFirst, urls?.published])
  }
  const isThere = async () => {
    for (const [, url] of await shown())
      assert.equal((await site.browser().get(new URL(`${url}guide`).pathname)).status, 200, url)
  }
  expect(await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, { draft: true }), 200)
  assert.deepEqual(await shown(), [[true, `${address}${copy.path}/`]])
  await isThere()
  expect(await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}`, { draft: false }), 200)

  const section = { spaceId: copy.space.id, siteSpaceId: copy.id, title: 'Other' }
  expect(await site.who.post(`${site.path}/sections`, section), 201)
  const [first] = expect(await site.who.get(`${site.path}/sections`), 200).items
  expect(await site.who.patch(`${site.path}/sections/${first.id}`, { draft: true }), 200)
  assert.deepEqual(await shown(), [[true, `${address}other/`]])
  await isThere()
  const menu = { title: 'Soon', sections: [first.id] }
  expect(await site.who.post(`${site.path}/section-groups`, menu), 201)
  assert.deepEqual(await shown(), [[true, `${address}other/`]])
  expect(await site.who.patch(`${site.path}/sections/${first.id}`, { draft: false }), 200)
  assert.equal((await shown()).length, 2)
})
