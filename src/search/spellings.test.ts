// Text that readers see as one word and type as several: apostrophes, names in code, two ways to write Chinese.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, newPage } from '../../test/editing.ts'
import { aSite } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { indexSearch } from './indexing/index-search.task.ts'
import { titles, written } from './testing/asking.ts'

const app = await startApp()

async function aSpaceIn(language: string | undefined, ...pages: [title: string, text: string][]) {
  const space = await aLiveSpace(app)
  if (language !== undefined) assert.equal((await space.who.patch(space.path, { language })).status, 200)
  assert.equal((await space.edit(...pages.map(([title, text]) => written(title, text)))).status, 200)
  return { ...space, finds: async (query: string) => (await titles(space, query)).toSorted() }
}

test('a word with an apostrophe is found with any kind of apostrophe and without one', async () => {
  const english = await aSpaceIn(
    undefined,
    ['Straight', "You don't have to."],
    ['Curly', 'We don’t either.'],
    ['People', "Books of O'Reilly on rock'n'roll"],
    ['Other', 'The servers of a server’s owner'],
  )
  for (const query of ["don't", 'don’t', 'dont', 'DON’T', 'Donʼt'])
    assert.deepEqual(await english.finds(query), ['Curly', 'Straight'], query)
  for (const query of ['oreilly', "o'reilly", 'reilly', 'rocknroll', 'rock’n’roll'])
    assert.deepEqual(await english.finds(query), ['People'], query)
  assert.deepEqual(await english.finds('server'), ['Other'])
  // Beside other words it is ignored, like other stop words.
  assert.deepEqual(await english.finds("don't owner"), ['Other'])

  const ukrainian = await aSpaceIn('uk', ['Один', "об'єкт"], ['Два', 'об’єкт'], ['Три', 'обʼєкт'])
  for (const query of ["об'єкт", 'об’єкт', 'обʼєкт', 'обєкт'])
    assert.deepEqual(await ukrainian.finds(query), ['Два', 'Один', 'Три'], query)
})

test('a name made of stop words, like to-do, counts beside other words', async () => {
  const space = await aSpaceIn(undefined, ['Tasks', 'Keep a to-do list.'], ['Other', 'A list of servers'])
  assert.deepEqual(await space.finds('to-do list'), ['Tasks'])
})

test('a word is found with and without its elided article, in a space of that language and in one with no language set', async () => {
  for (const language of ['fr', undefined]) {
    const space = await aSpaceIn(
      language,
      ['Avec', "Suivez l'installation d’un client"],
      ['Sans', 'Cette installation'],
      ['Rien', 'Il y a autre chose'],
    )
    for (const query of ['installation', "l'installation", 'L’installation', "l'instal"])
      assert.deepEqual(await space.finds(query), ['Avec', 'Sans'], `${language} ${query}`)
    assert.deepEqual(await space.finds('e-mail'), [])
  }
  const italian = await aSpaceIn('it', ['Con', "Il nome dell'utente"], ['Senza', 'Un utente'])
  for (const query of ['utente', "dell'utente", 'l’utente'])
    assert.deepEqual(await italian.finds(query), ['Con', 'Senza'], query)
  const mail = await aSpaceIn('fr', ['Courrier', "L'e-mail est envoyé"])
  for (const query of ['email', 'e-mail', "l'email"]) assert.deepEqual(await mail.finds(query), ['Courrier'], query)
})

test('a page whose title is the query comes first, even if the query leaves out an apostrophe', async () => {
  const space = await aSpaceIn(
    undefined,
    ['Dont panic at all', "Don't panic, dont panic"],
    ["Don't panic", 'x '.repeat(500)],
  )
  for (const query of ["don't panic", 'dont panic', 'Don’t panic'])
    assert.equal((await titles(space, query))[0], "Don't panic", query)
})

test('a name in code is found in camel case, snake case, with hyphens or written as one word', async () => {
  const forms = ['readFile', 'read_file', 'read-file', 'ReadFile', 'READ_FILE', 'readfile']
  const space = await aSpaceIn(
    undefined,
    ...forms.map((form, at): [string, string] => [`Page ${at}`, `Call \`${form}\`.`]),
  )
  const all = forms.map((_, at) => `Page ${at}`)
  for (const query of [...forms, 'readFi']) assert.deepEqual(await space.finds(query), all, query)
  // Two words do not match a word written as one, since it is unknown where the first would end.
  assert.deepEqual(await space.finds('read file'), all.slice(0, -1))
})

test('Chinese text is found in traditional and in simplified characters, whichever the page uses', async () => {
  const space = await aSpaceIn(
    'zh-tw',
    ['繁體', '請先安裝資料庫，再設定網路。'],
    ['简体', '请先安装资料库，再设定网络。'],
    ['日本語', '電話を開発する'],
  )
  for (const query of ['安裝', '安装', '資料庫', '资料库', '請先安装']) {
    assert.deepEqual(await space.finds(query), ['简体', '繁體'], query)
  }
  assert.deepEqual(await space.finds('網路'), ['繁體'])
  assert.deepEqual(await space.finds('電話'), ['日本語'])
  assert.equal((await titles(space, '繁体'))[0], '繁體')
})

test('readers see the matched words marked, in the spelling of the page', async () => {
  const text = '# Notes\n\nYou don’t install. Then 安裝資料庫. The `read_file` call; l’installation.\n'
  const site = await aSite(app, { pages: [newPage('Welcome'), newPage('Notes', { document: { markdown: text } })] })
  for (const [query, marked] of [
    ['dont', ['don’t']],
    ["don't", ['don’t']],
    ['安装', ['安裝']],
    ['readfile', ['read_file']],
    ["l'installation", ['l’installation']],
  ] as const) {
    const answer = await site.browser().get(`${site.address}~/search.json?q=${encodeURIComponent(query)}`)
    const { hits } = JSON.parse(answer.text)
    const [hit] = hits.filter((each: any) => each.marks?.text.length > 0)
    assert.deepEqual(
      hit?.marks.text.map(([from, to]: [number, number]) => hit.text.slice(from, to)),
      marked,
      query,
    )
  }
})

test('pages in an older index are found as before, and by simplified characters once they are reindexed', async () => {
  const space = await aSpaceIn('zh-tw', ['繁體', '請先安裝資料庫'])
  const rows = sql`organization_id = ${space.org.id} and space_id = ${space.id}`
  await app.db.run(sql`
    update search_sections set words = $tsv$'請先':1 '先安':2 '安裝':3 '裝資':4 '資料':5 '料庫':6 '庫':7$tsv$ where ${rows}`)
  await app.db.run(sql`update search_spaces set version = '5/' || split_part(version, '/', 2) where ${rows}`)
  // Until then they are found as before.
  assert.deepEqual(await space.finds('安装'), [])
  for (const query of ['安裝', '安裝資料庫', '裝']) assert.deepEqual(await space.finds(query), ['繁體'], query)
  await indexSearch.run({ db: app.db, config: app.config, store: app.app.store, log: app.app.log })
  assert.deepEqual(await space.finds('安装'), ['繁體'])
})
