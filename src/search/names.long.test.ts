import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { indexSearch } from './indexing/index-search.task.ts'
import { search, titles, written } from './testing/asking.ts'

const app = await startApp()

/** Long enough that its title counts for little. */
const long = 'Pass in a pointer to the text to work with, which is encoded as said elsewhere in many words. '.repeat(40)

/** In each entry, all pages mention the first name. The page that has it as its title is the longest. */
const names = [
  ['CURLOPT_URL', 'CURLOPT_CURLU', 'CURLOPT_URL and CURLOPT_URL'],
  ['max-age', 'age-max', 'Max age', 's-max-age'],
  ['fs.readFile', 'fs.readFileSync', 'fs.readFile twice'],
  ['Form', 'Forms', 'Form Form', 'Formed'],
  ['Café', 'Cafés'],
  ['C#', 'C', 'C++'],
  ['Übersicht', 'Übersichten'],
  ['検索', '検索検索'],
  ['About', 'About about'],
  ['Start here', 'Starting here', 'Starts here'],
]

const pagesOf = ([name, ...others]: string[]) => [
  ...others.map((title) => written(title, `See ${name}.`)),
  written(name!, long),
  ...others.map((title) => written(title, `${name}, ${name}\n\n## ${name}\n\n${name}`)),
]

test('a page whose title is the query comes before all others, in a space and in an organization', async () => {
  const org = await anOrganization(app)
  const [space, other] = [await aLiveSpace(app, org), await aLiveSpace(app, org)]
  assert.equal((await space.edit(...names.flatMap(pagesOf))).status, 200)
  assert.equal((await other.edit(...names.flatMap((each) => pagesOf(each.slice(1))))).status, 200)
  for (const [name] of names) {
    for (const query of [name!, name!.toUpperCase(), ` "${name}"`, name!.normalize('NFD').replace(/\p{M}/gu, '')]) {
      assert.equal((await titles(space, query))[0], name, query)
      const everywhere = await org.admin.client.get(`/v1/orgs/${org.id}/search?query=${encodeURIComponent(query)}`)
      const [first] = everywhere.body.items
      assert.deepEqual([first.id, first.pages[0].title], [space.id, name], query)
    }
  }
})

test('a name of several words is searched as a whole: a title with one of its words does not count', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('CURLOPT_CURLU', `${long}\n\n## See also\n\nCURLOPT_URL`),
    written('Tutorial', `${long}\n\n## Set CURLOPT_URL\n\n${long}`),
    written('All about CURLOPT_URL', long),
  )
  assert.deepEqual(await titles(space, 'CURLOPT_URL'), ['All about CURLOPT_URL', 'Tutorial', 'CURLOPT_CURLU'])
})

test('C++ and C# match neither C nor each other, whatever words surround them', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Native client', 'Use the C# client on Windows, and look at page#c for C.'),
    written('Plain client', 'Use the C client. The letter C: C, C and C again.'),
    written('Modern client', `Use the C++17 client. ${long}`),
  )
  for (const query of ['C++', 'c++', '"C++"', 'C++ client', 'client c++', 'cplusplus'])
    assert.deepEqual(await titles(space, query), ['Modern client'], query)
  for (const query of ['C#', 'C# client', 'csharp'])
    assert.deepEqual(await titles(space, query), ['Native client'], query)
  assert.equal((await titles(space, 'C'))[0], 'Plain client')
  assert.equal((await titles(space, 'C client')).length, 3)
  // If no page mentions it, a close match is better than nothing.
  const other = await aLiveSpace(app)
  await other.edit(written('Plain client', 'Use the C client.'))
  assert.deepEqual(await titles(other, 'C++ client'), ['Plain client'])
})

test('results continue after the page whose title is the query, and a changed title counts at once', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    written('Heron heron', 'Heron'),
    written('Heron', long),
    written('Herons', 'Heron'),
    written('Birds', 'Heron'),
  )
  const seen: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const body: any = await search(space, 'heron', `&limit=1${next && `&page=${encodeURIComponent(next)}`}`)
    assert.equal(body.count, 4)
    seen.push(...body.items.map(({ title }: any) => title))
    next = body.next?.page
  }
  assert.deepEqual([seen[0], seen.toSorted()], ['Heron', ['Birds', 'Heron', 'Heron heron', 'Herons']])

  const [page, named] = idsOf(made)
  await space.edit({ operation: 'update_page', page: named, metadata: { title: 'Another bird' } })
  await space.edit({ operation: 'update_page', page, metadata: { title: 'Heron' } })
  assert.equal((await search(space, 'heron')).items[0].id, page)
})

test('with more matches than are ranked, a page whose title is the query still comes first', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  const [model] = idsOf(await space.edit(written('Gannet gannet', 'Gannet')))
  // More rows than are ranked or searched by title, all of them before the page that the query names.
  await app.db.run(sql`
    insert into search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words,
      title_length)
    select organization_id, space_id, page_id, 'copy', n, hash, heading, body, words, title_length
    from search_sections, generate_series(1, 5000) n where page_id = ${model} and anchor = ''`)
  await space.edit(written('Gannet', long))
  assert.deepEqual(await titles(space, 'gannet'), ['Gannet', 'Gannet gannet'])
  const { body } = await org.admin.client.get(`/v1/orgs/${org.id}/search?query=gannet`)
  assert.equal(body.items[0].pages[0].title, 'Gannet')
})

test('pages indexed before titles counted as names are found, and by their names after reindexing', async () => {
  const space = await aLiveSpace(app)
  await space.edit(written('Petrels', 'Petrel'), written('Petrel', long))
  const rows = sql`organization_id = ${space.org.id} and space_id = ${space.id}`
  await app.db.run(sql`
    update search_sections set words = ts_delete(words, array(
      select lexeme from unnest(words) where lexeme like '=%')) where ${rows}`)
  await app.db.run(sql`update search_spaces set version = '1/' || split_part(version, '/', 2) where ${rows}`)
  assert.deepEqual(await titles(space, 'petrel'), ['Petrels', 'Petrel'])
  await indexSearch.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })
  assert.deepEqual(await titles(space, 'petrel'), ['Petrel', 'Petrels'])
})

test('pages with the same title come in order of depth, then of the contents', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  // Created in an order that differs from the contents, and each of a different length.
  const bodies = [long, 'Dunlin', long + long, '', 'A dunlin is a dunlin.', 'Short']
  const page = (body: number, more: object = {}) => written('Dunlin', bodies[body]!, {}, more)
  const made = await space.edit(
    written('Guide', 'Text', {}, { ref: 'guide' }),
    page(0, { into: 'guide', ref: 'deep' }),
    page(1, { into: 'deep' }),
    page(2, { into: 'guide', at: 0 }),
    page(3),
    page(4, { at: 0 }),
  )
  const [, deep, deepest, before, last, first] = idsOf(made)
  const other = await aLiveSpace(app, org)
  const [elsewhere] = idsOf(await other.edit(page(5)))
  const inOrder = [first, last, before, deep, deepest]

  const ids = async (more = '') => (await search(space, 'dunlin', more)).items.map(({ id }: any) => id)
  assert.deepEqual(await ids(), inOrder)
  const seen: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const body: any = await search(space, 'dunlin', `&limit=2${next && `&page=${encodeURIComponent(next)}`}`)
    seen.push(...body.items.map(({ id }: any) => id))
    next = body.next?.page
  }
  assert.deepEqual(seen, inOrder)
  const { body } = await org.admin.client.get(`/v1/orgs/${org.id}/search?query=dunlin`)
  const pages = body.items.map((item: any) => item.pages.map(({ id }: any) => id))
  assert.deepEqual(pages, [inOrder, [elsewhere]])

  await space.edit({ operation: 'update_page', page: first, at: 1, into: deep })
  assert.deepEqual(await ids(), [last, before, deep, deepest, first])
})

test('pages with the same title keep their order while the title is typed, and wherever the pages of results end', async () => {
  const org = await anOrganization(app)
  const space = await aLiveSpace(app, org)
  // Created in an order that differs from the contents, and each of a different length.
  const bodies = [long, 'Dunlin', long + long, 'A dunlin is a dunlin.', '']
  const page = (body: number, more: object = {}) => written('Watching the dunlin', bodies[body]!, {}, more)
  const made = await space.edit(
    written('Guide', 'Text', {}, { ref: 'guide' }),
    page(0, { into: 'guide', ref: 'deep' }),
    page(1, { into: 'deep' }),
    page(2, { into: 'guide', at: 0 }),
    page(3),
    page(4, { at: 0 }),
    written('Dunlin songs', long),
  )
  const [, deep, deepest, before, last, first, songs] = idsOf(made)
  const inOrder = [first, last, before, deep, deepest]
  const ids = async (query: string) =>
    (await search(space, query)).items.map(({ id }: any) => id).filter((id: string) => id !== songs)
  for (const query of ['dunlin', 'dunl', 'watch', 'watching dun', 'the dunlin', 'watching the dunlin'])
    assert.deepEqual(await ids(query), inOrder, query)

  for (const query of ['dunlin', 'dunl']) {
    const seen: string[] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const body: any = await search(space, query, `&limit=2${next && `&page=${encodeURIComponent(next)}`}`)
      seen.push(...body.items.map(({ id }: any) => id))
      next = body.next?.page
    }
    assert.deepEqual(
      seen.filter((id) => id !== songs),
      inOrder,
      query,
    )
    assert.equal(seen.length, inOrder.length + 1)
  }

  await space.edit({ operation: 'update_page', page: first, at: 1, into: deep })
  assert.deepEqual(await ids('dunl'), [last, before, deep, deepest, first])
})

test('of pages with the same title, one that answers more of the query is first, wherever it is', async () => {
  const space = await aLiveSpace(app)
  const made = await space.edit(
    written('Options', 'The gull is loud.'),
    written('Options', `${long} The gull and the dunlin are loud.`),
    written('Guide', 'Text', {}, { ref: 'guide' }),
    written('Options', 'The gull and the dunlin.', {}, { into: 'guide' }),
  )
  const [, , , short] = idsOf(made)
  const { items } = await search(space, 'options dunlin')
  assert.deepEqual(items.map(({ id }: any) => id)[0], short)
  assert.equal(items.length, 2)
})
