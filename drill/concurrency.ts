import { readConfig } from '../src/config.ts'
import { Database } from '../src/db/connect.ts'
import { cutAnywhere } from './cuts.ts'
import type { DrillOptions } from './drill.ts'
import { explain } from './explain.ts'
import { type Arena, act, newPage } from './history.ts'
import { adminToken } from './lectern.ts'
import { whenOver } from './leftovers.ts'
import { bodyOf } from './model.ts'
import { startNodes } from './nodes.ts'
import { Random } from './random.ts'
import { makeSpace, must, theOrganization } from './setting.ts'

const steps = 10_000
const stepsAtOnce = 500
const clients = 12

export async function concurrency({ seed, count = steps, log }: DrillOptions): Promise<void> {
  const { nodes, databaseUrl } = await startNodes(2)
  const db = new Database({ connectionString: databaseUrl }, readConfig({}).limits)
  whenOver(() => db.close())
  const urls = nodes.map(({ url }) => url)
  const place = { urls, db, token: adminToken, organizationId: await theOrganization(urls[0]!) }
  const random = new Random(seed)
  for (let done = 0; done < count; done += stepsAtOnce) {
    const these = Math.min(stepsAtOnce, count - done)
    log(`${done + these} of ${count} steps: ${await runHistory(place, random, these)}`)
  }
  log(await cutAnywhere({ ...place, url: urls[0]! }, 1))
}

export interface Place {
  /** URLs of nodes that all use the database `db`. */
  urls: string[]
  db: Database
  token: string
  organizationId: string
}

/** Lets many clients work on a new space, then checks that one serial order explains all they saw. */
export async function runHistory(place: Place, random: Random, count: number): Promise<string> {
  const { urls, token, db } = place
  const space = await makeSpace(urls[0]!, place.organizationId, { editMode: 'live' }, token)
  const first = Array.from({ length: 6 }, newPage)
  const changes = first.map(({ title, slots }) => ({
    operation: 'insert_page',
    document: { markdown: bodyOf(slots) },
    metadata: { title },
  }))
  const made = await must(urls[0]!, { method: 'POST', path: `/v1/spaces/${space}/content`, body: { changes }, token })
  const ids: string[] = made.body.changes.map(({ page }: { page: any }) => page.id ?? page)
  const start = new Map(ids.map((id, i) => [id, first[i]!]))
  const known = new Map([['main', new Map(start)]])
  const arena: Arena = { urls, token, space, steps: [], requests: [], known, made: 0 }
  const each = Math.ceil(count / clients)
  await Promise.all(Array.from({ length: clients }, (_, i) => act(arena, i % urls.length, random.fork(), each)))
  return explain(arena, db, start, random)
}
