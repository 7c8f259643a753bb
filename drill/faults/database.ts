import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { send } from '../client.ts'
import { ensure } from '../drill.ts'
import { whenOver } from '../leftovers.ts'
import { postmasterOf } from '../lectern.ts'
import { withDatabase } from '../look.ts'
import { childrenOf } from '../processes.ts'
import { Installation } from './installation.ts'

const pauseMs = 9_000

/** A paused database neither answers nor refuses: only timeouts on our side end the wait. */
export async function databasePaused(seed: number): Promise<string> {
  const it = await Installation.start(seed)
  it.startLoad()
  await it.untilAnswered(30)
  const postmaster = postmasterOf(it.folder)!
  const stopped = [postmaster, ...childrenOf(postmaster)]
  const wake = () => {
    for (const pid of stopped) {
      try {
        process.kill(pid, 'SIGCONT')
      } catch {
        // The process has ended.
      }
    }
  }
  whenOver(wake)
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  const until = performance.now() + pauseMs
  let slowestMs = 0
  let refusals = 0
  while (performance.now() < until) {
    const startedAt = performance.now()
    const answer = await it.healthz()
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    if (answer.status === 503) {
      ensure(answer.headers.get('retry-after'), '/healthz answers 503 without Retry-After')
      refusals += 1
    }
    await sleep(100)
  }
  ensure(refusals > 0, '/healthz never said that the database is away')
  wake()
  const backMs = await it.untilHealthy(15_000)
  await it.untilAnswered(20)
  await it.settle()
  await it.end()
  return `${it.ledger.answered} writes, 0 lost; /healthz took ${ms(slowestMs)} at most, and was well again after ${ms(backMs)}`
}

export async function connectionsCut(seed: number): Promise<string> {
  const it = await Installation.start(seed)
  it.startLoad()
  await it.untilAnswered(10)
  let cut = 0
  await withDatabase(it.folder, async ({ connection }) => {
    const client = new pg.Client({ ...connection, application_name: 'drill' })
    await client.connect()
    for (let round = 0; round < 30; round++) {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'lectern%' and pid <> pg_backend_pid() and random() < 0.7`,
      )
      cut += rowCount ?? 0
      await sleep(100)
    }
    await client.end()
  })
  const backMs = await it.untilHealthy(15_000)
  await it.untilAnswered(20)
  await it.settle()
  await it.end()
  return `${cut} connections cut under load, ${it.ledger.answered} writes, 0 lost; well again after ${ms(backMs)}`
}

/** Every connection of the pool waits for a lock. Further writes get 503, while health checks and reads continue. */
export async function poolExhausted(seed: number): Promise<string> {
  const it = await Installation.start(seed, { environment: { LECTERN_POOL_SIZE: '4' } })
  const { url } = it.server
  const path = `/v1/spaces/${it.world.live}`
  const rename = (title: string) => send(url, { method: 'PATCH', path, body: { title } })
  const statuses = await withDatabase(it.folder, async ({ connection }) => {
    const holder = new pg.Client({ ...connection, application_name: 'drill' })
    await holder.connect()
    await holder.query('begin; select from spaces for update')
    const sent = Array.from({ length: 40 }, (_, i) => rename(`Held ${i}`))
    await sleep(500)
    const read = await send(url, { method: 'GET', path })
    ensure(read.status === 200, `A read was answered with ${read.status} while writes wait`)
    await sleep(3_000)
    await holder.query('commit')
    await holder.end()
    return Promise.all(sent)
  })
  for (const { status, headers } of statuses) {
    ensure([200, 409, 503].includes(status), `A write that waited was answered with ${status}`)
    if (status === 503) ensure(headers.get('retry-after'), '503 without Retry-After')
  }
  const refused = statuses.filter(({ status }) => status === 503).length
  ensure(refused > 0, 'The pool was not exhausted')
  ensure((await rename('Free')).status === 200, 'Writes fail although the lock is gone')
  it.startLoad()
  await it.untilAnswered(20)
  await it.settle()
  await it.end()
  return `of 40 writes ${refused} were sent away with 503 and Retry-After, ${40 - refused} answered; reads went on`
}

const ms = (value: number) => `${Math.round(value)} ms`
