import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { sql } from './sql.ts'
import { nobody, transaction } from './transaction.ts'

const app = await startApp()

test('a transaction fails with the error of the statement that failed first, even if that was not awaited', async () => {
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
  // A caller that sends several statements at once may get the error of the last one first.
  await fails(async (tx) => {
    const first = tx.run(sql`select 1 / 0`).catch(async (error: unknown) => {
      await sleep(0)
      throw error
    })
    await Promise.all([first, tx.run(sql`select 1`)])
  })
})

test('a transaction is retried after a serialization failure, even in a statement that was not awaited', async () => {
  let tries = 0
  const done = await transaction(app.db, nobody, async (tx) => {
    tries += 1
    if (tries < 3) tx.runLater(sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`)
    await tx.run(sql`select 1`)
    return 'done'
  })
  assert.deepEqual([done, tries], ['done', 3])
})

test('reads are not queued behind statements that wait for a lock', async () => {
  await app.db.run(sql`create table held (id int primary key, times int not null)`)
  await app.db.run(sql`insert into held values (1, 0)`)
  const read = () => app.db.one(sql<{ answer: number }>`select 42 as answer`)

  const waiting = await transaction(app.db, nobody, async (tx) => {
    await tx.run(sql`select from held where id = 1 for update`)
    const counted = app.db.one(sql<{ times: number }>`update held set times = times + 1 where id = 1 returning times`)
    const locked = app.db.find(sql`select from held where id = 1 for no key update`)
    // More reads than there are shared connections, so that at least one would be queued behind each of the waiting
    // statements.
    const answers = await Promise.all(Array.from({ length: 4 }, read))
    assert.deepEqual(new Set(answers.map(({ answer }) => answer)), new Set([42]))
    return { done: Promise.all([counted, locked]) }
  })
  const [{ times }] = await waiting.done
  assert.equal(times, 1)
})

test('reads beside a transaction never wait for other transactions that do the same', async () => {
  await app.db.run(sql`create table queue (id int primary key, times int not null)`)
  await app.db.run(sql`insert into queue values (1, 0)`)
  const read = () => app.db.all(sql`select generate_series(1, 3) as number`.asSlow())

  // More than there are connections of any kind. All of them wait for the row lock of the first transaction, which also
  // reads, and so do the writes outside a transaction.
  const write = sql`update queue set times = times + 1 where id = 1`
  const all = Array.from({ length: 12 }, async (_, i) => {
    if (i % 2) return app.db.run(write)
    return transaction(app.db, nobody, async (tx) => {
      await tx.run(write)
      return (await read()).length
    })
  })
  assert.deepEqual(
    await Promise.all(all),
    Array.from({ length: 12 }, (_, i) => (i % 2 ? 1 : 3)),
  )
  assert.equal((await app.db.one(sql<{ times: number }>`select times from queue`)).times, 12)
})
