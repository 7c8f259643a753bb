import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { anOrganization } from '../../test/factories.ts'
import { rowsReadOf } from '../../test/rows-read.ts'
import { sql } from '../db/sql.ts'
import { findCaller } from './caller.ts'

const app = await startApp()

test('a member who has to use single sign-on is refused without reading other organizations that require it', async () => {
  const org = await anOrganization(app)
  const member = await org.member('read', { sso: true })
  await app.db.run(sql`update organizations set sso = true where id = ${org.id}`)
  await app.db.run(sql`
    insert into organizations (id, title, hostname, sso)
    select gen_random_uuid(), 'Org', 'insisting-' || i, true from generate_series(1, 500) i`)

  const rows = await rowsReadOf(app.db, 'organizations', async (tx) => {
    const caller = await findCaller(tx, member.client.token!, org.id)
    assert.deepEqual([caller?.user.id, caller?.membership], [member.id, undefined])
  })
  assert.ok(rows <= 2, `${rows} rows`)
})
