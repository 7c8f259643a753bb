import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { aSpace } from '../../test/content.ts'
import { anOrganization } from '../../test/factories.ts'
import { rowsReadOf } from '../../test/rows-read.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { findMainLine } from '../revisions/lines.ts'
import { type BlobPlace, deleteUnusedBlobs, firstBlob } from './blobs.queries.ts'

const app = await startApp()
const [many, unused] = [2_000, 30]

/** Creates a space with many files, some of them of the same age, and among them some bytes that nothing uses. */
async function manyFiles() {
  const org = await anOrganization(app)
  const space = await aSpace(org.admin.client, org.id)
  const line = await findMainLine(app.db, org.id, space.id)
  await app.db.run(sql`
    insert into blobs (organization_id, hash, size, content_type, created_at)
    select ${org.id}, md5(i::text), 1, 'image/png', now() - interval '9 days' + i / 7 * interval '1 second'
    from generate_series(1, ${many}::int) i`)
  await app.db.run(sql`
    insert into entries (organization_id, line_id, entry, from_seq, kind, state, parent, data)
    select ${org.id}, ${line.id}, gen_random_uuid(), 1, 2, 0, gen_random_uuid(), jsonb_build_object('blob', md5(i::text))
    from generate_series(1, ${many}::int) i where i > ${unused}::int * 10 or i % 10 > 0`)
  await app.db.run(sql`analyze`.asSlow())
}

test('the sweep examines files in parts, each file once, and removes all unused ones', async () => {
  await manyFiles()
  const [look, limit] = [100, 7]
  const rows = await rowsReadOf(app.db, 'blobs', (tx) => deleteUnusedBlobs(tx, firstBlob, { look, limit }))
  assert.ok(rows <= 4 * look, `${rows} rows`)

  let [removed, steps] = [limit, 1]
  for (let after: BlobPlace | null = firstBlob; after; steps++) {
    const at: BlobPlace = after
    const some = await transaction(app.db, nobody, (tx) => deleteUnusedBlobs(tx, at, { look, limit }))
    assert.ok(some.removed.length <= limit)
    removed += some.removed.length
    after = some.last
  }
  assert.equal(removed, unused)
  assert.ok(steps <= many / look + unused / limit + 3, `${steps} steps`)
  assert.equal((await app.db.one(sql<{ count: number }>`select count(*) from blobs`.asSlow())).count, many - unused)
})
