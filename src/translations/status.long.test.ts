import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { newId } from '../ids.ts'
import { pageAlternates } from './alternates.ts'

const app = await startApp()

/** A source with three pages, and an empty variant of it. */
async function aTranslatedSpace() {
  const org = await anOrganization(app)
  const source = await aLiveSpace(app, org)
  const french = await aLiveSpace(app, org)
  const [one, two, three] = idsOf(await source.edit(newPage('One'), newPage('Two'), newPage('Three')))
  const client = org.admin.client
  const made = await client.post(`/v1/orgs/${org.id}/translations`, {
    title: 'Guide',
    source: { space: source.id, language: 'en' },
    variants: [{ language: 'fr', space: french.id }],
  })
  assert.equal(made.status, 201, made.text)
  const path = `/v1/orgs/${org.id}/translations/${made.body.id}`
  const head = async () => (await client.get(source.path)).body.revision as string
  return { org, client, source, french, one: one!, two: two!, three: three!, path, head }
}

const translated = (title: string, page: string, revision: string) =>
  newPage(title, { metadata: { translatedFrom: { page, revision } } })

async function statusOf({ client, path }: { client: EditedSpace['who']; path: string }, query = '') {
  const { status, body, text } = await client.get(`${path}/status${query}`)
  assert.equal(status, 200, text)
  return body
}

const brief = ({ items }: { items: any[] }) => items.map(({ page, status }) => `${page.title} ${status}`).toSorted()

test('each translated page is missing, current or behind, and names the revision it was made from', async () => {
  const space = await aTranslatedSpace()
  const { source, french, one, two, head } = space
  assert.deepEqual(brief(await statusOf(space)), ['One missing', 'Three missing', 'Two missing'])

  const first = await head()
  const [un, deux] = idsOf(await french.edit(translated('Un', one, first), translated('Deux', two, first)))
  await source.edit({ operation: 'update_page', page: two, document: { markdown: '# Two\n\nAnother text\n' } })
  // None of these changes requires a new translation.
  await source.edit({ operation: 'update_page', page: one, at: 2, metadata: { icon: 'star', slug: 'first' } })

  const { items, count } = await statusOf(space)
  assert.equal(count, 3)
  const byTitle = Object.fromEntries(items.map((item: any) => [item.page.title, item]))
  assert.deepEqual(byTitle.One, {
    object: 'translation-page-status',
    page: { id: one, title: 'One', path: 'first' },
    language: 'fr',
    space: french.id,
    status: 'current',
    variant: { page: un, translatedFrom: first, updatedAt: byTitle.One.variant.updatedAt },
  })
  assert.deepEqual([byTitle.Two.status, byTitle.Two.variant.page], ['behind', deux])
  assert.deepEqual([byTitle.Three.status, byTitle.Three.variant], ['missing', undefined])

  const mark = { page: two, revision: await head() }
  await french.edit({ operation: 'update_page', page: deux, metadata: { translatedFrom: mark } })
  assert.deepEqual(brief(await statusOf(space)), ['One current', 'Three missing', 'Two current'])
  await source.edit({ operation: 'update_page', page: one, metadata: { title: 'Uno' } })
  assert.deepEqual(brief(await statusOf(space, '?status=behind')), ['Uno behind'])
  await french.edit({ operation: 'update_page', page: un, metadata: { translatedFrom: null } })
  await source.edit({ operation: 'delete_page', page: one })
  assert.deepEqual(brief(await statusOf(space)), ['Three missing', 'Two current'])
})

test('the translation status is filtered and paged, with each page once for each language', async () => {
  const space = await aTranslatedSpace()
  const { org, client, french, one, head, path } = space
  const german = await aLiveSpace(app, org)
  const variants = [
    { language: 'fr', space: french.id },
    { language: 'de', space: german.id },
  ]
  await client.put(path, { title: 'Guide', variants })
  await french.edit(translated('Un', one, await head()))
  const all = await statusOf(space)
  assert.deepEqual([all.count, all.items.length], [6, 6])
  const walked: any[] = []
  for (let page = ''; ;) {
    const body = await statusOf(space, `?limit=2${page}`)
    walked.push(...body.items)
    if (!body.next) break
    page = `&page=${body.next.page}`
  }
  assert.deepEqual(walked, all.items)
  assert.equal((await statusOf(space, '?language=de')).count, 3)
  assert.equal((await statusOf(space, '?language=fr&status=missing')).count, 2)
  assert.equal((await statusOf(space, '?status=missing&limit=2')).items.length, 2)
  assert.equal((await statusOf(space, '?language=xx')).count, 0)
  assert.equal((await client.get(`${path}/status?status=late`)).status, 400)
})

test('pages of a copied space count as translations of their originals, by the time of their last edit', async () => {
  const space = await aTranslatedSpace()
  const { client, source, one, two, path } = space
  const { body: copy } = await client.post(`${source.path}/duplicate`)
  await client.put(path, { title: 'Guide', variants: [{ language: 'de', space: copy.id }] })
  assert.deepEqual(brief(await statusOf(space)), ['One current', 'Three current', 'Two current'])
  await source.edit({ operation: 'update_page', page: one, document: { markdown: '# One\n\nNew\n' } })
  await source.edit({ operation: 'update_page', page: two, document: { markdown: '# Two\n\nNew\n' } })
  const editCopy = (page: string) =>
    client.post(`/v1/spaces/${copy.id}/content`, {
      changes: [{ operation: 'update_page', page, document: { markdown: '# Eins\n\nNeu\n' } }],
    })
  assert.equal((await editCopy(one)).status, 200)
  const { items } = await statusOf(space)
  assert.deepEqual(brief({ items }), ['One current', 'Three current', 'Two behind'])
  assert.equal(items[0].variant.page, items[0].page.id)
})

test('a translation mark is merged with its change request, and two different marks are a conflict', async () => {
  const space = await aTranslatedSpace()
  const { source, french, client, one, head } = space
  const first = await head()
  const [un] = idsOf(await french.edit(translated('Un', one, first)))
  await source.edit({ operation: 'update_page', page: one, document: { markdown: '# One\n\nNew\n' } })
  const second = await head()

  const mark = (revision: string) => ({
    operation: 'update_page',
    page: un,
    metadata: { translatedFrom: { page: one, revision } },
  })
  const request = await french.changeRequest()
  await request.edit(mark(second))
  assert.deepEqual(brief(await statusOf(space, '?status=behind')), ['One behind'])
  assert.equal((await client.post(`${request.path}/merge`)).body.result, 'merge')
  assert.deepEqual(brief(await statusOf(space, '?status=behind')), [])

  const [left, right] = [await french.changeRequest(), await french.changeRequest()]
  await left.edit(mark(first))
  await source.edit(newPage('Four'))
  await right.edit(mark(await head()))
  assert.equal((await client.post(`${left.path}/merge`)).body.result, 'merge')
  assert.equal((await client.post(`${right.path}/merge`)).body.result, 'conflicts')
  const { items } = (await client.get(`${right.path}/conflicts`)).body
  assert.deepEqual(
    items.map(({ field }: any) => field),
    ['translatedFrom'],
  )
})

test('a translation mark has to name a page and a revision of the source', async () => {
  const { source, french, one, head } = await aTranslatedSpace()
  const revision = await head()
  const other = await aTranslatedSpace()
  const cases: [EditedSpace, object, string][] = [
    [french, { page: newId(), revision }, 'page'],
    [french, { page: 'x', revision }, 'page'],
    [french, { page: other.one, revision }, 'page'],
    [french, { page: one, revision: newId() }, 'revision'],
    [french, { page: one, revision: 'x' }, 'revision'],
    [french, { page: one, revision: await other.head() }, 'revision'],
    [french, { page: one }, 'revision'],
  ]
  for (const [space, translatedFrom, field] of cases) {
    const { status, body } = await space.edit(newPage('Un', { metadata: { translatedFrom } }))
    const path = `body.changes.0.metadata.translatedFrom.${field}`
    assert.deepEqual([status, body.error.details[0].path], [400, path], JSON.stringify(translatedFrom))
  }
  const nowhere = await source.edit(newPage('Un', { metadata: { translatedFrom: { page: one, revision } } }))
  assert.deepEqual(
    [nowhere.status, nowhere.body.error.details[0].path],
    [400, 'body.changes.0.metadata.translatedFrom'],
  )
  assert.equal(await french.outline(), '')
})

test("a page of a site is found in the site's other languages by its translation mark, in both directions", async () => {
  const { org, client, source, french, one, two, head } = await aTranslatedSpace()
  const [un] = idsOf(await french.edit(translated('Un', one, await head())))
  const other = await aLiveSpace(app, org)
  const spaces = [source.id, french.id, other.id]
  const site = (await client.post(`/v1/orgs/${org.id}/sites`, { title: 'Docs', spaces })).body
  const snapshot = (await app.app.audience.snapshots.get(site.id))!
  const find = async (spaceId: string, pageId: string) => {
    const variant = snapshot.root.all.find(({ space }) => space.id === spaceId)!
    const pages = await app.app.audience.pages(variant.head)
    const page = pages.tree.byId.get(pageId)!
    const place = { section: undefined, variant }
    const found = await pageAlternates(app.app, {
      snapshot,
      visitor: { scope: undefined, isKnown: false },
      place,
      pages,
      page,
    })
    return found.map(({ language, page, place }) => [language, page.entry, place.variant.space.id])
  }
  const both = [
    ['en', one, source.id],
    ['fr', un, french.id],
  ]
  assert.deepEqual(await find(source.id, one), both)
  assert.deepEqual(await find(french.id, un!), both)
  assert.deepEqual(await find(source.id, two), [['en', two, source.id]])
})

test('changing a translation makes a new version of a site that has its spaces', async () => {
  const { org, client, source, french, path } = await aTranslatedSpace()
  const spaces = [source.id, french.id]
  const site = (await client.post(`/v1/orgs/${org.id}/sites`, { title: 'Docs', spaces })).body
  const before = (await app.app.audience.snapshots.get(site.id))!
  await client.put(path, { title: 'Guide', variants: [] })
  const after = (await app.app.audience.snapshots.get(site.id))!
  assert.ok(after.site.version > before.site.version)
})
