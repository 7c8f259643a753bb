import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace, idsOf, newPage } from '../../test/editing.ts'
import { aStranger } from '../../test/factories.ts'
import { search, titles, written } from './testing/asking.ts'

const app = await startApp()

test('a title outranks a heading, a heading outranks a body, and sections have an anchor and an excerpt', async () => {
  const space = await aLiveSpace(app)
  const text = 'Some words that stand in the way. '.repeat(20)
  const made = await space.edit(
    written('In the body', `${text}\n\nIt says *gateway*, **here**, in [the middle](https://example.com). ${text}`),
    written('In a heading', `Intro.\n\n## Open the Gateway\n\nHow to.`),
    written('Gateway and other doors', 'Nothing else.'),
    written('Gateway', 'Nothing.'),
    written('Unrelated', 'Nothing at all.'),
  )
  const [body, heading] = idsOf(made)
  const { items, count } = await search(space, 'gateway')
  assert.deepEqual(
    items.map((item: any) => item.title),
    ['Gateway', 'Gateway and other doors', 'In a heading', 'In the body'],
  )
  assert.equal(count, 4)
  assert.deepEqual(items[0].sections, [])
  const app_ = `http://lectern.test/app/o/${space.org.id}/s/${space.id}`
  assert.deepEqual(items[2], {
    id: heading,
    title: 'In a heading',
    path: 'in-a-heading',
    sections: [
      {
        id: 'open-the-gateway',
        title: 'Open the Gateway',
        path: 'in-a-heading#open-the-gateway',
        body: 'How to.',
        urls: { app: `${app_}/in-a-heading#open-the-gateway` },
      },
    ],
    urls: { app: `${app_}/in-a-heading` },
  })
  const [section] = items[3].sections
  assert.deepEqual([section.id, section.title, section.path], [body, 'In the body', 'in-the-body'])
  assert.match(section.body, /^….{20,80}It says gateway, here, in the middle\..*…$/)
  assert.ok(section.body.length < 260)
})

test("an excerpt shows where most of the query's words are together, not the first match", async () => {
  const space = await aLiveSpace(app)
  const padding = 'Some text that is about something else and goes on for a while. '.repeat(8)
  await space.edit(
    written('Options', `Set CURLOPT_POST for a URL. ${padding} Then CURLOPT_URL says where. ${padding}`),
    written('Users', `Because superusers misuse it, nobody is one. ${padding} Now use the copper kettle. ${padding}`),
    written('Copper', `A copper pan. ${padding} A kettle. ${padding} Here are copper kettles. ${padding}`),
  )
  const excerpt = async (query: string, title: string) => {
    const { items } = await search(space, query)
    return items.find((item: any) => item.title === title).sections[0].body
  }
  assert.match(await excerpt('CURLOPT_URL', 'Options'), /^….*Then CURLOPT_URL says where\..*…$/)
  assert.match(await excerpt('using', 'Users'), /^….*Now use the copper kettle\..*…$/)
  assert.match(await excerpt('copper kettle', 'Copper'), /^….*Here are copper kettles\..*…$/)
  assert.match(await excerpt('koppper ketle', 'Copper'), /^….*Here are copper kettles\..*…$/)
})

test('the ranking holds for several words, and words close together outrank words far apart', async () => {
  const space = await aLiveSpace(app)
  const between = 'and many other words '.repeat(8)
  await space.edit(
    written('Far', `A copper pan ${between} with a kettle.`),
    written('Near', `Some words. A copper kettle. ${between}`),
    written('In a heading', 'Intro.\n\n## The copper kettle\n\nHow to.'),
    written('Copper kettle', 'Nothing else.'),
  )
  const order = ['Copper kettle', 'In a heading', 'Near', 'Far']
  assert.deepEqual(await titles(space, 'copper kettle'), order)
  assert.deepEqual(await titles(space, 'coper ketle'), order)
  assert.deepEqual(await titles(space, 'copper kettl'), order)
})

test('words are found by their stem, the last one by its beginning, and despite misspellings', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Installation', 'Configure the database server before you begin.'),
    written('About us', 'We write documentation.'),
  )
  const finds = async (query: string, title: string) => assert.deepEqual(await titles(space, query), [title], query)
  await finds('installing', 'Installation')
  await finds('INSTALLED', 'Installation')
  await finds('installat', 'Installation')
  await finds('configuring servers', 'Installation')
  await finds('databa', 'Installation')
  await finds('base', 'Installation')
  await finds('instalation', 'Installation')
  await finds('databsae', 'Installation')
  await finds('documentatoin', 'About us')
  await finds('wriet documentation', 'About us')
  await finds('about us', 'About us')
  await finds('How do I configure this database', 'Installation')
  assert.deepEqual(await titles(space, 'in'), [])
  assert.deepEqual(await titles(space, 'zzyzx'), [])
  assert.deepEqual(await titles(space, 'databsae zzyzx'), [])
})

test('if words never occur together, one of them may be misspelled, however short the others are', async () => {
  const space = await aLiveSpace(app)
  await space.edit(written('URL globbing', 'Many at once.'), written('Copyright', 'From around the globe, in HTTP2.'))
  assert.deepEqual(await titles(space, 'url globing'), ['URL globbing'])
  assert.deepEqual(await titles(space, 'globing'), ['Copyright'])
  assert.deepEqual(await titles(space, 'http2 coypright'), ['Copyright'])
  assert.deepEqual(await titles(space, 'xyz globing'), [])
})

test('a word that exists is never corrected to another', async () => {
  const space = await aLiveSpace(app)
  await space.edit(written('Form', 'A form.'), written('Forms and formats', 'A format.'), written('Farm', 'A farm.'))
  assert.deepEqual(await titles(space, 'form'), ['Form', 'Forms and formats'])
  assert.deepEqual(await titles(space, 'farm'), ['Farm'])
})

test('quoted words are found only in their order', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('First', 'The blue whale sings in the deep sea.'),
    written('Second', 'A whale, blue as the sea. The state of the art.'),
  )
  assert.deepEqual((await titles(space, 'blue whale')).toSorted(), ['First', 'Second'])
  assert.deepEqual(await titles(space, '"blue whale"'), ['First'])
  assert.deepEqual(await titles(space, '“whale blue”'), ['Second'])
  assert.deepEqual(await titles(space, '"state of the art"'), ['Second'])
  assert.deepEqual(await titles(space, '"art of the state"'), [])
  assert.deepEqual(await titles(space, 'sea "blue whale"'), ['First'])
})

test('names and version numbers from code are found whole and by their parts', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Code', 'Call `getUserById` with user_id, see config.yaml and Node.js 1.2.3, or send an e-mail.'),
    written('Other', 'Version 1.3.2 with a yaml config.'),
  )
  for (const query of ['getUserById', 'user by id', 'userid', 'config.yaml', 'nodejs', '1.2.3', 'email', 'e-mail']) {
    assert.deepEqual(await titles(space, query), ['Code'], query)
  }
  assert.deepEqual((await titles(space, 'yaml')).toSorted(), ['Code', 'Other'])
})

test('words of a title and of a section are found together, and so is the description of a page', async () => {
  const space = await aLiveSpace(app)
  await space.edit(
    written('Docker', '## Networks\n\nBridges and hosts.', { description: 'Containers at sea' }),
    written('Kubernetes', '## Networks\n\nBridges and pods.'),
  )
  const { items } = await search(space, 'docker bridges')
  assert.deepEqual(
    items.map((item: any) => [item.title, item.sections.map(({ title }: any) => title)]),
    [['Docker', ['Networks']]],
  )
  assert.deepEqual(await titles(space, 'container sea'), ['Docker'])
})

test('changes on main are found at once: bodies, titles, moves, merges, deletions and restored pages', async () => {
  const space = await aLiveSpace(app)
  const [parent, child] = idsOf(await space.edit(newPage('Parent'), written('Child', 'An albatross.'))) as [
    string,
    string,
  ]
  const change = async (...changes: object[]) => assert.equal((await space.edit(...changes)).status, 200)
  assert.deepEqual(await titles(space, 'albatross'), ['Child'])

  const body = '# Child\n\nA pelican.\n\n## Beak\n\nLong.'
  await change({ operation: 'update_page', page: child, document: { markdown: body } })
  assert.deepEqual(await titles(space, 'albatross'), [])
  assert.deepEqual(await titles(space, 'pelican'), ['Child'])
  assert.deepEqual(await titles(space, 'beak'), ['Child'])

  await change({ operation: 'update_page', page: child, metadata: { title: 'Seabird' } })
  assert.deepEqual(await titles(space, 'child'), [])
  assert.deepEqual(await titles(space, 'seabird beak'), ['Seabird'])

  await change({ operation: 'update_page', page: child, into: parent })
  assert.equal((await search(space, 'pelican')).items[0].path, 'parent/child')
  await change({ operation: 'update_page', page: parent, metadata: { slug: 'above' } })
  assert.equal((await search(space, 'pelican')).items[0].path, 'above/child')

  const request = await space.changeRequest()
  await request.edit({ operation: 'update_page', page: child, document: { markdown: '# Seabird\n\nA cormorant.' } })
  assert.deepEqual(await titles(space, 'cormorant'), [])
  assert.equal((await space.who.post(`${request.path}/merge`)).body.result, 'merge')
  assert.deepEqual(await titles(space, 'cormorant'), ['Seabird'])
  assert.deepEqual(await titles(space, 'beak'), [])

  const { revision } = (await space.who.get(space.path)).body
  await change({ operation: 'delete_page', page: parent })
  assert.deepEqual(await titles(space, 'cormorant'), [])
  await change(
    { operation: 'revert_page', page: parent, revision },
    { operation: 'revert_page', page: child, revision },
  )
  assert.deepEqual(await titles(space, 'cormorant'), ['Seabird'])
})

test('noIndex pages are not found, hidden and conditional ones are, and groups and links are not', async () => {
  const space = await aLiveSpace(app)
  const [page] = idsOf(
    await space.edit(
      written('Private kiwi', 'x', { noIndex: true }),
      written('Hidden kiwi', 'x', { hidden: true }),
      written('Conditional kiwi', 'x', { condition: 'visitor.claims.plan == "pro"' }),
      { operation: 'insert_page', type: 'group', metadata: { title: 'Kiwi group' } },
      {
        operation: 'insert_page',
        type: 'link',
        metadata: { title: 'Kiwi link' },
        target: { kind: 'url', url: 'https://example.com/' },
      },
    ),
  )
  assert.deepEqual((await titles(space, 'kiwi')).toSorted(), ['Conditional kiwi', 'Hidden kiwi'])
  await space.edit({ operation: 'update_page', page, metadata: { noIndex: false } })
  assert.equal((await titles(space, 'kiwi')).length, 3)
  await space.edit({ operation: 'update_page', page, metadata: { noIndex: true } })
  assert.equal((await titles(space, 'kiwi')).length, 2)
})

test('results are paged from the best to the last, each page once, with an exact count', async () => {
  const space = await aLiveSpace(app)
  const pages = Array.from({ length: 25 }, (_, i) =>
    written(i % 3 === 0 ? `Lemur ${i}` : `Page ${i}`, 'A lemur. '.repeat(1 + (i % 4))),
  )
  assert.equal((await space.edit(...pages)).status, 200)
  const seen: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const {
      items,
      count,
      next: after,
    }: any = await search(space, 'lemurs', `&limit=4${next && `&page=${encodeURIComponent(next)}`}`)
    assert.equal(count, 25)
    seen.push(...items.map((item: any) => item.title))
    next = after?.page
  }
  assert.deepEqual([seen.length, new Set(seen).size], [25, 25])
  assert.ok(seen.slice(0, 9).every((title) => title.startsWith('Lemur')))
  assert.deepEqual(await search(space, 'lemurs', '&limit=0'), { count: 25, items: [] })
  assert.equal((await space.who.get(`${space.path}/search?query=other&page=${'x'.repeat(20)}`)).status, 400)
})

test('any text is a valid query, and one that is too long is refused', async () => {
  const space = await aLiveSpace(app)
  await space.edit(written("It's & | ! ( : * <-> 'quoted' \\ back", 'x'))
  const ask = (query: string) => space.who.get(`${space.path}/search?query=${encodeURIComponent(query)}`)
  const questions = [
    '',
    ' ',
    '"',
    '""',
    "'",
    "it's & | ! (",
    ':*',
    'a:*',
    '<->',
    '\\',
    "'a' <-> 'b",
    '!!',
    '%',
    '_',
    '-',
  ]
  questions.push(
    '検',
    '"検索',
    '🦉',
    '\u202e',
    '\u0301',
    '\u3099',
    'ـ',
    'a.b.c.d.e.f',
    "' or 1=1 --",
    '1e999',
    '½',
    'ﬃ',
  )
  for (const part of ['a', 'a ', '検', '"a" ', 'a-', 'é', '𠮷', 'word ', "'"])
    questions.push([...part.repeat(512)].slice(0, 512).join(''))
  for (const question of questions) assert.equal((await ask(question)).status, 200, JSON.stringify(question))
  assert.equal((await ask("it's back")).body.count, 1)
  for (const path of [`${space.path}/search`, `/v1/orgs/${space.org.id}/search`]) {
    const long = await space.who.get(`${path}?query=${'a'.repeat(513)}`)
    assert.deepEqual([long.status, long.body.error.details[0].path], [400, 'query.query'])
    const missing = await space.who.get(path)
    assert.deepEqual([missing.status, missing.body.error.details[0].path], [400, 'query.query'])
  }
})

test('strangers get 404 from the search of a space or an organization', async () => {
  const space = await aLiveSpace(app)
  const stranger = await aStranger(app)
  for (const path of [`${space.path}/search?query=a`, `/v1/orgs/${space.org.id}/search?query=a`]) {
    assert.equal((await space.who.get(path)).status, 200)
    assert.equal((await stranger.client.get(path)).status, 404)
  }
})
