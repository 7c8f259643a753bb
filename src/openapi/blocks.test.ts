import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { newPage } from '../../test/editing.ts'
import { aSite } from '../../test/visitor.ts'
import { parse } from '../content/parse.ts'
import { drawArticle } from '../published/blocks/draw.ts'
import { Icons } from '../published/icons.ts'
import { loadSpecsFor, specStamp } from './blocks.ts'
import { petstore } from './testing/petstore.ts'
import { anOrganizationWithSpec, putSpec } from './testing/specs.ts'
import { anUpstream } from './testing/upstream.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

const operation = (path: string, method: string, spec = 'shop') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}\n\n`

/** A page as readers of a site of this organization see it. */
async function draw(organizationId: string, markdown: string) {
  const { blocks } = parse(markdown)
  const icons = new Icons()
  const { drawn, stamp } = await loadSpecsFor(app.app, organizationId, blocks, icons)
  const nowhere = { link: () => undefined, image: () => undefined, file: () => undefined }
  const { article } = await drawArticle(blocks, { ...nowhere, drawn }, icons)
  assert.equal(stamp, await specStamp(app.app, organizationId, blocks))
  return { markup: String(article), sprite: String(icons.sprite()), stamp }
}

test('blocks of a page show operations, webhooks and schemas of its organization, inside of other blocks too', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const { markup, sprite } = await draw(
    org.id,
    `Text before.\n\n{% tabs %}\n{% tab title="One" %}\n${operation('/pets', 'GET')}{% endtab %}\n{% endtabs %}\n\n` +
      `{% openapi-webhook spec="shop" name="petSold" method="post" %}\n{% endopenapi-webhook %}\n\n` +
      `{% openapi-schemas spec="shop" schemas="Dog, Cat" %}\n{% endopenapi-schemas %}\n\nText after.\n`,
  )
  assert.match(
    markup,
    /Text before.*aria-label="List pets".*aria-label="A pet was sold".*aria-label="Dog".*aria-label="Cat".*Text after/s,
  )
  for (const icon of ['copy', 'check', 'chev']) assert.ok(sprite.includes(`id="i-${icon}"`), icon)
})

test('the same operation twice has ids of its own, and a part that is not there leaves what its author wrote', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const { markup } = await draw(org.id, operation('/pets', 'get').repeat(2) + operation('/gone', 'get'))
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.ok(ids.length > 6)
  assert.equal(new Set(ids).size, ids.length)
  assert.match(markup, /<code>GET \/gone<\/code>/)
})

test('a page shows the newest version, and its stamp tells that it has changed', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const before = await draw(org.id, operation('/pets', 'get'))
  assert.equal((await draw(org.id, operation('/pets', 'get'))).markup, before.markup)
  const changed = structuredClone(petstore) as any
  changed.paths['/pets'].get.summary = 'Find pets'
  await putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(changed) })
  const after = await draw(org.id, operation('/pets', 'get'))
  assert.notEqual(after.stamp, before.stamp)
  assert.match(after.markup, /aria-label="Find pets"/)
  assert.equal((await draw(org.id, 'No specification here')).stamp, '')
})

test('the older form of the block names a specification by its slug or by the address it is fetched from', async () => {
  const org = await anOrganization(app)
  const upstream = await anUpstream({ '/openapi.json': JSON.stringify(petstore) })
  await putSpec(org.admin.client, org.id, 'shop', { url: upstream.url('/openapi.json') })
  for (const src of ['shop', upstream.url('/openapi.json')]) {
    const { markup } = await draw(
      org.id,
      `{% openapi src="${src}" path="/pets" method="post" %}\n${src}\n{% endopenapi %}\n`,
    )
    assert.match(markup, /aria-label="Add a pet"/, src)
  }
  const elsewhere = `{% openapi src="${upstream.url('/other.json')}" path="/pets" method="post" %}\n{% endopenapi %}\n`
  assert.doesNotMatch((await draw(org.id, elsewhere)).markup, /class="block op"/)
  assert.deepEqual(upstream.asked, ['/openapi.json'])
})

test('nothing of a specification is drawn for another organization', async () => {
  await anOrganizationWithSpec(app, petstore)
  const other = await anOrganization(app)
  assert.doesNotMatch((await draw(other.id, operation('/pets', 'get'))).markup, /List pets/)
})

test('readers of a site find the pages that are made from a specification, and see a new version at once', async () => {
  const site = await aSite(app)
  const { org, space } = site
  const put = (document: object) => putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(document) })
  await put(petstore)
  const ref = { kind: 'openapi', spec: 'shop' }
  const computed = { type: 'builtin:openapi', props: { models: true }, dependencies: { spec: { ref } } }
  const made = await space.edit(
    { operation: 'insert_page', type: 'computed', computed, metadata: { title: 'API' } },
    newPage('Last'),
  )
  assert.equal(made.status, 200, made.text)

  const reader = site.browser()
  const front = await reader.get(site.address)
  for (const path of ['pets', 'shop/orders', 'models'])
    assert.ok(front.text.includes(`href="${site.address}${path}"`), path)
  const page = await reader.get(`${site.address}pets`)
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>Pets/)
  assert.match(page.text, /id="list-pets".*<section class="block op" aria-label="List pets">/s)
  assert.equal((await reader.get(`${site.address}toys`)).status, 404)

  const changed = structuredClone(petstore) as any
  changed.paths['/pets'].get.summary = 'Find pets'
  changed.paths['/toys'] = { get: { summary: 'List toys', tags: ['toys'] } }
  await put(changed)
  assert.match((await reader.get(`${site.address}pets`)).text, /aria-label="Find pets"/)
  assert.equal((await reader.get(`${site.address}toys`)).status, 200)
})
