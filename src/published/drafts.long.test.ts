// How a change request will look: shown on a site to people who may read it, and to nobody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage, newReference } from '../../test/editing.ts'
import { petstore } from '../openapi/testing/petstore.ts'
import { putSpec } from '../openapi/testing/specs.ts'
import { type TestSite, aSite, expect, withoutMarks } from '../../test/visitor.ts'

const app = await startApp()

const page = (markdown: string, metadata: object = {}) => ({
  operation: 'insert_page',
  document: { markdown },
  metadata,
})

async function aDraft(options: { published?: boolean } = {}) {
  const site = await aSite(app, { ...options, pages: [newPage('Welcome'), page('# Teapots\n\nOld text.\n')] })
  const request = await site.space.changeRequest()
  expect(await site.who.patch(request.path, { subject: 'Better <teapots>' }), 200)
  const [, teapots] = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages
  const edited = { operation: 'update_page', page: teapots.id, document: { markdown: '# Teapots\n\nNew text.\n' } }
  expect(await request.edit(edited, page('# Cups\n\nNew page.\n'), page('# Vault\n', { condition: rich })), 200)
  return { site, request, teapots: teapots.id as string }
}

const rich = 'visitor.claims.isRich == true'

/** Opens the address as a browser does, and continues with the cookie that it gets. */
async function open(site: TestSite, url: string) {
  const { pathname, search } = new URL(url)
  const viewer = site.browser()
  const first = await viewer.get(pathname + search)
  assert.deepEqual([first.status, first.location], [307, pathname])
  return { viewer, path: pathname, read: async (path: string) => viewer.get(site.address + path) }
}

test('readers of a change request can preview its pages on the site, and others see the site as it is', async () => {
  const { site, request, teapots } = await aDraft()
  const reviewer = await site.org.member('read')
  const address = (query = '') => reviewer.client.get(`${request.path}/preview${query}`)
  const { viewer, path, read } = await open(site, expect(await address(), 200).url)
  assert.equal(path, site.address)
  const changed = await read('teapots')
  assert.match(changed.text, /New text\./)
  assert.match(changed.text, /This is a preview\. #1 Better &lt;teapots&gt;/)
  assert.match(changed.text, /href="[^"]*\/cups"/)
  assert.deepEqual(
    [changed.headers['cache-control'], changed.headers['x-robots-tag']],
    ['private, no-store', 'noindex'],
  )
  assert.match((await read('cups')).text, /New page\./)
  assert.match((await read('cups.md')).text, /New page\./)
  assert.equal((await read('vault')).status, 404)
  assert.match((await read('~/search?q=teapots')).text, /This is a preview/)

  const everybody = site.browser()
  assert.match((await everybody.get(`${site.address}teapots`)).text, /Old text\./)
  assert.equal((await everybody.get(`${site.address}cups`)).status, 404)

  const later = { operation: 'update_page', page: teapots, document: { markdown: '# Teapots\n\nNewest text.\n' } }
  expect(await request.edit(later), 200)
  assert.match((await read('teapots')).text, /Newest text\./)
  assert.equal(new URL(expect(await address(`?page=${teapots}`), 200).url).pathname, `${site.address}teapots`)

  expect(await site.who.delete(`/v1/orgs/${site.org.id}/members/${reviewer.id}`), 204)
  assert.match((await viewer.get(`${site.address}teapots`)).text, /Old text\./)
})

test('a preview of a change request shows the view of a visitor with claims, on an unpublished site too', async () => {
  const { site, request } = await aDraft({ published: false })
  expect(
    await site.who.put(`${site.path}/adaptive-schema`, {
      jsonSchema: { type: 'object', properties: { isRich: { type: 'boolean' } } },
    }),
    200,
  )
  await site.change({ adaptiveContent: { enabled: true } })
  const asked = await site.who.get(`${request.path}/preview?claims=(isRich:!t)&site=${site.id}`)
  const { read } = await open(site, expect(asked, 200).url)
  assert.match((await read('vault')).text, /<h1>Vault/)
  assert.equal((await site.browser().get(site.address)).status, 404)
})

test('a preview needs access to the change request, valid parameters and a site with the space', async () => {
  const { site, request } = await aDraft()
  const stranger = await aSite(app)
  assert.equal((await stranger.who.get(`${request.path}/preview`)).status, 404)
  assert.equal((await site.who.get(`${site.space.path}/change-requests/99/preview`)).status, 404)
  for (const query of ['site=x', `site=${stranger.id}`, 'page=x', 'claims=('])
    assert.equal((await site.who.get(`${request.path}/preview?${query}`)).status, 400, query)

  const alone = await (await aLiveSpace(app, site.org)).changeRequest()
  const nowhere = await site.who.get(`${alone.path}/preview`)
  assert.equal(nowhere.status, 409)
  assert.match(nowhere.body.error.message, /Add the space to a site first/)
})

test('the search in a preview of a change request finds exactly what the preview shows', async () => {
  const site = await aSite(app, {
    pages: [
      newPage('Welcome'),
      page('# Teapots\n\nA **porcelain** pot.\n\n## Spout\n\nWhere tea comes out.\n'),
      page('# Kettles\n\nMade of copper.\n'),
      page('# Trays\n\nMade of bamboo.\n'),
    ],
  })
  const { who, space } = site
  const [, teapots, kettles, trays] = expect(await who.get(`${space.path}/content/pages`), 200).pages
  const request = await space.changeRequest()
  const edited = '# Samovars\n\nA *nickel* pot.\n\n## Faucet\n\nWhere tea comes out.\n'
  const guarded = `# Cups\n\nMade of glass.\n\n{% if ${rich} %}\nAnd of platinum.\n{% endif %}\n`
  const changes = [
    { operation: 'update_page', page: teapots.id, metadata: { slug: 'samovars' }, document: { markdown: edited } },
    { operation: 'update_page', page: trays.id, metadata: { slug: 'moved' } },
    { operation: 'delete_page', page: kettles.id },
    page(guarded),
    page('# Vault\n\nFull of rubies.\n', { condition: rich }),
    page('# Attic\n\nFull of lumber.\n', { noIndex: true }),
  ]
  expect(await request.edit(...changes), 200)
  const { read } = await open(site, expect(await who.get(`${request.path}/preview`), 200).url)
  const found = async (query: string, get = read) => {
    const { count, hits } = JSON.parse((await get(`~/search.json?q=${encodeURIComponent(query)}`)).text)
    const pages = hits.filter(({ heading }: any) => !heading)
    assert.equal(count, pages.length, query)
    return hits.map(({ title, href }: any) => `${title} ${href.slice(site.address.length)}`)
  }
  assert.deepEqual(await found('nickel'), ['Samovars samovars'])
  assert.deepEqual(await found('faucet'), ['Samovars samovars', 'Faucet samovars#faucet'])
  // A word that no other page contains, while it is being typed.
  assert.deepEqual(await found('samov'), ['Samovars samovars'])
  assert.deepEqual(await found('glass'), ['Cups cups'])
  // Also a page whose text is unchanged, but which has moved.
  assert.deepEqual((await found('made')).toSorted(), ['Cups cups', 'Trays moved'])
  for (const gone of ['porcelain', 'copper', 'teapots', 'spout', 'platinum', 'rubies', 'lumber'])
    assert.deepEqual(await found(gone), [], gone)
  assert.match(withoutMarks((await read('~/search?q=nickel')).text), /Samovars.*A nickel pot/)

  // The change request is edited once more, and main changes as well: the preview shows that page of main as it was
  // when the change request began.
  expect(
    await request.edit({ operation: 'update_page', page: teapots.id, document: { markdown: '# Urns\n\nTin.\n' } }),
    200,
  )
  const onMain = { operation: 'update_page', page: trays.id, document: { markdown: '# Trays\n\nMade of steel.\n' } }
  expect(await space.edit(onMain), 200)
  assert.deepEqual([await found('nickel'), await found('tin')], [[], ['Urns samovars']])
  assert.deepEqual([await found('steel'), await found('bamboo')], [[], ['Trays moved']])

  const everybody = site.browser()
  const outside = (query: string) => found(query, (path) => everybody.get(site.address + path))
  assert.deepEqual([await outside('tin'), await outside('nickel'), await outside('glass')], [[], [], []])
  assert.deepEqual([await outside('porcelain'), await outside('steel')], [['Teapots teapots'], ['Trays trays']])

  // As a visitor who may see more.
  expect(
    await who.put(`${site.path}/adaptive-schema`, {
      jsonSchema: { type: 'object', properties: { isRich: { type: 'boolean' } } },
    }),
    200,
  )
  await site.change({ adaptiveContent: { enabled: true } })
  const asRich = await open(site, expect(await who.get(`${request.path}/preview?claims=(isRich:!t)`), 200).url)
  assert.deepEqual(await found('rubies', asRich.read), ['Vault vault'])
  assert.deepEqual(await found('platinum', asRich.read), ['Cups cups'])
})

test('the search in a preview finds pages that the change request generates from a specification', async () => {
  const site = await aSite(app)
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  const request = await site.space.changeRequest()
  expect(await request.edit(newReference('API reference', { models: true })), 200)
  const { read } = await open(site, expect(await site.who.get(`${request.path}/preview`), 200).url)
  const { hits } = JSON.parse((await read('~/search.json?q=pets')).text)
  assert.equal(hits[0].title, 'Pets')
  assert.match((await read(hits[0].href.slice(site.address.length))).text, /<h1>Pets/)
})

test('the search in a preview of a very large change request answers, and finds its pages by title', async () => {
  const site = await aSite(app)
  const request = await site.space.changeRequest()
  // As many rows of an index, and as long ones, as in documentation that is imported from elsewhere.
  const word = (at: number) => `word${((at * 7919) % 3_001).toString(36)}`
  const text = (from: number) => Array.from({ length: 6_000 }, (_, at) => word(from * 31 + at * (from + 1))).join(' ')
  for (let from = 0; from < 200; from += 20) {
    const chapters = Array.from({ length: 20 }, (_, at) => `# Chapter ${from + at}\n\n${text(from + at)}\n`)
    expect(await request.edit(...chapters.map((chapter) => page(chapter))), 200)
  }
  const { read } = await open(site, expect(await site.who.get(`${request.path}/preview`), 200).url)
  for (const [query, title] of [
    ['chapter', 'Chapter'],
    [word(1), 'Chapter'],
    ['chapter 0', 'Chapter 0'],
    ['chapter 199', 'Chapter 199'],
  ] as const) {
    const answer = await read(`~/search.json?q=${encodeURIComponent(query)}`)
    assert.equal(answer.status, 200, query)
    assert.ok(JSON.parse(answer.text).hits[0].title.startsWith(title), `${query}: ${answer.text.slice(0, 200)}`)
  }
})
