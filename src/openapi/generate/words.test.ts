// The words on pages generated from a specification that do not come from the specification.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { newPage, newReference } from '../../../test/editing.ts'
import { aSite, expect } from '../../../test/visitor.ts'
import { indexGenerated } from '../finding/index-generated.ts'
import { petstore } from '../testing/petstore.ts'
import { putSpec } from '../testing/specs.ts'

const app = await startApp()

const reference = newReference('API reference', { models: true })

test('fixed titles of pages generated from a specification are in the language of the space, at the same paths', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), reference] })
  const { who, org, space, address } = site
  await putSpec(who, org.id, 'shop', { text: JSON.stringify(petstore) })
  const say = async (language: string | null) => void expect(await who.patch(space.path, { language }), 200)
  const titles = async () => {
    const { text } = await site.browser().get(address)
    return ['other', 'webhooks', 'models'].map(
      (slug) => new RegExp(`href="${address}${slug}"[^>]*>(?:<[^>]*>)*([^<]+)<`).exec(text)?.[1],
    )
  }
  assert.deepEqual(await titles(), ['Other', 'Webhooks', 'Models'])
  await say('de')
  assert.deepEqual(await titles(), ['Weitere', 'Webhooks', 'Modelle'])
  assert.equal(await space.outline(), 'Welcome Pets Shop (Orders) Weitere Webhooks Modelle')
  const { text, status } = await site.browser().get(`${address}models`)
  assert.equal(status, 200)
  assert.match(text, /<title>Modelle /)
  await indexGenerated({ db: app.db, store: app.app.store, log: app.app.log })
  const found = expect(await who.get(`${space.path}/search?query=Modelle`), 200)
  assert.deepEqual(
    found.items.map(({ title, path }: any) => [title, path]),
    [['Modelle', 'models']],
  )
  await say('ja')
  assert.deepEqual(await titles(), ['その他', 'Webhook', 'モデル'])
  await say('zh-tw')
  assert.deepEqual(await titles(), ['其他', 'Webhook', '資料模型'])
  assert.match((await site.browser().get(`${address}models`)).text, /<title>資料模型 /)
  // A language without a translation.
  await say('fi')
  assert.deepEqual(await titles(), ['Other', 'Webhooks', 'Models'])
})

test('a tag named webhooks keeps its own name as a title in every language', async () => {
  const site = await aSite(app, { pages: [newPage('Welcome'), reference] })
  const tags = [{ name: 'webhooks' }]
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify({ ...petstore, tags }) })
  expect(await site.who.patch(site.space.path, { language: 'ru' }), 200)
  assert.match(await site.space.outline(), / Webhooks /)
})

test('a page that cannot show all of a specification says so in the language of its space', async () => {
  const schemas = Object.fromEntries(Array.from({ length: 1_002 }, (_, at) => [`S${at}`, { type: 'string' }]))
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'Many' }, paths: {}, components: { schemas } })
  const site = await aSite(app, { pages: [newPage('Welcome'), reference] })
  await putSpec(site.who, site.org.id, 'shop', { text })
  const end = async () => {
    const { markdown } = expect(await site.who.get(`${site.space.path}/content/path/models?format=markdown`), 200)
    return markdown.trim().split('\n').at(-1)
  }
  assert.equal(await end(), 'Not shown on this page: 2 more')
  expect(await site.who.patch(site.space.path, { language: 'de' }), 200)
  assert.equal(await end(), 'Auf dieser Seite nicht gezeigt: 2')
})
