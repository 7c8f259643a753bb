// Readers of one of several versions: where the sections of the site lead them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { aSite, expect } from '../../test/visitor.ts'

const app = await startApp()

/** Guide (v1, v2) and API (one, v2 by its title, v3 by its path), with a page below another in each. */
async function aSiteOfVersions() {
  const site = await aSite(app)
  const spaceOf = async () => {
    const space = await aLiveSpace(app, site.org)
    expect(await space.edit(newPage('Welcome'), newPage('Guide')), 200)
    return space.id
  }
  const api = expect(await site.who.post(`${site.path}/sections`, { spaceId: await spaceOf(), title: 'API' }), 201)
  const [guide] = expect(await site.who.get(`${site.path}/sections`), 200).items
  expect(await site.who.patch(`${site.path}/sections/${guide.id}`, { title: 'Manual', path: 'manual' }), 200)
  const version = async (sectionId: string, title: string, path: string) => {
    const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: await spaceOf(), sectionId }), 201)
    expect(await site.who.patch(`${site.path}/site-spaces/${id}`, { title, path }), 200)
    return id as string
  }
  await version(guide.id, 'Version 2', 'v2')
  await version(guide.id, 'Version 3', 'v3')
  await version(guide.id, 'Version 4', 'v4')
  const second = await version(api.id, 'Version 2', 'second')
  await version(api.id, 'The third', 'v3')
  const read = async (path: string) => (await site.browser().get(site.address + path)).text
  /** Where the tabs lead, and the crumb above the page. */
  const leads = async (path: string) => {
    const text = await read(path)
    const [bar] = /<nav class="wrap sections"[^]*?<\/nav>/.exec(text)!
    const [crumbs] = /<nav class="crumbs"[^]*?<\/nav>/.exec(text)!
    const hrefs = (part: string) => [...part.matchAll(/<a[^>]* ?href="([^"]+)"/g)].map(([, href]) => below(href!))
    return { tabs: hrefs(bar), crumb: hrefs(crumbs)[0] }
  }
  const below = (href: string) => href.slice(site.address.length)
  return { site, second, leads }
}

test("readers of a version stay in it through the section's tab and breadcrumb, and in other sections that have it", async () => {
  const { site, second, leads } = await aSiteOfVersions()
  assert.deepEqual(await leads('guide'), { tabs: ['', 'api/'], crumb: '' })
  assert.deepEqual(await leads('v2/guide'), { tabs: ['v2/', 'api/second/'], crumb: 'v2/' })
  assert.deepEqual(await leads('v3/guide'), { tabs: ['v3/', 'api/v3/'], crumb: 'v3/' })
  assert.deepEqual(await leads('v4/guide'), { tabs: ['v4/', 'api/'], crumb: 'v4/' })
  assert.deepEqual(await leads('api/second/guide'), { tabs: ['v2/', 'api/second/'], crumb: 'api/second/' })
  // The address alone decides: what was read before changes nothing.
  assert.deepEqual(await leads('guide'), { tabs: ['', 'api/'], crumb: '' })

  expect(await site.who.patch(`${site.path}/site-spaces/${second}`, { draft: true }), 200)
  assert.deepEqual(await leads('v2/guide'), { tabs: ['v2/', 'api/'], crumb: 'v2/' })
})

test('the old address of a page still leads to it after a section or version with the same prefix is added', async () => {
  const api = newPage('API')
  const site = await aSite(app, { pages: [newPage('Welcome'), api] })
  const [, { id: into }] = expect(await site.who.get(`${site.space.path}/content/pages`), 200).pages
  expect(await site.space.edit(newPage('Keys', { into })), 200)
  const leads = async (path: string) => {
    const { status, location } = await site.browser().get(site.address + path)
    return location === undefined ? status : location.slice(site.address.length)
  }
  assert.equal(await leads('api/keys'), 200)
  const other = await aLiveSpace(app, site.org)
  expect(await other.edit(newPage('Welcome'), newPage('Calls')), 200)
  const [{ path: own }] = expect(await site.who.get(`${site.path}/site-spaces`), 200).items

  // First a version of that name, then a section.
  const { id } = expect(await site.who.post(`${site.path}/site-spaces`, { spaceId: other.id }), 201)
  expect(await site.who.patch(`${site.path}/site-spaces/${id}`, { path: 'api' }), 200)
  assert.equal(await leads('api/calls'), 200)
  assert.equal(await leads('api/keys'), `${own}/api/keys`)
  assert.equal(await leads('api/nowhere'), 404)
  const body = { spaceId: other.id, siteSpaceId: id, title: 'Rest' }
  const { id: section } = expect(await site.who.post(`${site.path}/sections`, body), 201)
  assert.equal(await leads('api/keys'), 200)
  expect(await site.who.patch(`${site.path}/sections/${section}`, { path: 'api' }), 200)
  assert.equal(await leads('api/calls'), 200)
  assert.match(String(await leads('api/keys')), /^[^/]+\/api\/keys$/)
  assert.equal(await leads(String(await leads('api/keys'))), 200)
})
