import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { sql } from './sql.ts'
import { nobody, transaction } from './transaction.ts'

const app = await startApp()

test('what failed first is what is told, also where nobody waited for it', async () => {
  const fails = (work: Parameters<typeof transaction>[2]) =>
    assert.rejects(transaction(app.db, nobody, work), { code: '22012' })
  await fails(async (tx) => {
    tx.runLater(sql`select 1 / 0`)
    await tx.run(sql`select 1`)
  })
  await fails(async (tx) => {
    tx.runLater(sql`select 1`)
    tx.runLater(sql`select 1 / 0`)
    tx.runLater(sql`select 2`)
  })
  await fails(async (tx) => {
    await tx.run(sql`select 1 / 0`)
  })
})

test('a race that was lost where nobody waited is run again, like any other', async () => {
  let tries = 0
  const done = await transaction(app.db, nobody, async (tx) => {
    tries += 1
    if (tries < 3) tx.runLater(sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`)
    await tx.run(sql`select 1`)
    return 'done'
  })
  assert.deepEqual([done, tries], ['done', 3])
})
