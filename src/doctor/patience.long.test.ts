import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../../test/app.ts'
import { examine } from '../commands/doctor.ts'
import { Database } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { nobody, transaction } from '../db/transaction.ts'

const app = await startApp()

test('a check may take longer than the limit for requests, and each finding is reported at once', async () => {
  const { config, databaseUrl } = app
  const db = new Database({ connectionString: databaseUrl }, { ...config.limits, statementMs: 100 })
  const told: string[] = []
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = transaction(app.db, nobody, async (tx) => {
    await tx.run(sql`lock table comments in access exclusive mode`)
    locked.resolve()
    await free.promise
  })
  await locked.promise
  try {
    const instance = { config, db, store: app.app.store }
    const examining = examine(instance, ({ check }) => told.push(check))
    // Well beyond the limit of the server, and beyond ours, which is two seconds longer.
    await Promise.race([examining, sleep(2_600)])
    const toldBefore = [...told]
    free.resolve()
    const findings = await examining
    assert.deepEqual(
      findings.filter(({ ok, check }) => !ok && !/room/.test(check)),
      [],
    )
    assert.deepEqual(
      told,
      findings.map(({ check }) => check),
    )
    assert.ok(toldBefore.length >= 2 && toldBefore.length < told.length, String(toldBefore.length))
  } finally {
    free.resolve()
    await held
    await db.close()
  }
})
