import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { rowsReadOf } from '../../test/rows-read.ts'
import { sql } from '../db/sql.ts'
import { listSpacesIn } from './queries.ts'

const app = await startApp()

test('spaces are read by their keys, even before the database has statistics about them', async () => {
  const org = await anOrganization(app)
  const ids: string[] = []
  for (let i = 0; i < 40; i++) ids.push((await aSpace(org.admin.client, org.id)).id)
  const read = (table: string) =>
    rowsReadOf(app.db, table, async (tx) => {
      const found = await listSpacesIn(tx, org.id, sql`select unnest(${ids}::uuid[])`)
      assert.equal(found.size, ids.length)
    })
  for (const table of ['lines', 'revisions']) {
    const rows = await read(table)
    assert.ok(rows <= ids.length, `${rows} rows of ${table}`)
  }
})
