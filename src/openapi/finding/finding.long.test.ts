// Pages generated from a specification are found in the same way as written ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { idsOf, newPage, newReference } from '../../../test/editing.ts'
import { aSite, expect, withoutMarks } from '../../../test/visitor.ts'
import { searchInvariants } from '../../doctor/search.ts'
import { type Section } from '../../content/sections.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { PageTree } from '../../pages/tree.ts'
import { listAll, page } from '../../revisions/entries.ts'
import { findMainLine } from '../../revisions/lines.ts'
import { expandPages } from '../generate/expand.ts'
import { petstore } from '../testing/petstore.ts'
import { putSpec } from '../testing/specs.ts'
import { indexGenerated, sectionsOf } from './index-generated.ts'

const app = await startApp()
const index = () => indexGenerated({ db: app.db, store: app.app.store, log: app.app.log })

const reference = (condition?: string) => newReference('API reference', {}, condition ? { condition } : {})

async function aReference(condition?: string) {
  const site = await aSite(app, { pages: [newPage('Welcome')] })
  const put = async (document: object) => {
    await putSpec(site.who, site.space.org.id, 'shop', { text: JSON.stringify(document) })
    await app.app.openapi.settled()
  }
  await put(petstore)
  const [placeholder] = idsOf(await site.space.edit(reference(condition)))
  await index()
  const find = async (query: string) =>
    expect(await site.who.get(`${site.space.path}/search?query=${encodeURIComponent(query)}`), 200).items
  return { site, put, find, placeholder: placeholder! }
}

test('the operations of a specification are found in its space by summary, path and description', async () => {
  const { site, find } = await aReference()
  for (const query of ['Remove a pet', '/pets/{petId}', 'Adds a pet to the shop', 'status']) {
    const [first] = await find(query)
    assert.equal(first?.title, 'Pets', query)
  }
  const [{ id, path, sections }] = await find('Remove a pet')
  assert.equal(sections[0].title, 'Remove a pet')
  const { body } = await site.who.get(`${site.space.path}/content/page/${id}`)
  assert.deepEqual([body.title, body.path], ['Pets', path])
  // Operations that readers do not see are not found either.
  assert.deepEqual(await find('Nobody is told'), [])
  for (const { promise, broken } of searchInvariants) assert.equal((await app.db.one(broken)).count, 0, promise)
})

test('a new version replaces the indexed operations, and deleting the page that asks for them removes them', async () => {
  const { site, put, find, placeholder } = await aReference()
  const { '/pets/{petId}': _, ...paths } = petstore.paths
  await put({ ...petstore, paths: { ...paths, '/kennels': { get: { summary: 'Visit kennels', tags: ['pets'] } } } })
  assert.equal((await find('Visit kennels'))[0]?.title, 'Pets')
  assert.ok(!(await find('"Remove a pet"')).some(({ title }: { title: string }) => title === 'Pets'))
  expect(await site.space.edit({ operation: 'delete_page', page: placeholder }), 200)
  await index()
  assert.deepEqual(await find('Visit kennels'), [])
})

test('unrelated pages and specifications cause no reindexing', async () => {
  const { site, find, placeholder } = await aReference()
  const stamp = async () =>
    app.db.one(sql`select xmin::text, stamp from search_generated where space_id = ${site.space.id}`)
  const before = await stamp()
  const { id } = site.space.org
  await putSpec(site.who, id, 'another', { text: JSON.stringify(petstore) })
  await app.app.openapi.settled()
  expect(await site.space.edit(newPage('Beside')), 200)
  await index()
  assert.deepEqual(await stamp(), before)

  // The settings of the page that requests the generated pages apply to them.
  expect(await site.space.edit({ operation: 'update_page', page: placeholder, metadata: { noIndex: true } }), 200)
  await index()
  assert.deepEqual(await find('Remove a pet'), [])
})

test('new versions of a specification are processed while its search index entry is locked', async () => {
  const { site } = await aReference()
  const { id } = site.space.org
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = transaction(app.db, nobody, async (tx) => {
    await tx.run(sql`select from search_generated where space_id = ${site.space.id} for update`)
    held.resolve()
    await release.promise
    tx.leaveRights()
  })
  await held.promise
  try {
    for (const title of ['One', 'Two', 'Three']) {
      await putSpec(site.who, id, 'shop', { text: JSON.stringify({ ...petstore, info: { title, version: '1' } }) })
    }
  } finally {
    release.resolve()
    await holding
  }
})

test('visitors find the operations of a site only where they may read them', async () => {
  const ask = async (site: Awaited<ReturnType<typeof aSite>>) => {
    const response = await fetch(`${app.url}${site.address}~/search?q=${encodeURIComponent('Remove a pet')}`, {
      headers: { host: 'lectern.test' },
    })
    return withoutMarks(await response.text())
  }
  const open = await aReference()
  assert.match(await ask(open.site), /Remove a pet/)
  const secret = await aReference('visitor.claims.isRich == true')
  assert.equal((await secret.find('Remove a pet'))[0]?.title, 'Pets')
  assert.doesNotMatch(await ask(secret.site), /Pets/)
})

test('visitors with a content token can read made pages, except those hidden from them', async () => {
  const read = async ({ site, find }: Awaited<ReturnType<typeof aReference>>) => {
    const [{ id }] = await find('Remove a pet')
    const url = `${app.url}${site.address}`
    const { apiToken } = expect(await site.who.post('/v1/urls/published', { url }), 200)
    return app.client(apiToken).get(`${site.space.path}/content/page/${id}?format=markdown`)
  }
  const { title, markdown } = expect(await read(await aReference()), 200)
  assert.equal(title, 'Pets')
  assert.match(markdown, /openapi-operation spec="shop" path="\/pets\/\{petId\}" method="delete"/)
  assert.equal((await read(await aReference('visitor.claims.isRich == true'))).status, 404)
})

test('very many operations and parameters add a limited amount of text to the search index', async () => {
  const { site, put, find } = await aReference()
  const parameters = Array.from({ length: 20_000 }, (_, at) => ({ in: 'query', name: `parameter${at}` }))
  const description = 'Sees to the kennels. '.repeat(5_000)
  const shared = { parameters, get: { summary: 'Visit', tags: ['pets'], description } }
  const paths = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`/${at}`, { $ref: '#/components/pathItems/A' }]),
  )
  await put({ openapi: '3.1.0', info: {}, paths, components: { pathItems: { A: shared } } })
  const [{ id }] = await find('kennels')
  const organizationId = site.org.id
  const { head } = await findMainLine(app.db, organizationId, site.space.id)
  const { tree } = await expandPages(app.app, head, PageTree.of(await listAll(app.db, head, page)))
  const generated = tree.byId.get(id)!
  const room = { characters: 1_000_000 }
  const length = (all: Section[]) => all.reduce((sum, { text }) => sum + text.length, 0)
  const written = await sectionsOf(app.db, app.app.openapi, organizationId, generated, room)
  assert.ok(length(written) > 900_000 && length(written) < 1_100_000, `${length(written)} characters`)
  assert.deepEqual(await sectionsOf(app.db, app.app.openapi, organizationId, generated, room), [])
})
