// Pages generated from a specification are not entries, but anyone who sees them may link to them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { newPage, newReference } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { petstore } from '../testing/petstore.ts'
import { putSpec } from '../testing/specs.ts'

const app = await startApp()

/** A published site with a page and the pages of the pet shop. `orders` is one of these, below another. */
async function aSiteWithReference() {
  const site = await aSite(app, { pages: [newPage('Welcome'), newReference('API reference')] })
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  const orders = expect(await site.who.get(`${site.space.path}/content/path/shop/orders`), 200)
  return { site, orders, reader: site.browser() }
}

/** The id of a generated page that does not exist. */
const unmade = '00000000-0000-8000-8000-000000000000'

test('a redirect can lead to a page made from a specification, named by its id or by its path', async () => {
  const { site, orders, reader } = await aSiteWithReference()
  const { siteSpaceId, space } = site
  const redirect = (source: string, destination: object) =>
    site.who.post(`${site.path}/redirects`, { source, destination })
  const kept = { kind: 'site-page', siteSpaceId, pageId: orders.id }

  expect(await redirect('/by-id', kept), 201)
  const made = expect(await redirect('/by-path', { kind: 'path', spaceId: space.id, path: 'shop/orders' }), 201)
  assert.deepEqual(made.destination, kept)
  for (const source of ['by-id', 'by-path']) {
    assert.equal((await reader.get(`${site.address}${source}`)).location, `${site.address}shop/orders`)
    const found = expect(await site.who.get(`${site.path}/redirect?source=/${source}`), 200)
    assert.equal(new URL(found.target).pathname, `${site.address}shop/orders`)
  }
  assert.equal((await redirect('/shop/orders', kept)).status, 400, 'it would go in a circle')
  assert.equal((await redirect('/nowhere', { ...kept, pageId: unmade })).status, 400)
  assert.equal((await redirect('/nowhere', { kind: 'path', spaceId: space.id, path: 'shop/none' })).status, 400)

  expect(await site.who.delete(`/v1/orgs/${site.org.id}/openapi/shop`), 205)
  assert.equal((await reader.get(`${site.address}by-id`)).status, 404)
})

test('many redirects to made pages can be created at once, and those to missing paths are refused', async () => {
  const { site } = await aSiteWithReference()
  // Nobody has read this revision yet.
  expect(await site.space.edit(newPage('More')), 200)
  const asked = await Promise.all(
    Array.from({ length: 24 }, async (_, i) => {
      const destination = { kind: 'path', spaceId: site.space.id, path: i % 2 ? 'shop/orders' : `shop/none-${i}` }
      return (await site.who.post(`${site.path}/redirects`, { source: `/many-${i}`, destination })).status
    }),
  )
  assert.deepEqual(
    asked,
    Array.from({ length: 24 }, (_, i) => (i % 2 ? 201 : 400)),
  )
})

test('links of a look lead to made pages, whether they name the space or not', async () => {
  const { site, orders, reader } = await aSiteWithReference()
  const link = (title: string, to: object) => ({ title, to, links: [] })
  const put = (...links: object[]) =>
    site.who.put(`${site.path}/customization`, { header: { preset: 'default', links } })
  const page = { kind: 'page', page: orders.id }

  const look = expect(
    await put(
      link('With', { ...page, space: site.space.id }),
      link('Without', page),
      link('Part', { ...page, kind: 'anchor', anchor: 'x' }),
    ),
    200,
  )
  assert.deepEqual(
    look.header.links.map(({ to }: any) => to.space),
    [site.space.id, site.space.id, site.space.id],
  )
  const { text } = await reader.get(site.address)
  const address = `${site.address}shop/orders`
  for (const [title, href] of [
    ['With', address],
    ['Without', address],
    ['Part', `${address}#x`],
  ]) {
    assert.match(text, new RegExp(`href="${href}"[^>]*>(?:<[^>]*>)*${title}`))
  }
  expect(
    await site.who.patch(`${site.path}/site-spaces/${site.siteSpaceId}/customization`, {
      footer: { groups: [{ title: 'More', links: [{ title: 'Orders', to: page }] }] },
    }),
    200,
  )
  assert.equal((await put(link('Nowhere', { kind: 'page', page: unmade }))).status, 400)
  assert.equal((await put(link('Nowhere', { kind: 'page', page: unmade, space: site.space.id }))).status, 400)
})

test('the app address of a made page resolves to it', async () => {
  const { site, orders } = await aSiteWithReference()
  const request = await site.space.changeRequest()
  const inDraft = expect(await site.who.get(`${request.path}/content/page/${orders.id}`), 200)
  for (const { urls } of [orders, inDraft]) {
    const { page } = expect(await site.who.get(`/v1/urls/content?url=${encodeURIComponent(urls.app)}`), 200)
    assert.deepEqual([page.id, page.title, page.urls], [orders.id, 'Orders', urls])
  }
})
