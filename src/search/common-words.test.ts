// What the statistics of the database say is common. They are read once, so this has a server of its own.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { type EditedSpace, aLiveSpace } from '../../test/editing.ts'
import { type TestOrganization, type TestPerson, anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { multiply, written } from './testing/asking.ts'

const app = await startApp()

let org: TestOrganization
let [geese, kestrels, platypuses, whimbrels, waders]: EditedSpace[] = []

before(async () => {
  org = await anOrganization(app)
  const aSpace = async (...pages: [title: string, text: string][]) => {
    const space = await aLiveSpace(app, org)
    for (const page of pages) await space.edit(written(...page))
    return space
  }
  geese = await aSpace(['Geese', 'A goose.'])
  kestrels = await aSpace(['Birds', 'A kestrel.'])
  platypuses = await aSpace(['Secret', 'A platypus.'])
  whimbrels = await aSpace(['Birds', 'A whimbrel.'])
  // Its one section with the word comes after more others than are read in order.
  waders = await aSpace(['Ducks', 'A duck.'], ['Waders', 'A whimbrel.'])
  await platypuses.who.patch(platypuses.path, { defaultLevel: null })
  for (const { id } of [kestrels, platypuses, whimbrels, waders]) await multiply(app, id)
  await app.db.run(sql`analyze search_sections`)
})

async function found({ client }: TestPerson, query: string) {
  const { status, body, text } = await client.get(`/v1/orgs/${org.id}/search?query=${query}`)
  assert.equal(status, 200, text)
  return body.items.map(({ id, pages }: any) => [id, ...pages.map(({ title }: any) => title)])
}

test('a misspelt word is corrected to one that very many sections have, for those who may read any of them', async () => {
  const reader = await org.member('read')
  assert.deepEqual(await found(reader, 'kestrle'), [[kestrels!.id, 'Birds']])
  assert.deepEqual(await found(org.admin, 'platypsu'), [[platypuses!.id, 'Secret']])
  assert.deepEqual(await found(reader, 'platypsu'), [])
})

test('a word that very many sections have is found in every space that has it, wherever its section is', async () => {
  const pages = await found(org.admin, 'whimbrel')
  const expected = [
    [whimbrels!.id, 'Birds'],
    [waders!.id, 'Waders'],
  ]
  assert.deepEqual(pages.toSorted(), expected.toSorted())
  assert.ok(!pages.flat().includes(geese!.id))
})
