// Moving spaces of a site between sections, and where their old addresses lead.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { type TestSite, aSite, expect } from '../../../test/visitor.ts'

const app = await startApp()

/**
 * Creates a site with the sections Guide (site spaces v1 and v2) and API (one site space). Each space has a page of its
 * own.
 */
async function aSiteWithSections() {
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('First')] })
  const spaceWith = async (title: string) => {
    const space = await aLiveSpace(app, site.org)
    idsOf(await space.edit(newPage('Welcome'), newPage(title)))
    return space
  }
  const [v2Space, apiSpace] = [await spaceWith('Second'), await spaceWith('Call')]
  const api = expect(await site.who.post(`${site.path}/sections`, { spaceId: apiSpace.id, title: 'API' }), 201)
  const [guide] = expect(await site.who.get(`${site.path}/sections`), 200).items
  expect(await site.who.patch(`${site.path}/sections/${guide.id}`, { title: 'Guide', path: 'guide' }), 200)
  const added = { spaceId: v2Space.id, sectionId: guide.id }
  const v2 = expect(await site.who.post(`${site.path}/site-spaces`, added), 201)
  const move = (id: string, body: object) => site.who.patch(`${site.path}/site-spaces/${id}`, body)
  expect(await move(v2.id, { path: 'v2', title: 'Version 2' }), 200)
  expect(await move(site.siteSpaceId, { path: 'v1' }), 200)
  expect(await move(api.siteSpaces[0].id, { path: 'rest' }), 200)
  return { site, guide: guide.id, api: api.id, first: site.siteSpaceId, v2: v2.id, call: api.siteSpaces[0].id, move }
}

/** Returns the sections by path, with the paths of their spaces. Defaults are marked with an exclamation mark. */
async function built({ who, path }: TestSite): Promise<Record<string, string[]> | string[]> {
  const { type, structure } = expect(await who.get(`${path}/structure`), 200)
  const marked = (each: any) => `${each.path}${each.default ? '!' : ''}`
  if (type === 'siteSpaces') return structure.map(marked)
  return Object.fromEntries(structure.map((each: any) => [marked(each), each.siteSpaces.map(marked)]))
}

const leads = async (site: TestSite, path: string) => {
  const { status, location } = await site.browser().get(site.address + path)
  return location === undefined ? status : location.slice(site.address.length)
}

test('a variant moved to another section keeps its title, look and redirects, and its old addresses lead there', async () => {
  const { site, guide, api, v2, move } = await aSiteWithSections()
  const look = { styling: { theme: 'bold' } }
  expect(await site.who.patch(`${site.path}/site-spaces/${v2}/customization`, look), 200)
  const source = { source: '/to-v2', destination: { kind: 'site-space', siteSpaceId: v2 } }
  expect(await site.who.post(`${site.path}/redirects`, source), 201)
  const moved = expect(await move(v2, { sectionId: api }), 200)
  assert.deepEqual([moved.id, moved.section, moved.title, moved.default], [v2, api, 'Version 2', false])
  assert.match(moved.urls.published, /\/api\/v2\/$/)
  assert.deepEqual(await built(site), { 'guide!': ['v1!'], api: ['rest!', 'v2'] })
  const kept = expect(await site.who.get(`${site.path}/site-spaces/${v2}/customization`), 200)
  assert.equal(kept.styling.theme, 'bold')

  for (const [old, now] of [
    ['v2/', 'api/v2/'],
    ['v2/second', 'api/v2/second'],
    ['guide/v2/second', 'api/v2/second'],
    ['V2/second', 'api/v2/second'],
    ['to-v2', 'api/v2/'],
  ])
    assert.equal(await leads(site, old!), now, old)
  assert.equal(await leads(site, 'v2/nowhere'), 404)
  assert.equal(await leads(site, 'api/v2/second'), 200)
  const lookup = await site.who.post('/v1/urls/published', { url: `http://lectern.test${site.address}v2/second` })
  assert.match(expect(lookup, 200).redirect, /\/api\/v2\/second$/)
  // There and back: the current place at an address comes first.
  expect(await move(v2, { sectionId: guide }), 200)
  assert.equal(await leads(site, 'v2/second'), 200)
  assert.equal(await leads(site, 'api/v2/second'), 'v2/second')
})

test("if a section's default moves away the next variant becomes default, and if the last one does the section is removed", async () => {
  const { site, guide, api, first, v2, call, move } = await aSiteWithSections()
  expect(await move(first, { sectionId: api }), 200)
  assert.deepEqual(await built(site), { 'guide!': ['v2!'], api: ['rest!', 'v1'] })
  // Addresses that it had as the default of the default section lead to it, unless something else is there.
  assert.equal(await leads(site, 'first'), 'api/v1/first')
  assert.equal(await leads(site, ''), 200)
  const source = { source: '/to-guide', destination: { kind: 'site-section', siteSectionId: guide } }
  expect(await site.who.post(`${site.path}/redirects`, source), 201)
  expect(await move(v2, { sectionId: api }), 200)
  assert.equal(await leads(site, 'to-guide'), 'v2/')
  assert.deepEqual(await built(site), { 'api!': ['rest!', 'v1', 'v2'] })
  assert.equal((await site.who.patch(`${site.path}/sections/${guide}`, { title: 'Gone' })).status, 404)
  for (const old of ['second', 'v2/second', 'guide/second', 'guide/v2/second'])
    assert.equal(await leads(site, old), old === 'v2/second' ? 200 : 'v2/second', old)
  assert.equal(await leads(site, 'api/call'), 'call')

  // Moving a space out of the only section moves all of its spaces to the root. From there, each can get a section of
  // its own.
  expect(await move(call, { sectionId: null }), 200)
  assert.deepEqual(await built(site), ['rest!', 'v1', 'v2'])
  assert.equal(await leads(site, 'api/v2/second'), 'v2/second')
  const { space } = expect(await site.who.get(`${site.path}/site-spaces`), 200).items.find(({ id }: any) => id === v2)
  const own = { spaceId: space.id, siteSpaceId: v2, title: 'Next', icon: 'gear' }
  const made = expect(await site.who.post(`${site.path}/sections`, own), 201)
  assert.deepEqual([made.title, made.icon, made.siteSpaces.map(({ id }: any) => id)], ['Next', 'gear', [v2]])
  assert.equal(await leads(site, 'v2/second'), 'next/second')
  assert.deepEqual(Object.values(await built(site)), [['rest!', 'v1'], ['v2!']])
  assert.equal((await site.who.post(`${site.path}/sections`, own)).status, 409)
  const other = { ...own, spaceId: site.space.id }
  assert.equal((await site.who.post(`${site.path}/sections`, other)).status, 400)
})

test('a move does not make a draft the default while something that readers see is left there', async () => {
  const { site, guide, api, first, v2, call, move } = await aSiteWithSections()
  const third = await aLiveSpace(app, site.org)
  idsOf(await third.edit(newPage('Welcome'), newPage('Third')))
  const v3 = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: third.id, sectionId: guide }), 201)
  expect(await move(v3.id, { path: 'v3' }), 200)
  expect(await move(v2, { draft: true }), 200)
  expect(await move(first, { sectionId: api }), 200)
  assert.deepEqual(await built(site), { 'guide!': ['v2', 'v3!'], api: ['rest!', 'v1'] })
  assert.equal(await leads(site, ''), 200)
  // The same for sections.
  expect(await site.who.post(`${site.path}/sections`, { spaceId: third.id, siteSpaceId: v3.id, title: 'Last' }), 201)
  expect(await site.who.patch(`${site.path}/sections/${api}`, { draft: true }), 200)
  expect(await site.who.delete(`${site.path}/sections/${guide}`), 205)
  assert.deepEqual(Object.keys(await built(site)), ['api', 'last!'])
  assert.equal(await leads(site, ''), 200)
  // If nothing else is left, a draft becomes the default.
  expect(await site.who.post(`${site.path}/unpublish`), 200)
  expect(await move(call, { draft: true }), 200)
  expect(await move(v3.id, { sectionId: api, path: 'v3' }), 200)
  assert.deepEqual(await built(site), { 'api!': ['rest!', 'v1', 'v3'] })
})

test('a variant is not moved to a taken path, to the root beside sections, or if readers would be left with nothing', async () => {
  const { site, guide, api, first, v2, call, move } = await aSiteWithSections()
  expect(await move(call, { path: 'v2' }), 200)
  const before = await built(site)
  const taken = await move(v2, { sectionId: api })
  assert.equal(taken.status, 409)
  assert.match(taken.body.error.message, /of that section already has this path/)
  assert.equal((await move(v2, { sectionId: null })).status, 409)
  assert.equal((await move(v2, { sectionId: 'x' })).status, 400)
  const elsewhere = await aSiteWithSections()
  assert.equal((await move(v2, { sectionId: elsewhere.api })).status, 400)
  assert.deepEqual(await built(site), before)
  assert.equal(await leads(site, 'v2/second'), 200)
  expect(await move(v2, { sectionId: api, path: 'v3' }), 200)
  assert.equal(await leads(site, 'v2/second'), 'api/v3/second')
  // Moving a space to the section that it is already in changes nothing.
  expect(await move(v2, { sectionId: api }), 200)

  expect(await site.who.patch(`${site.path}/sections/${api}`, { draft: true }), 200)
  const refused = await move(first, { sectionId: api })
  assert.equal(refused.status, 409)
  assert.match(refused.body.error.message, /the only content of the published site/)
  const named = { title: 'New', spaceId: site.space.id, siteSpaceId: first, draft: true }
  assert.equal((await site.who.post(`${site.path}/sections`, named)).status, 409)
  expect(await move(v2, { sectionId: guide }), 200)
  assert.equal(await leads(site, 'api/v3/second'), 'v3/second')
  assert.equal(await leads(site, 'v2/second'), 'v3/second')
})

test('a last section with a condition or a link beside it is not dissolved, so its content is not opened to others', async () => {
  const { site, guide, first, v2, call, move } = await aSiteWithSections()
  expect(await move(call, { sectionId: guide }), 200)
  await site.change({ adaptiveContent: { enabled: true } })
  expect(await site.who.patch(`${site.path}/sections/${guide}`, { condition: 'visitor.claims.pro == true' }), 200)
  assert.equal((await move(v2, { sectionId: null })).status, 409)
  expect(await site.who.patch(`${site.path}/sections/${guide}`, { condition: null }), 200)
  const link = { title: 'Status', url: 'https://status.example.com/' }
  const { id } = expect(await site.who.post(`${site.path}/external-links`, link), 201)
  assert.equal((await move(first, { sectionId: null })).status, 409)
  expect(await site.who.delete(`${site.path}/external-links/${id}`), 205)
  expect(await move(first, { sectionId: null }), 200)
  assert.deepEqual(await built(site), ['v1!', 'v2', 'rest'])
})

test('sections and variants with a new path, or no longer default, are still found at their former addresses', async () => {
  const { site, guide, api, first, v2, move } = await aSiteWithSections()
  expect(await site.who.patch(`${site.path}/sections/${api}`, { path: 'reference' }), 200)
  assert.equal(await leads(site, 'api/call'), 'reference/call')
  assert.equal(await leads(site, 'api/'), 'reference/')
  expect(await move(v2, { path: 'v3' }), 200)
  assert.equal(await leads(site, 'v2/second'), 'v3/second')
  assert.equal(await leads(site, 'guide/v2/'), 'v3/')
  await site.change({ defaultSiteSection: api })
  assert.equal(await leads(site, 'first'), 'guide/first')
  assert.equal(await leads(site, 'v3/second'), 'guide/v3/second')
  assert.equal(await leads(site, 'call'), 200)
  expect(await site.who.patch(`${site.path}/sections/${guide}`, { defaultSiteSpace: v2 }), 200)
  assert.equal(await leads(site, 'guide/first'), 'guide/v1/first')
  assert.equal(await leads(site, 'first'), 'guide/v1/first')
  assert.equal(await leads(site, 'first.md'), 'guide/v1/first.md')
  // A redirect that a user created takes precedence.
  const destination = { kind: 'external', url: 'https://example.org/' }
  expect(await site.who.post(`${site.path}/redirects`, { source: '/api/*', destination }), 201)
  assert.equal((await site.browser().get(`${site.address}api/call`)).location, 'https://example.org/')
  // Readers are not led to anything they may not see, and nothing leads to what is gone.
  expect(await move(first, { draft: true }), 200)
  assert.equal(await leads(site, 'first'), 404)
  expect(await site.who.delete(`${site.path}/site-spaces/${first}`), 205)
  assert.equal(await leads(site, 'first'), 404)
})

test('pages of successive former default variants are found at the addresses they had as default', async () => {
  const { site, guide, api, first, v2, move } = await aSiteWithSections()
  const show = (defaultSiteSpace: string) => site.who.patch(`${site.path}/sections/${guide}`, { defaultSiteSpace })
  const third = await aLiveSpace(app, site.org)
  idsOf(await third.edit(newPage('Welcome'), newPage('Third')))
  const v3 = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: third.id, sectionId: guide }), 201)
  expect(await move(v3.id, { path: 'v3' }), 200)
  for (const id of [v2, v3.id]) expect(await show(id), 200)
  for (const [old, now] of [
    ['first', 'v1/first'],
    ['second', 'v2/second'],
    ['guide/first', 'v1/first'],
    ['nowhere', 404],
  ])
    assert.equal(await leads(site, String(old)), now, String(old))

  // The same if a path was used by one after the other: the last one to have it comes first.
  expect(await move(v2, { path: 'latest' }), 200)
  expect(await move(v2, { path: 'old' }), 200)
  expect(await move(first, { path: 'latest' }), 200)
  expect(await move(first, { path: 'older' }), 200)
  assert.equal(await leads(site, 'latest/'), 'older/')
  assert.equal(await leads(site, 'latest/first'), 'older/first')
  assert.equal(await leads(site, 'latest/second'), 'old/second')
  expect(await move(first, { draft: true }), 200)
  assert.equal(await leads(site, 'latest/'), 'old/')
  assert.equal(await leads(site, 'latest/first'), 404)
  expect(await site.who.delete(`${site.path}/site-spaces/${first}`), 205)
  expect(await move(v2, { sectionId: api }), 200)
  assert.equal(await leads(site, 'latest/second'), 'api/old/second')
})

test('the RSS feed of a moved variant redirects to its new address', async () => {
  const { site, api, v2, move } = await aSiteWithSections()
  const updates = '{% updates %}\n{% update date="2026-01-02" %}\n## Hot\n\nTea\n{% endupdate %}\n{% endupdates %}\n'
  const { space } = expect(await site.who.get(`${site.path}/site-spaces`), 200).items.find(({ id }: any) => id === v2)
  const news = { operation: 'insert_page', document: { markdown: `# News\n\n${updates}` } }
  expect(await site.who.post(`/v1/spaces/${space.id}/content`, { changes: [news] }), 200)
  assert.equal(await leads(site, 'v2/news/rss.xml'), 200)
  expect(await move(v2, { sectionId: api }), 200)
  assert.equal(await leads(site, 'v2/news/rss.xml'), 'api/v2/news/rss.xml')
  assert.equal(await leads(site, 'api/v2/news/rss.xml'), 200)
  assert.equal(await leads(site, 'v2/nowhere/rss.xml'), 404)
})
