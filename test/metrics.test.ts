// The metrics of a running server, as Prometheus reads them.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../src/db/connect.ts'
import { readConfig } from '../src/config.ts'
import { sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { startApp } from './app.ts'
import { cloneTemplate } from './database.ts'
import { startServer, temporaryFolder } from './process.ts'

const database = await cloneTemplate()
after(() => database.drop())
const token = 'a-token-for-the-figures-of-this-node'
const environment = { DATABASE_URL: database.url, LECTERN_URL: 'http://lectern.test' }
const server = await startServer({
  ...environment,
  LECTERN_DATA: await temporaryFolder(),
  LECTERN_METRICS_TOKEN: token,
  LECTERN_DEMO: 'on',
})

const ask = (authorization?: string) =>
  fetch(`${server.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } })

/** The value of every line that is no comment, by its name and labels. */
async function figures(): Promise<Map<string, number>> {
  const lines = (await (await ask(`Bearer ${token}`)).text()).trimEnd().split('\n')
  return new Map(
    lines
      .filter((line) => !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

/** An answer is counted after it was sent, so the client may have it a moment earlier. */
async function untilCounted(name: string, count: number): Promise<Map<string, number>> {
  for (let tries = 0; ; tries++) {
    const found = await figures()
    if (found.get(name) === count || tries > 200) return found
    await sleep(10)
  }
}

test('metrics can be read only with the token', async () => {
  for (const wrong of [undefined, '', 'Bearer', 'Bearer wrong', token, `Bearer ${token}x`, `bearer  ${token}`]) {
    const { status, headers } = await ask(wrong)
    assert.equal(status, 401, wrong)
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer/)
  }
  const answer = await ask(`Bearer ${token}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
})

test('without a configured token there are no metrics', async () => {
  const { url } = await startApp()
  const { status } = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer undefined' } })
  assert.equal(status, 404)
})

test('metrics count requests by route and status, and contain no address', async () => {
  const id = newId()
  for (const path of [`/v1/spaces/${id}`, `/v1/spaces/${id}?secret=1`, `/nothing/${id}`]) await fetch(server.url + path)
  const name = 'lectern_requests_total{method="GET",route="/v1/spaces/:spaceId",status="401"}'
  const found = await untilCounted(name, 2)
  assert.equal(found.get(name), 2)
  assert.ok(![...found.keys()].some((line) => line.includes(id) || line.includes('secret')))
  const times = (le: string) => found.get(`lectern_request_duration_seconds_bucket{kind="api",le="${le}"}`)
  assert.equal(times('+Inf'), 2)
  assert.equal(found.get('lectern_request_duration_seconds_count{kind="api"}'), 2)
  assert.ok(times('0.005')! <= times('0.01')! && times('10')! <= 2)
})

test('metrics count pages served from the cache, whole and unchanged', async () => {
  const page = `${server.url}/sites/my-organization/lectern/`
  let tag = ''
  // On the first day of a site, it changes once more, and its pages are rendered again then.
  const isCounted = async (status: string) => (await figures()).get(`lectern_kept_pages_total{status="${status}"}`)! > 0
  for (let tries = 0; tries < 200 && !(await isCounted('200')); tries++) {
    const answer = await fetch(page)
    assert.match(await answer.text(), /Welcome to Lectern/)
    tag = answer.headers.get('etag')!
  }
  assert.ok(await isCounted('200'))
  assert.ok(!(await isCounted('304')))
  const unchanged = await fetch(page, { headers: { 'if-none-match': tag } })
  assert.equal(unchanged.status, 304)
  assert.ok(await isCounted('304'))
})

test('metrics report mail that waits or will be retried, failed jobs, the process and its database connections', async () => {
  const before = await figures()
  assert.equal(before.get('lectern_up'), 1)
  assert.equal(before.get('lectern_mails_waiting'), 0)
  const db = new Database({ connectionString: database.url }, readConfig({}).limits)
  const inAnHour = sql`now() + interval '1 hour'`
  await db.run(sql`
    insert into mails (id, kind, address, due_at, tries) values
      (${newId()}, 'sign-in-code', 'due@example.com', now(), 0),
      (${newId()}, 'invite', 'refused-once@example.com', ${inAnHour}, 1),
      (${newId()}, 'invite', 'not-yet-due@example.com', ${inAnHour}, 0)`)
  // A job that was given up, and that no worker takes.
  await db.run(sql`select graphile_worker.add_job('no-such-task', max_attempts => 1)`)
  await db.run(sql`update graphile_worker._private_jobs set attempts = 1 where max_attempts = 1`)
  await db.close()
  const found = await figures()
  assert.equal(found.get('lectern_mails_waiting'), 2)
  assert.equal(found.get('lectern_jobs_failed')! - before.get('lectern_jobs_failed')!, 1)
  for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'process_start_time_seconds'])
    assert.ok(found.get(name)! > 0, name)
  assert.ok(
    found.get('lectern_database_connections{state="idle"}')! +
      found.get('lectern_database_connections{state="busy"}')! >
      0,
  )
})
