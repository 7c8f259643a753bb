import { Agent, createServer, get } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { startEmbedded } from '../src/db/embedded.ts'
import { sql } from '../src/db/sql.ts'
import { call, headers, organizationAt } from './call.ts'
import { type Figure, atLeast, atMost, byTurns, median } from './figures.ts'
import { newFolder, remove, startLectern } from './server.ts'

/** Many short rounds: on a busy machine, the slowest of a hundred calls is the first to suffer. */
const rounds = 9
const roundMs = 6_000
/** Each event goes to two webhooks: 1,200 deliveries a minute. */
const eventsPerSecond = 10
/** How long the slow receiver takes to answer. */
const slowMs = 1_500
const readers = 4
const pauseMs = 5

/**
 * Measures the slowest of a hundred API calls while a thousand deliveries a minute are made, half of them to a slow
 * receiver.
 */
export async function webhookFigures(): Promise<Figure[]> {
  const folder = await newFolder()
  const lectern = await startLectern(folder, { LECTERN_FETCH_ALLOW: '127.0.0.1' })
  const embedded = await startEmbedded({ dataFolder: folder })
  const db = new Database(embedded.connection, readConfig({}).limits)
  const receiver = await startReceiver()
  try {
    const organizationId = await listen(lectern.url, [`${receiver.url}slow`, `${receiver.url}quick`])
    const target = `${lectern.url}/v1/orgs/${organizationId}`
    const rates: number[] = []
    const quiet = () => slowestOfHundred(target)
    const busy = async () => {
      const arrivals = receiver.startOver()
      const [p99, due] = await Promise.all([slowestOfHundred(target), sendEvents(db, organizationId)])
      while (arrivals.length < due) await sleep(50)
      // Events are sent once per second, so the time from the first to the last arrival is one second short.
      rates.push(((due - 2 * eventsPerSecond) / (arrivals.at(-1)! - arrivals[0]!)) * 60_000)
      // Waits until the last delivery is answered and recorded, too.
      await sleep(slowMs + 1_000)
      return p99
    }
    for (const measure of [quiet, busy]) await measure()
    rates.length = 0
    const [without, withEvents] = await byTurns(rounds, [quiet, busy])
    return [
      atLeast(
        'Webhook deliveries a minute on one node, half of them to a receiver that takes 1.5 s (1,200 are due)',
        1_000,
        median(rates),
      ),
      atMost(
        'API calls meanwhile, the slowest of a hundred, against the same without',
        1.5,
        withEvents! / without!,
        '×',
      ),
    ]
  } finally {
    receiver.stop()
    await db.close()
    await embedded.leave()
    await lectern.stop()
    await remove(folder)
  }
}

async function startReceiver() {
  let arrivals: number[] = []
  const server = createServer((request, response) => {
    arrivals.push(performance.now())
    request.resume()
    setTimeout(() => response.writeHead(204).end(), request.url === '/slow' ? slowMs : 0)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    startOver: () => (arrivals = []),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function listen(url: string, receivers: string[]): Promise<string> {
  const id = await organizationAt(url)
  for (const receiver of receivers) await call(`${url}/v1/orgs/${id}/webhooks`, 'POST', { url: receiver })
  return id
}

/**
 * Inserts change rows as if the changes had been made, since only their delivery is measured. Returns the number of
 * deliveries due.
 */
async function sendEvents(db: Database, organizationId: string): Promise<number> {
  const seconds = roundMs / 1_000
  for (let second = 0; second < seconds; second++) {
    await db.run(sql`
      insert into changes (organization_id, id, action, target_type, target_id)
      select ${organizationId}, gen_random_uuid(), 'member.updated', 'member', gen_random_uuid()
      from generate_series(1, ${eventsPerSecond}::int)`)
    await sleep(1_000)
  }
  return 2 * seconds * eventsPerSecond
}

/** Returns milliseconds. The calls leave the machine time for other work. */
async function slowestOfHundred(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const until = performance.now() + roundMs
  const times: number[] = []
  const reader = async () => {
    for (; performance.now() < until; await sleep(pauseMs)) times.push(await timeOf(url, agent))
  }
  await Promise.all(Array.from({ length: readers }, reader))
  agent.destroy()
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

async function timeOf(url: string, agent: Agent): Promise<number> {
  const from = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  get(url, { agent, headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`))
    response.resume().on('end', resolve)
  }).on('error', reject)
  await promise
  return performance.now() - from
}
