import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { type EditedSpace, aLiveSpace, idsOf } from '../../../test/editing.ts'
import { type TestOrganization, anOrganization } from '../../../test/factories.ts'
import { sql } from '../../db/sql.ts'
import { nobody, transaction } from '../../db/transaction.ts'
import { searchInvariants } from '../../doctor/search.ts'
import { addMember } from '../../organizations/members.actions.ts'
import { purgeSpaces } from '../../spaces/purge.task.ts'
import { indexSearch } from './index-search.task.ts'
import { sweepWords } from '../words/sweep-words.task.ts'
import { search, titles, written } from '../testing/asking.ts'

const app = await startApp()
const { context } = app

async function holds() {
  for (const { promise, broken } of searchInvariants) assert.equal((await app.db.one(broken)).count, 0, promise)
}

/** Returns when each row was last written, in terms of the database (`xmin`). */
async function rowsOf(space: EditedSpace): Promise<Map<string, string>> {
  const rows = await app.db.all(sql<{ key: string; written: string }>`
    select anchor || ' ' || part as key, xmin::text || ' ' || hash as written from search_sections where space_id = ${space.id}`)
  return new Map(rows.map(({ key, written }) => [key, written]))
}

test('an edit rewrites only the index sections that changed, and a new address none', async () => {
  const space = await aLiveSpace(app)
  const body = (second: string) => `Intro\n\n## One\n\nFirst\n\n## Two\n\n${second}\n\n## Three\n\nThird`
  const [page, other] = idsOf(await space.edit(written('Page', body('Second')), written('Other', 'x'))) as [
    string,
    string,
  ]
  await space.edit({ operation: 'delete_page', page: other })
  const before = await rowsOf(space)
  assert.deepEqual([...before.keys()].toSorted(), [' 0', 'one 0', 'three 0', 'two 0'])

  await space.edit({ operation: 'update_page', page, document: { markdown: `# Page\n\n${body('Changed')}` } })
  const after = await rowsOf(space)
  const changed = [...after].filter(([key, written]) => before.get(key) !== written).map(([key]) => key)
  assert.deepEqual(changed, ['two 0'])

  await space.edit({ operation: 'update_page', page, metadata: { slug: 'elsewhere', icon: 'bolt' } })
  assert.deepEqual(await rowsOf(space), after)
  await holds()
})

test('a space from before search existed is indexed by the job, in steps that can be interrupted', async () => {
  const space = await aLiveSpace(app)
  const pages = Array.from({ length: 25 }, (_, i) => written(`Page ${i}`, 'A capybara.'))
  await space.edit(...pages)
  await app.db.run(sql`delete from search_sections where space_id = ${space.id}`)
  await app.db.run(sql`delete from search_spaces where space_id = ${space.id}`)
  assert.deepEqual(await titles(space, 'capybara'), [])
  const [edited] = idsOf(await space.edit(written('Edited', 'A capybara.')))

  await app.db.run(sql`
    insert into search_spaces (organization_id, space_id, lexicon, version, done_to)
    select ${space.org.id}, ${space.id}, lexicon, version, ${edited} from search_spaces limit 1`)
  await indexSearch.run(context)
  assert.deepEqual(await titles(space, 'capybara'), ['Edited'], 'it goes on from where it was')

  await app.db.run(sql`delete from search_spaces where space_id = ${space.id}`)
  await indexSearch.run(context)
  assert.equal((await search(space, 'capybara')).count, 26)
  const before = await rowsOf(space)
  await indexSearch.run(context)
  assert.deepEqual(await rowsOf(space), before, 'the second run finds the work done')
  await holds()
})

test('another language changes how words are found, and until all is reindexed old and new entries are found', async () => {
  const space = await aLiveSpace(app)
  await space.edit(written('Häuser', 'Die Einstellungen.'))
  assert.deepEqual(await titles(space, '"einstellung"'), [])
  await space.who.patch(space.path, { language: 'de' })
  assert.deepEqual(await titles(space, '"einstellungen"'), ['Häuser'])
  await indexSearch.run(context)
  assert.deepEqual(await titles(space, '"einstellung"'), ['Häuser'])
  assert.deepEqual(await titles(space, '"haus"'), ['Häuser'])

  await space.edit(written('Neu', 'Die Handlungen.'))
  assert.deepEqual(await titles(space, '"handlung"'), ['Neu'])
  await space.who.patch(space.path, { language: null })
  await indexSearch.run(context)
  assert.deepEqual(await titles(space, '"handlung"'), [])
})

test('a duplicated space is found on its own, also when the original page is deleted', async () => {
  const space = await aLiveSpace(app)
  const [page] = idsOf(await space.edit(written('Wombat', 'Digs.'))) as [string]
  const { id } = (await space.who.post(`${space.path}/duplicate`)).body
  const copy = { ...space, id, path: `/v1/spaces/${id}` }
  await space.edit({ operation: 'delete_page', page })
  assert.deepEqual(await titles(space, 'wombat'), [])
  assert.deepEqual(await titles(copy, 'wombat'), ['Wombat'])
  const { items } = await search(copy, 'digs')
  assert.ok(items[0].urls.app.includes(id))
  await holds()
})

test('a transferred space is found only in its new organization, where its words are known after indexing', async () => {
  const [from, to] = [await anOrganization(app), await anOrganization(app)]
  const join = (org: TestOrganization, userId: string) =>
    transaction(app.db, nobody, (tx) => addMember(tx, { organizationId: org.id, userId, role: 'admin', sso: false }))
  await join(to, from.admin.id)
  const space = await aLiveSpace(app, from)
  await space.edit(written('Quokka', 'Smiles.'))
  assert.equal((await space.who.post(`${space.path}/transfer`, { organization: to.id })).status, 200)
  const ask = async (org: TestOrganization, query: string) =>
    (await from.admin.client.get(`/v1/orgs/${org.id}/search?query=${query}`)).body.count
  assert.deepEqual([await ask(from, 'quokka'), await ask(to, 'quokka')], [0, 1])
  await indexSearch.run(context)
  assert.deepEqual([await ask(from, 'quoka'), await ask(to, 'quoka')], [0, 1])
  await holds()
})

test('a purged space leaves no rows, and after the sweep no words', async () => {
  const space = await aLiveSpace(app)
  const kept = await aLiveSpace(app, space.org)
  await space.edit(written('Axolotl', 'Regenerates limbs.'))
  await kept.edit(written('Limbs', 'Four.'))
  await space.who.delete(space.path)
  await app.db.run(sql`update spaces set deleted_at = now() - interval '8 days' where id = ${space.id}`)
  await purgeSpaces.run(context)
  const count = async (what: ReturnType<typeof sql>) => ((await app.db.one(what)) as { count: number }).count
  assert.equal(await count(sql`select count(*) from search_sections where space_id = ${space.id}`), 0)
  assert.equal(await count(sql`select count(*) from search_spaces where space_id = ${space.id}`), 0)

  await sweepWords.run(context)
  const words = await app.db.all(sql<{ word: string }>`
    select word from search_words where organization_id = ${space.org.id} order by word`)
  assert.deepEqual(
    words.map(({ word }) => word),
    ['four', 'limbs'],
  )
})

test('pages of only headings, conditions, one long word or one long heading are found and need few rows', async () => {
  const space = await aLiveSpace(app)
  const pages = [
    written('Headings', Array.from({ length: 3_000 }, (_, i) => `## Heading ${i}`).join('\n\n')),
    written('Conditions', '{% if a %}\nwombat\n{% endif %}\n\n'.repeat(3_000)),
    written('Long', `${'x'.repeat(100_000)} armadillo ${'lorem ipsum dolor '.repeat(20_000)}pangolin`),
    written('Heading', `## ${'long '.repeat(30_000)}\n\n## ${'long '.repeat(30_000)}other\n\naardvark`),
    written('日本', `${'検索'.repeat(40_000)}終`),
    written('Odd', '## \u0301\n\n&#0; &#xD800; \u{1F600}\u200d ½ ﬁ\n\n## 🦉\n\nnumbat'),
  ]
  const made = await space.edit(...pages)
  assert.equal(made.status, 200, made.text.slice(0, 300))
  for (const [query, title] of [
    ['"heading 2999"', 'Headings'],
    ['wombat', 'Conditions'],
    ['armadillo', 'Long'],
    ['pangolin', 'Long'],
    ['aardvark', 'Heading'],
    ['索終', '日本'],
    ['numbat', 'Odd'],
    ['fi', 'Odd'],
  ] as const) {
    assert.deepEqual(await titles(space, query), [title], query)
  }
  const { count } = await app.db.one(sql<{ count: number }>`
    select count(*) from search_sections where space_id = ${space.id}`)
  assert.ok(count < 400, `${count} rows`)
  await holds()
})
