import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage, newReference } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { petstore } from '../openapi/testing/petstore.ts'
import { putSpec } from '../openapi/testing/specs.ts'

const app = await startApp()

const reference = newReference('API reference', { models: true })

/**
 * A space with the pages generated from the pet shop specification, and a guide that links to them in all ways, and to
 * a page that does not exist.
 */
async function aGuide() {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  await putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(petstore) })
  const [placeholder] = idsOf(await space.edit(reference))
  const { body } = await space.who.get(`${space.path}/content/pages`)
  const pets: string = body.pages.find(({ title }: { title: string }) => title === 'Pets').id
  const markdown = `[a](pets.md) [b](/pages/shop/orders) [c](/pages/${pets}#list-pets) [d](gone.md)`
  const [guide] = idsOf(await space.edit(newPage('Guide', { document: { markdown: `# Guide\n\n${markdown}` } })))
  return { space, placeholder: placeholder!, pets, guide: guide! }
}

interface Shown {
  status: string
  targetReference: { kind: string; url?: string; page?: { path: string } }
}

const leading = ({ status, targetReference: { page, url } }: Shown) => `${status} ${page?.path ?? url}`

test('links to pages made from a specification are resolved by path and by id', async () => {
  const { space, pets, guide, placeholder } = await aGuide()
  const expected = ['ok pets', 'ok shop/orders', 'ok pets', 'broken gone.md']
  for (const path of [`${space.path}/links`, `${space.path}/content/page/${guide}/links`]) {
    const { body } = await space.who.get(path)
    assert.deepEqual(body.items.map(leading), expected)
    assert.deepEqual([body.count, body.stats], [4, { total: 4, broken: { total: 1 } }])
    const { body: broken } = await space.who.get(`${path}?status=broken`)
    assert.deepEqual([broken.count, broken.items.map(leading)], [1, ['broken gone.md']])
    const { body: first } = await space.who.get(`${path}?status=ok&limit=2`)
    const { body: rest } = await space.who.get(`${path}?status=ok&limit=2&page=${first.next.page}`)
    assert.deepEqual([first.count, [...first.items, ...rest.items].map(leading)], [3, expected.slice(0, 3)])
  }

  const { body: backlinks } = await space.who.get(`${space.path}/content/page/${pets}/backlinks`)
  assert.deepEqual([backlinks.count, backlinks.items.map(({ page }: any) => page.id)], [1, [guide]])
  const { body: own } = await space.who.get(`${space.path}/content/page/${pets}/links`)
  assert.deepEqual([own.count, own.items], [0, []])
  const { body: shown } = await space.who.get(`${space.path}/content/page/${guide}?format=html`)
  assert.match(shown.html, /href="[^"]*\/shop\/orders">b<.*href="[^"]*\/pets#list-pets">c<.*href="gone.md">d</)

  await space.edit({ operation: 'delete_page', page: placeholder })
  const { body: after } = await space.who.get(`${space.path}/links`)
  assert.deepEqual(after.stats, { total: 4, broken: { total: 4 } })
  assert.equal((await space.who.get(`${space.path}/content/page/${pets}/links`)).status, 404)
  assert.equal((await space.who.get(`${space.path}/content/page/${pets}/backlinks`)).status, 404)
})

test('a change request resolves links to its own made pages, and not to those of the space', async () => {
  const { space, placeholder, pets, guide } = await aGuide()
  const { body: request } = await space.who.post(`${space.path}/change-requests`, { subject: 'Without' })
  const draft = `${space.path}/change-requests/${request.number}`
  const links = async () => (await space.who.get(`${draft}/links`)).body
  assert.deepEqual((await links()).stats, { total: 4, broken: { total: 1, changeRequest: 0 } })
  const { body: own } = await space.who.get(`${draft}/content/page/${pets}/links`)
  assert.deepEqual([own.count, own.stats.total], [0, 0])
  const { body: backlinks } = await space.who.get(`${draft}/content/page/${pets}/backlinks`)
  assert.deepEqual(
    backlinks.items.map(({ page }: any) => page.id),
    [guide],
  )

  const edit = (...changes: object[]) => space.who.post(`${draft}/content`, { changes })
  await edit({ operation: 'update_page', page: guide, document: { markdown: '# Guide\n\n[a](models.md)' } })
  assert.deepEqual((await links()).items.map(leading), ['ok models'])
  await edit({ operation: 'delete_page', page: placeholder })
  assert.deepEqual((await links()).items.map(leading), ['broken models.md'])
  assert.equal((await space.who.get(`${draft}/content/page/${pets}/links`)).status, 404)
})
