import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../../test/editing.ts'
import { anOrganization } from '../../../test/factories.ts'
import { everything } from '../testing/everything.ts'
import { petstore } from '../testing/petstore.ts'
import { putSpec } from '../testing/specs.ts'

const app = await startApp()

const computed = (spec: string, props: object = { models: true }) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
})

const insert = (spec: string, more: object = {}, props?: object) => ({
  operation: 'insert_page',
  type: 'computed',
  computed: computed(spec, props),
  metadata: { title: 'API reference' },
  ...more,
})

/** A space with a page, pages generated from the pet shop, and another page. */
async function aReference(document: object = petstore) {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const put = (changed: object) => putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(changed) })
  await put(document)
  const [before, reference, after] = idsOf(
    await space.edit(newPage('Before'), insert('shop'), newPage('Pets', { metadata: { title: 'Pets' } })),
  )
  return { org, space, put, before: before!, reference: reference!, after: after! }
}

interface Shown {
  id: string
  title: string
  slug: string
  path: string
  type: string
  pages?: Shown[]
  computed?: object
}

const named = (pages: Shown[], title: string): Shown => {
  const found = pages.flatMap(function all(each): Shown[] {
    return [each, ...(each.pages ?? []).flatMap(all)]
  })
  return found.find((each) => each.title === title) ?? assert.fail(`${title} is missing`)
}

test('an OpenAPI computed page is listed as pages for its tags, or as itself with computed=false', async () => {
  const { space, reference } = await aReference()
  assert.equal(await space.outline(), 'Before Pets Shop (Orders) Other Webhooks Models Pets')
  const { body } = await space.who.get(`${space.path}/content/pages`)
  const pets = named(body.pages, 'Pets')
  assert.deepEqual([pets.type, pets.slug, pets.path], ['document', 'pets-1', 'pets-1'])
  assert.deepEqual(pets.computed, computed('shop', { doc: 'operations', page: 'pets' }))
  assert.equal(named(body.pages, 'Orders').path, 'shop/orders')
  const shop = named(body.pages, 'Shop')
  assert.deepEqual(shop.computed, computed('shop', { doc: 'info', page: 'shop' }))
  const { body: front } = await space.who.get(`${space.path}/content/page/${shop.id}?format=markdown`)
  assert.match(front.markdown, new RegExp(`content-ref url="/pages/${shop.pages![0]!.id}"`))
  assert.deepEqual(named(body.pages, 'Models').computed, computed('shop', { doc: 'models' }))

  const plain = (await space.who.get(`${space.path}/content/pages?computed=false`)).body.pages
  assert.deepEqual(
    plain.map(({ id, type }: Shown) => [id === reference, type]),
    [
      [false, 'document'],
      [true, 'computed'],
      [false, 'document'],
    ],
  )
  const { body: revision } = await space.who.get(`${space.path}/content`)
  assert.deepEqual(revision.pages, body.pages)
})

test('pages of two specifications with the same tags get different paths, which do not swap when the pages move', async () => {
  const { org, space } = await aReference()
  await putSpec(org.admin.client, org.id, 'store', { text: JSON.stringify(petstore) })
  const [second] = idsOf(await space.edit(insert('store')))
  const paths = async () => {
    const { body } = await space.who.get(`${space.path}/content/pages`)
    return (body.pages as Shown[]).map(({ path }) => path).join(' ')
  }
  const own = 'before pets-1 shop other webhooks models pets'
  const added = 'pets-2 shop-1 other-1 webhooks-1 models-1'
  assert.equal(await paths(), `${own} ${added}`)
  const { body } = await space.who.get(`${space.path}/content/path/pets-2?format=markdown`)
  assert.match(body.markdown, /\{% openapi-operation spec="store" path="\/pets" method="get" %\}/)

  await space.edit({ operation: 'update_page', page: second!, at: 0 })
  assert.equal(await paths(), `${added} ${own}`)
})

test('a generated page is read by id and by path, in every format, in main, change requests and revisions', async () => {
  const { space } = await aReference()
  const { body: revision } = await space.who.get(`${space.path}/content`)
  const pets = named(revision.pages, 'Pets')
  const request = await space.changeRequest()
  for (const at of [`${space.path}/content`, `${request.path}/content`, `${space.path}/revisions/${revision.id}`]) {
    const { status, body } = await space.who.get(`${at}/page/${pets.id}?format=markdown`)
    assert.equal(status, 200, at)
    assert.match(body.markdown, /All about \*\*pets\*\*\./)
    assert.match(body.markdown, /## List pets\n\n\{% openapi-operation spec="shop" path="\/pets" method="get" %\}/)
    const { body: byPath } = await space.who.get(`${at}/path/${pets.path}?format=markdown`)
    assert.deepEqual(byPath, body)
  }
  const { body: page } = await space.who.get(`${space.path}/content/page/${pets.id}?format=document`)
  const operation = page.document.nodes.find(({ type }: { type: string }) => type === 'openapi-operation')
  assert.deepEqual(operation.data, { ref: { kind: 'openapi', spec: 'shop' }, path: '/pets', method: 'get' })
  assert.equal(page.computedSeed, pets.id)
  assert.equal(page.documentId, undefined)
  const { body: document } = await space.who.get(`${space.path}/revisions/${revision.id}/page/${pets.id}/document`)
  assert.deepEqual(document, page.document)
  const { body: html } = await space.who.get(`${space.path}/content/page/${pets.id}?format=html`)
  assert.match(html.html, /<h2 id="list-pets">List pets<\/h2>/)
  assert.equal((await space.who.get(`${space.path}/content/page/${pets.id}?computed=false`)).status, 404)
})

test('an inserted computed page is readable at the location returned to its author, but not in main or by guests', async () => {
  const { org, space } = await aReference()
  const request = await space.changeRequest()
  const { body } = await space.who.post(`${request.path}/content?compat=false`, { changes: [insert('shop')] })
  const { id, urls } = body.changes[0].page
  const at = new URL(urls.location).pathname
  const plain = await space.who.get(`${at}?computed=false`)
  assert.deepEqual([plain.body.id, plain.body.type], [id, 'computed'])
  assert.deepEqual((await space.who.get(at)).body, plain.body)
  assert.equal((await space.who.get(`${space.path}/content/page/${id}`)).status, 404)
  assert.equal((await (await org.member(null)).client.get(at)).status, 404)
})

test('a new version of a specification changes generated pages, which keep their ids, but no authored page', async () => {
  const { space, put, before } = await aReference()
  const read = async () => (await space.who.get(`${space.path}/content`)).body
  const first = await read()
  const changed = structuredClone(petstore) as any
  changed.paths['/pets'].get.summary = 'Find pets'
  changed.paths['/toys'] = { get: { summary: 'List toys', tags: ['toys'] } }
  await put(changed)
  const second = await read()
  assert.equal(second.id, first.id)
  assert.equal(await space.outline(), 'Before Pets Shop (Orders) Toys Other Webhooks Models Pets')
  const pets = named(second.pages, 'Pets')
  assert.equal(pets.id, named(first.pages, 'Pets').id)
  const { body } = await space.who.get(`${space.path}/content/page/${pets.id}?format=markdown`)
  assert.match(body.markdown, /## Find pets/)
  const { body: written } = await space.who.get(`${space.path}/content/page/${before}?format=markdown`)
  assert.equal(written.markdown, '# Before\n\nText of Before\n')
})

test('a computed page stays in the tree if its specification is missing, broken or deleted', async () => {
  const { org, space, reference } = await aReference()
  await space.edit(insert('missing'))
  await putSpec(org.admin.client, org.id, 'broken', { text: '{' })
  await space.edit(insert('broken'))
  const { body } = await space.who.get(`${space.path}/content/pages`)
  assert.deepEqual(
    body.pages
      .filter(({ type }: Shown) => type === 'computed')
      .map(({ computed }: any) => computed.dependencies.spec.ref.spec),
    ['missing', 'broken'],
  )
  await org.admin.client.delete(`/v1/orgs/${org.id}/openapi/shop`)
  const { body: left } = await space.who.get(`${space.path}/content/pages`)
  assert.ok(left.pages.some(({ id }: Shown) => id === reference))
})

test('a specification of another organization with the same slug is never used, nor are its pages readable', async () => {
  const mine = await aReference()
  const other = await anOrganization(app)
  const space = await aLiveSpace(app, other)
  await space.edit(insert('shop'))
  const { body } = await space.who.get(`${space.path}/content/pages`)
  assert.equal(body.pages[0].type, 'computed')
  const pets = named((await mine.space.who.get(`${mine.space.path}/content/pages`)).body.pages, 'Pets')
  assert.equal((await space.who.get(`${space.path}/content/page/${pets.id}`)).status, 404)
})

test('texts in a specification do not work as includes, conditions, variables or blocks, and odd tags do no harm', async () => {
  const description = [
    '# Big',
    '{% include "../secret.md" %}',
    '{% if visitor.claims.x %}\nhidden\n{% endif %}',
    'Value: {{ space.vars.secret }}',
    '- one\n- two',
    '{% openapi-operation spec="other" path="/x" method="get" %}\n{% endopenapi-operation %}',
  ].join('\n\n')
  const tags = [
    { name: 'a', description, 'x-parent': 'b' },
    { name: 'b', 'x-parent': 'a' },
    { name: 'c', 'x-parent': 'c' },
    { name: 7 },
    null,
    { name: 'empty' },
  ]
  const operation = (tag: unknown, summary: unknown) => ({ get: { tags: [tag], summary } })
  const { space } = await aReference({
    openapi: '3.1.0',
    info: { title: 'Odd' },
    tags,
    paths: {
      '/1': operation('a', 'One {% include "x" %} *two*\n# three'),
      '/2': operation('b', 7),
      '/3': operation('c', '{{ space.vars.secret }}'),
      '/4': operation({}, 'None'),
    },
  })
  assert.equal(await space.outline(), 'Before A B C Other Pets')
  const { body } = await space.who.get(`${space.path}/content/path/a?format=markdown`)
  assert.doesNotMatch(body.markdown, /^\{% (include|if|openapi-operation spec="other")|^# Big/m)
  const { body: evaluated } = await space.who.get(`${space.path}/content/path/a?format=html&evaluated=true`)
  assert.match(evaluated.html, /Value: space\.vars\.secret/)
  assert.match(evaluated.html, /<h2[^>]*>One \{% include "?(&quot;)?x.*\*two\* # three<\/h2>/)
})

test('the external docs link of a tag is on the page of the tag, that of the specification on the first page', async () => {
  const first = { name: 'first', description: 'Begin here.' }
  const { space } = await aReference({ ...everything, tags: [first, ...everything.tags] })
  // A tag without a description and without a web link gets no page.
  assert.equal(await space.outline(), 'Before First Parcels Models Pets')
  const read = async (path: string) =>
    (await space.who.get(`${space.path}/content/path/${path}?format=markdown`)).body.markdown as string
  const all = '[The whole manual](https://docs.example.com/all)'
  assert.match(
    await read('parcels'),
    /^All about parcels\.\n\n\[Read more\]\(https:\/\/docs\.example\.com\/parcels\)$/m,
  )
  assert.ok(!(await read('parcels')).includes(all))
  assert.ok((await read('first')).includes(`Begin here.\n\n${all}`))
})

test('a machine-style tag name becomes a readable page title, with its usual slug', async () => {
  const operation = (tag: string) => ({ get: { tags: [tag], responses: {} } })
  const { space } = await aReference({
    openapi: '3.1.0',
    info: { title: 'Odd' },
    paths: {
      '/1': operation('audit-log'),
      '/2': operation('pet_shops'),
      '/3': operation('E-mail'),
      '/4': operation('-'),
    },
  })
  const { body } = await space.who.get(`${space.path}/content/pages`)
  assert.deepEqual(
    body.pages.slice(1, 5).map(({ title, slug }: Shown) => [title, slug]),
    [
      ['Audit log', 'audit-log'],
      ['Pet shops', 'pet-shops'],
      ['E-mail', 'e-mail'],
      ['-', 'page'],
    ],
  )
})
