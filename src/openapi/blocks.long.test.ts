import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { newPage, newReference } from '../../test/editing.ts'
import { until } from '../../test/until.ts'
import { aSite } from '../../test/visitor.ts'
import { anotherNode } from '../audience/testing/another-node.ts'
import { parse } from '../content/parse.ts'
import { drawArticle } from '../published/blocks/draw.ts'
import { Icons } from '../published/icons/icons.ts'
import { sql } from '../db/sql.ts'
import { sweepFiles } from '../files/sweep.task.ts'
import { purge } from '../jobs/purge.task.ts'
import { StoreUnavailable } from '../storage/store.ts'
import { loadSpecsFor } from './blocks.ts'
import { petstore } from './testing/petstore.ts'
import { anOrganizationWithSpec, putSpec } from './testing/specs.ts'
import { anUpstream, silence } from './testing/upstream.ts'

const app = await startApp({ LECTERN_FETCH_ALLOW: '127.0.0.1' })

const operation = (path: string, method: string, spec = 'shop') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}\n\n`

/** Renders a page as readers of a site of this organization see it. */
async function draw(organizationId: string, markdown: string) {
  const { blocks } = parse(markdown)
  const icons = new Icons()
  const { drawn } = await loadSpecsFor(app.app, organizationId, blocks, icons)
  const nowhere = { link: () => undefined, image: () => undefined, file: () => undefined }
  const { article } = await drawArticle(blocks, { ...nowhere, drawn }, icons)
  return { markup: String(article), sprite: String(icons.sprite()) }
}

test('blocks show operations, webhooks and schemas of their organization, also inside other blocks', async () => {
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

test('a repeated operation gets unique ids, and a missing operation shows what its author wrote', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const { markup } = await draw(org.id, operation('/pets', 'get').repeat(2) + operation('/gone', 'get'))
  const ids = [...markup.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.ok(ids.length > 6)
  assert.equal(new Set(ids).size, ids.length)
  assert.match(markup, /<code>GET \/gone<\/code>/)
})

test('an operation shows its summary as a heading, unless a heading comes before it', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const titles = async (markdown: string) =>
    [...(await draw(org.id, markdown)).markup.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title)
  assert.deepEqual(await titles(`Text.\n\n${operation('/pets', 'get')}`), ['List pets'])
  assert.deepEqual(await titles(`## All of them\n\n${operation('/pets', 'get')}`), ['All of them'])
})

test('a schema says its name, unless the heading before it does', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const names = async (markdown: string) =>
    [...(await draw(org.id, markdown)).markup.matchAll(/<h[23][^>]*>([^<]*)/g)].map(([, name]) => name)
  const schemas = (list: string) => `{% openapi-schemas spec="shop" schemas="${list}" %}\n{% endopenapi-schemas %}\n`
  assert.deepEqual(await names(`## Cat\n\n${schemas('Cat')}`), ['Cat'])
  assert.deepEqual(await names(`## Animals\n\n${schemas('Cat')}`), ['Animals', 'Cat'])
  assert.deepEqual(await names(`## Cat\n\n${schemas('Cat, Dog')}`), ['Cat', 'Cat', 'Dog'])
})

test('a page shows the newest version of a specification', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const before = await draw(org.id, operation('/pets', 'get'))
  assert.equal((await draw(org.id, operation('/pets', 'get'))).markup, before.markup)
  const changed = structuredClone(petstore) as any
  changed.paths['/pets'].get.summary = 'Find pets'
  await putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(changed) })
  const after = await draw(org.id, operation('/pets', 'get'))
  assert.match(after.markup, /aria-label="Find pets"/)
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

test('a page that failed while the store was unavailable works right after the store is back', async (t) => {
  const site = await aSite(app, {
    pages: [{ ...newPage('Pets'), document: { markdown: `# Pets\n\n${operation('/pets', 'get')}` } }],
  })
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  const read = () => site.browser().get(site.address)
  const broken = t.mock.method(app.app.store, 'get', async () => {
    throw new StoreUnavailable('The store is away')
  })
  assert.equal((await read()).status, 503)
  broken.mock.restore()
  const page = await read()
  assert.equal(page.status, 200)
  assert.match(page.text, /aria-label="List pets"/)
})

test('a specification is never shown to another organization', async () => {
  await anOrganizationWithSpec(app, petstore)
  const other = await anOrganization(app)
  assert.doesNotMatch((await draw(other.id, operation('/pets', 'get'))).markup, /List pets/)
})

test('readers of a site find the pages made from a specification, and see a new version at once', async () => {
  const site = await aSite(app)
  const { org, space } = site
  const put = (document: object) => putSpec(org.admin.client, org.id, 'shop', { text: JSON.stringify(document) })
  await put(petstore)
  const made = await space.edit(newReference('API', { models: true }), newPage('Last'))
  assert.equal(made.status, 200, made.text)

  const reader = site.browser()
  const front = await reader.get(site.address)
  for (const path of ['pets', 'shop/orders', 'models'])
    assert.ok(front.text.includes(`href="${site.address}${path}"`), path)
  const page = await reader.get(`${site.address}pets`)
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>Pets/)
  assert.match(page.text, /id="list-pets".*<section class="block op" aria-label="List pets">/s)
  assert.match(page.text, /<div class="subbar">.*<a href="#list-pets">List pets<\/a>/s, 'what is on the page is listed')
  assert.equal((await reader.get(`${site.address}toys`)).status, 404)

  const changed = structuredClone(petstore) as any
  changed.paths['/pets'].get.summary = 'Find pets'
  changed.paths['/toys'] = { get: { summary: 'List toys', tags: ['toys'] } }
  await put(changed)
  assert.match((await reader.get(`${site.address}pets`)).text, /aria-label="Find pets"/)
  assert.equal((await reader.get(`${site.address}toys`)).status, 200)
})

test('the Markdown of a page and of a whole site includes operations and schemas', async () => {
  const site = await aSite(app, {
    pages: [
      newPage('Calls', {
        document: {
          markdown:
            `# Calls\n\nBefore.\n\n{% tabs %}\n{% tab title="One" %}\n${operation('/pets', 'get')}{% endtab %}\n{% endtabs %}\n\n` +
            `${operation('/pets', 'post')}${operation('/gone', 'get')}` +
            `{% openapi-schemas spec="shop" schemas="Cat" %}\n{% endopenapi-schemas %}\n\nAfter.\n\n` +
            `## Cat\n\n{% openapi-schemas spec="shop" schemas="Cat" %}\n{% endopenapi-schemas %}\n`,
        },
      }),
    ],
  })
  await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })
  for (const path of ['index.md', 'llms-full.txt']) {
    const { text } = await site.browser().get(site.address + path)
    assert.match(text, /Before\..*`GET \/pets`.*- `limit` \(`integer`\): Default: `20`\. 1 to 100\.\n/s, path)
    assert.match(text, /\n## List pets\n+ *`GET \/pets`.*\n## Add a pet\n+`POST \/pets`/s, path)
    assert.match(text, /- `colour` \(`string`, deprecated\)/i, path)
    assert.match(text, /- `status` \(`enum`\): Only pets with this \*status\*\. `available`, `sold`\./, path)
    assert.match(
      text,
      /`POST \/pets`.*- `name` \(`string`, required\): What it is called\. 1 to 64 characters\./s,
      path,
    )
    assert.match(text, /```bash\ncurl 'https:\/\/eu\.pets\.example\/v1\/pets' \\\n {2}--request POST/, path)
    assert.match(
      text,
      /`201` \(`application\/json`\): Added\n\nHeaders:\n\n- `Location` .*Body:\n\n- `name`.*"name": "Rex"/s,
      path,
    )
    assert.match(text, /\*\*Cat\*\*\n\n- `lives` \(`integer`\): `9`\.\n\nAfter\./, path)
    assert.match(text, /After\.\n\n## Cat\n\n- `lives` \(`integer`\)/, path)
    // A block whose operation does not exist stays as its author wrote it.
    assert.match(text, /openapi-operation spec="shop" path="\/gone"/, path)
  }
})

test('a block of the older form shows an operation from a file of its space, and nothing for other files', async () => {
  const site = await aSite(app)
  const { space } = site
  const files = [
    { name: 'api.json', text: JSON.stringify(petstore) },
    { name: 'notes.txt', text: 'No specification' },
  ].map(({ name, text }) => ({ name, contentType: 'text/plain', base64: Buffer.from(text).toString('base64') }))
  const made = await space.edit({ operation: 'insert_files', files })
  assert.equal(made.status, 200, made.text)
  const [api, notes] = made.body.insertedFiles.map(({ id }: { id: string }) => id)
  const block = (id: string) => `{% openapi src="/files/${id}" path="/pets" method="get" %}\n${id}\n{% endopenapi %}\n`
  const page = await space.edit({
    operation: 'insert_page',
    document: { markdown: `# Pets\n\n${block(api)}\n${block(notes)}\n\nThe end\n` },
  })
  assert.equal(page.status, 200, page.text)
  const { text } = await site.browser().get(`${site.address}pets`)
  assert.equal([...text.matchAll(/aria-label="List pets"/g)].length, 1)
  assert.match(text, /The end/)
})

test('a cached file counts by the size of its content, and not by the size it is written in', async () => {
  const site = await aSite(app)
  // A text of 20,000 characters, used by alias in 300 places: 26 kilobytes turn into six million characters.
  const texts = Array.from({ length: 300 }, (_, at) => `    p${at}: { description: *t }`).join('\n')
  const yaml = `openapi: 3.1.0\npaths: { /pets: { get: { summary: Pets } } }\nx-t: &t "${'x'.repeat(20_000)}"\ncomponents:\n  schemas:\n${texts}\n`
  const file = { name: 'api.yaml', contentType: 'text/yaml', base64: Buffer.from(yaml).toString('base64') }
  const made = await site.space.edit({ operation: 'insert_files', files: [file] })
  const block = `{% openapi src="/files/${made.body.insertedFiles[0].id}" path="/pets" method="get" %}\n{% endopenapi %}`
  await site.space.edit({ operation: 'insert_page', document: { markdown: `# Pets\n\n${block}\n` } })
  const before = app.app.openapi.keptBytes
  assert.match((await site.browser().get(`${site.address}pets`)).text, /aria-label="Pets"/)
  assert.ok(app.app.openapi.keptBytes - before > 6_000_000)
})

test('a file with an unreachable reference is retried after a pause, and its page then shows it', async (t) => {
  const site = await aSite(app)
  const upstream = await anUpstream({ '/pets.json': { status: 503 } })
  const document = { openapi: '3.1.0', paths: { '/pets': { $ref: upstream.url('/pets.json') } } }
  const base64 = Buffer.from(JSON.stringify(document)).toString('base64')
  const file = { name: 'api.json', contentType: 'application/json', base64 }
  const made = await site.space.edit({ operation: 'insert_files', files: [file] })
  const block = `{% openapi src="/files/${made.body.insertedFiles[0].id}" path="/pets" method="get" %}\n{% endopenapi %}`
  await site.space.edit({ operation: 'insert_page', document: { markdown: `# Pets\n\n${block}\n\nThe end\n` } })
  const read = async () => {
    const { status, text } = await site.browser().get(`${site.address}pets`)
    assert.equal(status, 200)
    assert.match(text, /The end/)
    return text.includes('aria-label="List pets"')
  }
  for (const _ of [1, 2]) assert.equal(await read(), false)
  assert.deepEqual(upstream.asked, ['/pets.json'], 'whoever comes next does not wait for it')

  upstream.files['/pets.json'] = JSON.stringify(petstore.paths['/pets'])
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + 60_000)
  assert.equal(await read(), true)
  assert.equal(await read(), true)
  assert.equal(upstream.asked.length, 2)
})

test('a page waits briefly for files that refer to a silent server, and other pages do not wait', async () => {
  const upstream = await anUpstream({ '/pets.json': silence })
  const aSiteShowing = async (documents: object[]) => {
    const site = await aSite(app)
    const files = documents.map((document, at) => ({
      name: `api-${at}.json`,
      contentType: 'application/json',
      base64: Buffer.from(JSON.stringify(document)).toString('base64'),
    }))
    const { body } = await site.space.edit({ operation: 'insert_files', files })
    const block = ({ id }: { id: string }) =>
      `{% openapi src="/files/${id}" path="/pets" method="get" %}\n{% endopenapi %}\n\n`
    const markdown = `# Pets\n\n${body.insertedFiles.map(block).join('')}The end\n`
    await site.space.edit({ operation: 'insert_page', document: { markdown } })
    return async () => (await site.browser().get(`${site.address}pets`)).text
  }
  const elsewhere = (at: number) => ({
    openapi: '3.1.0',
    info: { title: `${at}` },
    paths: { '/pets': { $ref: upstream.url('/pets.json') } },
  })
  const readSlow = await aSiteShowing([0, 1, 2].map(elsewhere))
  const readQuick = await aSiteShowing([petstore])
  const from = performance.now()
  const slow = readSlow()
  await until('it is asked', () => upstream.asked.length > 0)
  assert.match(await readQuick(), /aria-label="List pets"/)
  assert.ok(performance.now() - from < 4_000, 'others do not wait')
  assert.match(await slow, /The end/)
  assert.ok(performance.now() - from < 8_000, 'all of them together are waited for, for a moment')
  assert.equal(upstream.asked.length, 1)
})

test('an unreadable file is not read again for each block that shows it', async (t) => {
  const site = await aSite(app)
  const file = { name: 'api.json', contentType: 'text/plain', base64: Buffer.from('{"openapi": 9}').toString('base64') }
  const { body } = await site.space.edit({ operation: 'insert_files', files: [file] })
  const [{ id }] = body.insertedFiles
  const block = (at: number) => `{% openapi src="/files/${id}" path="/pets${at}" method="get" %}\n{% endopenapi %}\n\n`
  const markdown = `# Pets\n\n${Array.from({ length: 12 }, (_, at) => block(at)).join('')}The end\n`
  // Starts before the page exists, because indexing for search also reads what pages show.
  const get = t.mock.method(app.app.store, 'get')
  await site.space.edit({ operation: 'insert_page', document: { markdown } })
  assert.match((await site.browser().get(`${site.address}pets`)).text, /The end/)
  assert.ok(get.mock.callCount() <= 2, `${get.mock.callCount()}`)
})

/** Adds copies of a version, as if they had been stored that many days ago. */
const copyVersion = (id: string, count: number, days: number) =>
  app.db.run(sql`
    insert into openapi_spec_versions (organization_id, spec_id, id, document_blob, externals_blob, externals, source_blob, format, created_at)
    select organization_id, spec_id, gen_random_uuid(), document_blob, externals_blob, externals, source_blob, format,
      now() - ${days} * interval '1 day' - n * interval '1 minute'
    from openapi_spec_versions, generate_series(1, ${count}) n where id = ${id}`)

test('old versions are purged, except the newest twenty and those of the last 90 days', async () => {
  const { org, spec } = await anOrganizationWithSpec(app, petstore)
  const copy = (count: number, days: number) => copyVersion(spec.lastVersion, count, days)
  const ages = async () => {
    await purge.run(app.context)
    return app.db.all(sql<{ count: number; old: boolean }>`
      select count(*), created_at < now() - interval '90 days' as old from openapi_spec_versions
      where organization_id = ${org.id} group by 2 order by 2`)
  }
  await copy(5, 100)
  await copy(8, 1)
  assert.deepEqual(await ages(), [
    { count: 9, old: false },
    { count: 5, old: true },
  ])
  await copy(15, 2)
  assert.deepEqual(await ages(), [{ count: 24, old: false }])
})

test('the version that pages show is never purged, however old it is and however many are newer', async () => {
  const site = await aSite(app, {
    pages: [{ ...newPage('Pets'), document: { markdown: `# Pets\n\n${operation('/pets', 'get')}` } }],
  })
  const shown = (await putSpec(site.who, site.org.id, 'shop', { text: JSON.stringify(petstore) })).lastVersion
  await copyVersion(shown, 30, 200)
  await copyVersion(shown, 25, 100)
  await app.db.run(sql`
    update openapi_spec_versions set created_at = now() - interval '300 days' where id = ${shown}`)
  await purge.run(app.context)
  await sweepFiles.run(app.context)

  const versions = await app.db.all(sql<{ id: string }>`
    select id from openapi_spec_versions where organization_id = ${site.org.id} order by created_at`)
  assert.deepEqual([versions.length, versions[0]!.id], [21, shown])
  // A node that has none of it in memory.
  const { browser } = await anotherNode(app)
  assert.match((await browser.get(site.address)).text, /aria-label="List pets"/)
})

test('an operation is labelled in the language of the space that shows it', async () => {
  const { org } = await anOrganizationWithSpec(app, petstore)
  const { blocks } = parse(operation('/pets', 'POST'))
  const said = async (language: string) =>
    String((await loadSpecsFor(app.app, org.id, blocks, new Icons(), { language })).drawn(blocks[0]!))
  assert.match(await said('en'), />Responses</)
  assert.match(await said('pt-BR'), />Respostas</)
  assert.match(await said('no'), />Responses</)
  assert.match(await said('en'), />Responses</)
})

test('a long example repeated many times on a page is shown as often as the page can hold', async () => {
  const example = Array.from({ length: 10_000 }, (_, a) => ({ a }))
  const content = { 'application/json': { example } }
  const paths = { '/x': { get: { summary: 'Long', responses: { 200: { description: 'All', content } } } } }
  const { org } = await anOrganizationWithSpec(app, { openapi: '3.1.0', info: {}, paths })
  const { markup } = await draw(org.id, operation('/x', 'get').repeat(100))
  const shown = markup.match(/aria-label="Long"/g)!.length
  assert.ok(shown > 5 && shown < 100, `${shown} of 100`)
  assert.ok(markup.length < 20_000_000, `${markup.length}`)
  assert.equal(markup.match(/<code>GET \/x<\/code>/g)!.length, 100 - shown)
})
