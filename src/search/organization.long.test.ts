import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aCollection, aSpace, grant } from '../../test/content.ts'
import { type EditedSpace, aLiveSpace, idsOf } from '../../test/editing.ts'
import { type TestPerson, anOrganization } from '../../test/factories.ts'
import { aSite } from '../../test/visitor.ts'
import { sql } from '../db/sql.ts'
import { newId } from '../ids.ts'
import { nameLexeme } from './words/name.ts'
import { whole } from './nodes.ts'
import { rankSpaces } from './spaces.queries.ts'
import { multiply, written } from './testing/asking.ts'

const app = await startApp()

async function ask({ client }: TestPerson, organizationId: string, query: string, more = '') {
  const { status, body, text } = await client.get(`/v1/orgs/${organizationId}/search?query=${query}${more}`)
  assert.equal(status, 200, text)
  return body
}

const spacesIn = (body: any) => body.items.map(({ id }: { id: string }) => id)

async function spacesWith(words: string[]) {
  const org = await anOrganization(app)
  const spaces: EditedSpace[] = []
  for (const word of words) {
    const space = await aLiveSpace(app, org)
    await space.edit(written(`About ${word}`, `A ${word}.`), written('Other', `No word about it, but a heron.`))
    spaces.push(space)
  }
  return { org, spaces }
}

test('an item is a space with its ten best pages, and the space with the best page comes first', async () => {
  const { org, spaces } = await spacesWith(['osprey', 'osprey', 'kestrel'])
  const [first, second] = spaces as [EditedSpace, EditedSpace]
  await second.edit(
    written('Osprey', 'That is it.'),
    ...Array.from({ length: 12 }, (_, i) => written(`Page ${i}`, 'osprey')),
  )
  const body = await ask(org.admin, org.id, 'osprey')
  assert.equal(body.count, 2)
  assert.deepEqual(spacesIn(body), [second.id, first.id])
  const [best] = body.items
  assert.equal(best.title, (await second.who.get(second.path)).body.title)
  assert.deepEqual([best.pages.length, best.pages[0].title, best.pages[1].title], [10, 'Osprey', 'About osprey'])
  assert.equal(best.pages[1].urls.app, `http://lectern.test/app/o/${org.id}/s/${second.id}/about-osprey`)
})

test('people find what they may read, and no count includes anything else', async () => {
  const { org, spaces } = await spacesWith(['egret', 'egret', 'egret'])
  const [open, closed, granted] = spaces as [EditedSpace, EditedSpace, EditedSpace]
  const reader = await org.member('read')
  const guest = await org.member(null)
  for (const space of [closed, granted]) await space.who.patch(space.path, { defaultLevel: null })
  await grant(org.admin.client, { object: 'space', id: granted.id }, { users: [guest.id] }, 'read')

  const seenBy = async (who: TestPerson) => {
    const body = await ask(who, org.id, 'egret')
    assert.equal(body.count, body.items.length)
    return spacesIn(body).toSorted()
  }
  assert.deepEqual(await seenBy(org.admin), [open.id, closed.id, granted.id].toSorted())
  assert.deepEqual(await seenBy(reader), [open.id])
  assert.deepEqual(await seenBy(guest), [granted.id])
  assert.equal((await reader.client.get(`${closed.path}/search?query=egret`)).status, 404)

  const team = (await org.admin.client.put(`/v1/orgs/${org.id}/teams`, { title: 'Team', members: [guest.id] })).body
  const collection = await aCollection(org.admin.client, org.id)
  await org.admin.client.post(`${open.path}/move`, { parent: collection.id })
  assert.deepEqual(await seenBy(guest), [granted.id])
  await grant(org.admin.client, collection, { teams: [team.id] }, 'comment')
  assert.deepEqual(await seenBy(guest), [open.id, granted.id].toSorted())

  await org.admin.client.delete(granted.path)
  assert.deepEqual(await seenBy(guest), [open.id])
  await org.admin.client.post(`${granted.path}/restore`)
  assert.deepEqual(await seenBy(guest), [open.id, granted.id].toSorted())
})

test('a misspelling is corrected only with words of this organization that the caller may read', async () => {
  const { org, spaces } = await spacesWith(['cormorant', 'pelican'])
  const { org: other } = await spacesWith(['albatross'])
  await spaces[0]!.who.patch(spaces[0]!.path, { defaultLevel: null })
  const reader = await org.member('read')
  assert.equal((await ask(org.admin, org.id, 'cormoran')).count, 1)
  assert.equal((await ask(reader, org.id, 'cormoran')).count, 0)
  assert.equal((await ask(reader, org.id, 'pelicna')).count, 1)
  assert.equal((await ask(org.admin, org.id, 'albatros')).count, 0)
  assert.equal((await ask(other.admin, other.id, 'albatros')).count, 1)
})

test('content a reader may not read changes none of their results, not even how a word is corrected', async () => {
  const org = await anOrganization(app)
  const open = await aLiveSpace(app, org)
  await open.edit(written('Birds', 'A platypus, a pelican, a gannat and the kettle of a bittern.'))
  const reader = await org.member('read')
  // Below, a space that the reader cannot see gets: a word closer than the intended one; a misspelling as a known word;
  // words that contain the searched one.
  const questions = ['plattypuz', 'pelicna kettel', 'gannet', 'bittrn']
  const answers = async () => {
    const found: [string, number, number][] = []
    for (const query of questions) {
      const here = (await reader.client.get(`${open.path}/search?query=${query}`)).body.count
      found.push([query, (await ask(reader, org.id, query)).count, here])
    }
    return found
  }
  const before = await answers()
  assert.deepEqual(
    before,
    questions.map((query) => [query, 1, 1]),
  )
  const closed = await aLiveSpace(app, org)
  await closed.who.patch(closed.path, { defaultLevel: null })
  await closed.edit(written('Secret', 'A plattypuzk, kettel, xgannety, bittrnx. The bittrn.'))
  assert.equal((await ask(org.admin, org.id, 'plattypuz')).items[0].id, closed.id)
  assert.deepEqual(await answers(), before)
})

test('the language of a space a reader may not read changes none of their results', async () => {
  const site = await aSite(app)
  const { org, space: open } = site
  await open.edit(written('Dice', 'A kestrel and a die.'), written('Birds', 'A kestrel.'))
  const reader = await org.member('read')
  const visitor = site.browser()
  const answers = async () => [
    (await ask(reader, org.id, 'die+kestrel')).items[0].pages.length,
    (await reader.client.post(`${site.path}/search`, { query: 'die kestrel' })).body.items[0].pages.length,
    JSON.parse((await visitor.get(`${site.address}~/search.json?q=die+kestrel`)).text).count,
  ]
  assert.deepEqual(await answers(), [1, 1, 1])
  const closed = await aSpace(org.admin.client, org.id, { language: 'de' })
  await org.admin.client.patch(`/v1/spaces/${closed.id}`, { defaultLevel: null })
  // In German, the first of the two words is a stop word.
  assert.equal((await ask(org.admin, org.id, 'die+kestrel')).items[0].pages.length, 2)
  assert.deepEqual(await answers(), [1, 1, 1])
})

test('a word is found while being typed, however many words in unreadable spaces begin the same', async () => {
  const org = await anOrganization(app)
  const open = await aLiveSpace(app, org)
  await open.edit(written('Setting up', 'The installation.'), written('Machines', 'The installatron.'))
  const reader = await org.member('read')
  const answers = async () => [
    (await ask(reader, org.id, 'installat')).items[0].pages.length,
    (await reader.client.get(`${open.path}/search?query=installat`)).body.count,
  ]
  assert.deepEqual(await answers(), [2, 2])
  // So many that the database collects them in no particular order.
  await app.db.run(sql`
    insert into search_words (organization_id, word, lexeme, keys)
    select ${org.id}, word, word, '{}' from (select 'installatio' || md5(n::text) as word from generate_series(1, 30000) n) x`)
  await app.db.run(sql`analyze search_words`)
  assert.deepEqual(await answers(), [2, 2])
})

test('spaces are paged, each exactly once, with an exact count', async () => {
  const { org, spaces } = await spacesWith(Array.from({ length: 7 }, () => 'plover'))
  const seen: string[] = []
  let next: string | undefined = ''
  while (next !== undefined) {
    const body: any = await ask(org.admin, org.id, 'plover', `&limit=3${next && `&page=${encodeURIComponent(next)}`}`)
    assert.equal(body.count, 7)
    seen.push(...spacesIn(body))
    next = body.next?.page
  }
  assert.deepEqual(seen.toSorted(), spaces.map(({ id }) => id).toSorted())
  assert.deepEqual(await ask(org.admin, org.id, 'plover', '&limit=0'), { count: 7, items: [] })
})

test('with very many matches every space is still found, and a count ends at a thousand', async () => {
  const { org, spaces } = await spacesWith(['dunlin', 'dunlin', 'dunlin', 'dunlin'])
  const [many, few] = spaces as [EditedSpace, EditedSpace]
  const [page] = idsOf(await many.edit(written('Model', 'dunlin')))
  // More rows than are examined, for 1,500 pages: copies of one, as many inserted pages would have them.
  await app.db.run(sql`
    insert into search_sections (organization_id, space_id, page_id, anchor, part, hash, heading, body, words,
      title_length)
    select organization_id, space_id, md5('1 ' || (n % 1500))::uuid, 'x', n / 1500, hash, '', body, words, title_length
    from search_sections, generate_series(0, 4999) n where page_id = ${page} and anchor = ''`)
  await app.db.run(sql`
    insert into heads (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, data)
    select h.organization_id, h.line_id, md5('1 ' || n)::uuid, h.from_seq, 1, 0, h.parent, 'copy-' || n, h.position, h.doc, h.data
    from heads h, generate_series(0, 1499) n where h.entry = ${page}`)
  const { body } = await org.admin.client.get(`${many.path}/search?query=dunlin&limit=1000`)
  assert.deepEqual([body.count, body.items.length, body.next], [1000, 1000, undefined])
  assert.equal(body.items[0].title, 'About dunlin')
  assert.equal((await org.admin.client.get(`${few.path}/search?query=dunlin`)).body.count, 1)

  const all = await ask(org.admin, org.id, 'dunlin')
  assert.equal(all.count, 4)
  assert.deepEqual(spacesIn(all).toSorted(), spaces.map(({ id }) => id).toSorted())
  const first = await ask(org.admin, org.id, 'dunlin', '&limit=2')
  const rest = await ask(org.admin, org.id, 'dunlin', `&limit=2&page=${encodeURIComponent(first.next.page)}`)
  assert.equal(new Set([...spacesIn(first), ...spacesIn(rest)]).size, 4)

  // The same among more spaces than are searched one by one. The spaces that do not exist have no matches.
  const spaceIds = [...spaces.map(({ id }) => id), ...Array.from({ length: 60 }, newId)]
  const amongMany = (limit: number, after?: [number, string]) =>
    rankSpaces(
      app.db,
      { organizationId: org.id, spaceIds },
      { node: whole('dunlin'), name: nameLexeme('dunlin') },
      limit,
      after,
    )
  const found = await amongMany(10)
  assert.equal(found.count, 4)
  assert.deepEqual(found.spaces.map(({ id }) => id).toSorted(), spaces.map(({ id }) => id).toSorted())
  const { id, score } = found.spaces[1]!
  assert.deepEqual(
    (await amongMany(10, [score, id])).spaces.map((space) => space.id),
    found.spaces.slice(2).map((space) => space.id),
  )
})

test('titles and headings come before texts, within and among spaces, however many of either there are', async () => {
  const org = await anOrganization(app)
  const often = 'A whimbrel, and another whimbrel. '.repeat(30)
  const pages = async (...written: object[]) => {
    const space = await aLiveSpace(app, org)
    assert.equal((await space.edit(...written)).status, 200)
    return space.id
  }
  const texts = (count: number) => Array.from({ length: count }, (_, i) => written(`Text ${i}`, often))
  const inTexts = await pages(...texts(12))
  const inHeading = await pages(...texts(2), written('With a heading', 'Intro.\n\n## The whimbrel\n\nA bird.'))
  const inTitles = await pages(
    ...texts(12),
    ...Array.from({ length: 12 }, (_, i) => written(`Whimbrel ${i}`, 'A bird.\n\n## More\n\nOf it.')),
  )
  const few = await ask(org.admin, org.id, 'whimbrels')
  await multiply(app, inTexts)
  const { items, count } = await ask(org.admin, org.id, 'whimbrels')
  assert.equal(count, 3)
  assert.deepEqual(spacesIn(few), spacesIn({ items }))
  assert.deepEqual(spacesIn({ items }), [inTitles, inHeading, inTexts])
  const titlesIn = (i: number) => items[i].pages.map(({ title }: { title: string }) => title)
  assert.deepEqual(
    titlesIn(0).map((title: string) => title.split(' ')[0]),
    Array.from({ length: 10 }, () => 'Whimbrel'),
  )
  assert.deepEqual([titlesIn(1)[0], titlesIn(1).length, titlesIn(2).length], ['With a heading', 3, 10])
})

test('a beginning shared by very many words is found in every space that has one of them', async () => {
  const org = await anOrganization(app)
  const words = Array.from({ length: 30 }, (_, i) => `gann${'abcdefghij'.charAt(i % 10)}${'xyz'.charAt(i / 10)}`)
  const [many, one, none] = [await aLiveSpace(app, org), await aLiveSpace(app, org), await aLiveSpace(app, org)]
  await many.edit(written('Birds', words.join(' ')), written(words[3]!, 'That one.'))
  await one.edit(written('Other', `A ${words[29]}.`))
  await none.edit(written('None', 'A goose.'))
  const few = await ask(org.admin, org.id, 'gann')
  await multiply(app, one.id)
  const { items, count } = await ask(org.admin, org.id, 'gann')
  assert.deepEqual([count, spacesIn({ items })], [2, [many.id, one.id]])
  assert.deepEqual(spacesIn(few), spacesIn({ items }))
  assert.deepEqual(
    items[0].pages.map(({ title }: { title: string }) => title),
    [words[3], 'Birds'],
  )
})
