import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { quickAddJob } from 'graphile-worker'
import { sql } from '../src/db/sql.ts'
import { purge } from '../src/jobs/purge.task.ts'
import { startWorker } from '../src/jobs/worker.ts'
import { newId } from '../src/ids.ts'
import { hashOf } from '../src/secrets.ts'
import { startApp } from './app.ts'
import { anOrganization } from './factories.ts'
import { aLossyWay } from './lossy-way.ts'
import { until } from './until.ts'

const app = await startApp()
const { context } = app

const count = async (statement: ReturnType<typeof sql>) => ((await app.db.one(statement)) as { count: number }).count

async function leftovers() {
  const org = await anOrganization(app)
  const token = (secret: string, expiry: string, revoked: boolean) =>
    app.db.run(sql`
    insert into tokens (id, user_id, hash, label, expires_at, revoked_at)
    values (${newId()}, ${org.admin.id}, ${hashOf(secret + org.id)}, 'old', now() - ${expiry}::interval, ${revoked ? new Date() : null})`)
  await token('long gone', '40 days', false)
  await token('revoked', '40 days', true)
  await token('just gone', '1 day', false)
  const invite = (age: string) =>
    app.db.run(sql`
    insert into invites (id, organization_id, secret_hash, secret_sealed, expires_at)
    values (${newId()}, ${org.id}, ${hashOf(age + org.id)}, ${Buffer.of()}, now() - ${age}::interval)`)
  await invite('1 minute')
  await invite('-1 day')
  const answer = (age: string) =>
    app.db.run(sql`
    insert into idempotency (user_id, key_hash, request_hash, status, created_at)
    values (${org.admin.id}, ${hashOf(age)}, ${hashOf(age)}, 200, now() - ${age}::interval)`)
  await answer('25 hours')
  await answer('23 hours')
  return {
    tokens: () => count(sql`select count(*) from tokens where user_id = ${org.admin.id} and label = 'old'`),
    invites: () => count(sql`select count(*) from invites where organization_id = ${org.id}`),
    answers: () => count(sql`select count(*) from idempotency where user_id = ${org.admin.id}`),
  }
}

test('the purge removes expired sessions, sign-in codes, counts and mail, and keeps the others', async () => {
  const { id } = (await anOrganization(app)).admin
  const over = ['1 minute', '-1 minute']
  for (const age of over) {
    await app.db.run(sql`
      insert into sessions (id, user_id, secret_hash, method, address, user_agent, expires_at)
      values (${newId()}, ${id}, ${hashOf(age + id)}, 'code', '', '', now() - ${age}::interval)`)
    await app.db.run(sql`
      insert into sign_in_codes (address_hash, kind, browser_hash, user_id, code_hash, expires_at)
      values (${hashOf(age + id)}, 'mailed', ${hashOf(id)}, ${id}, '', now() - ${age}::interval)`)
    await app.db.run(sql`
      insert into sign_in_counts (what, key_hash, since, times)
      values ('asked-by', ${hashOf(age + id)}, now() - interval '1 hour' - ${age}::interval, 1)`)
    await app.db.run(sql`
      insert into mails (id, kind, user_id, due_at)
      values (${newId()}, 'comment', ${id}, now() - interval '7 days' - ${age}::interval)`)
  }
  await purge.run(context)
  const left = await app.db.one(sql`
    select (select count(*) from sessions where user_id = ${id}) as sessions,
      (select count(*) from sign_in_codes where user_id = ${id}) as codes,
      (select count(*) from sign_in_counts where key_hash in (${hashOf(over[0] + id)}, ${hashOf(over[1] + id)})) as counts,
      (select count(*) from mails where user_id = ${id}) as mails`)
  assert.deepEqual(left, { sessions: 1, codes: 1, counts: 1, mails: 1 })
})

test('the purge removes long-expired tokens, expired invites and old kept answers, nothing else, and may run twice', async () => {
  const left = await leftovers()
  await purge.run(context)
  await purge.run(context)
  assert.deepEqual([await left.tokens(), await left.invites(), await left.answers()], [2, 1, 1])
})

test('the worker runs a queued task', async (t) => {
  const left = await leftovers()
  const connection = { connectionString: app.databaseUrl }
  const worker = startWorker(connection, context)
  t.after(() => worker.stop())
  await quickAddJob(connection, 'purge', {})
  const from = performance.now()
  while ((await left.answers()) !== 1) {
    assert.ok(performance.now() - from < 30_000, 'the task did not run')
    await sleep(20)
  }
})

test('the worker keeps trying while the database is away, and warns only once', async (t) => {
  const attempts: number[] = []
  const away = createServer((socket) => {
    attempts.push(performance.now())
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(away, 'listening')
  t.after(() => away.close())
  const told: unknown[] = []
  const log = Object.assign(Object.create(context.log), { warn: (...said: unknown[]) => told.push(said) })
  const connection = {
    host: '127.0.0.1',
    port: (away.address() as AddressInfo).port,
    user: 'lectern',
    database: 'lectern',
  }
  const worker = startWorker(connection, { ...context, log })
  t.after(() => worker.stop())
  for (const from = performance.now(); attempts.length < 3; await sleep(20)) {
    assert.ok(performance.now() - from < 30_000, 'it does not try again')
  }
  assert.equal(told.length, 1)
})

for (const outcome of ['is done', 'has failed']) {
  test(`the process survives when the database goes away while a job ${outcome}, and the worker starts again`, async (t) => {
    const { way, url } = await aLossyWay(app.databaseUrl)
    const told: unknown[] = []
    const log = Object.assign(Object.create(context.log), { warn: (...said: unknown[]) => told.push(said) })
    let runs = 0
    const db = Object.assign(Object.create(app.db), {
      run: async (statement: ReturnType<typeof sql>) => {
        if (runs++ === 0) way.isGone = true
        if (way.isGone && outcome === 'has failed') throw new Error('The task failed')
        return app.db.run(statement)
      },
    })
    const worker = startWorker({ connectionString: url }, { ...context, db, log })
    t.after(() => worker.stop())
    const connection = { connectionString: app.databaseUrl }
    await quickAddJob(connection, 'purge', {})
    await until('the worker stops', () => told.length > 0)
    const before = runs
    way.isGone = false
    await quickAddJob(connection, 'purge', {})
    await until('the worker runs another job', () => runs > before)
  })
}
