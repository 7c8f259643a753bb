// What the statistics of the database say is common. They are read once, so this has a server of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aLiveSpace } from '../../test/editing.ts'
import { anOrganization } from '../../test/factories.ts'
import { sql } from '../db/sql.ts'
import { multiply, written } from './testing/asking.ts'

const app = await startApp()

test('a misspelt word is corrected to one that very many sections have, for those who may read any of them', async () => {
  const org = await anOrganization(app)
  const [empty, open, closed] = [await aLiveSpace(app, org), await aLiveSpace(app, org), await aLiveSpace(app, org)]
  await empty.edit(written('Geese', 'A goose.'))
  await open.edit(written('Birds', 'A kestrel.'))
  await closed.edit(written('Secret', 'A platypus.'))
  await closed.who.patch(closed.path, { defaultLevel: null })
  for (const { id } of [open, closed]) await multiply(app, id)
  await app.db.run(sql`analyze search_sections`)
  const reader = await org.member('read')

  const spacesFor = async ({ client }: typeof reader, query: string) => {
    const { status, body, text } = await client.get(`/v1/orgs/${org.id}/search?query=${query}`)
    assert.equal(status, 200, text)
    return body.items.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await spacesFor(reader, 'kestrle'), [open.id])
  assert.deepEqual(await spacesFor(org.admin, 'platypsu'), [closed.id])
  assert.deepEqual(await spacesFor(reader, 'platypsu'), [])
})
