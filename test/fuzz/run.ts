import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { Operation } from '../../src/http/spec.ts'
import { findErrorFault } from '../matrix/check.ts'
import type { Row } from '../matrix/rules.ts'
import { type Sent, send } from '../matrix/send.ts'
import { type Case, type FuzzWorld, casesOf } from './cases.ts'
import type { Touched } from './touched.ts'
import { mend } from './world.ts'

export interface Fuzzing {
  world: FuzzWorld
  touched: Touched
  rows: Record<string, Row>
  operations: Operation[]
  seed: number
  /** The number of cases per operation. */
  count: number
}

export interface Fuzzed {
  cases: number
  statuses: Map<number, number>
  /** Operations that no request got through to. */
  unreached: string[]
  faults: string[]
}

const atOnce = 8

/** Sends almost valid requests to every operation, and collects the faults of the answers. */
export async function fuzz(fuzzing: Fuzzing): Promise<Fuzzed> {
  const found: Fuzzed = { cases: 0, statuses: new Map(), unreached: [], faults: [] }
  for (const [i, operation] of inOrder(fuzzing.operations).entries()) {
    const { world, rows, seed, count } = fuzzing
    const arbitrary = casesOf(world, operation, rows[operation.schema.operationId!])
    const cases = fc.sample(arbitrary, {
      numRuns: startsWork.has(operation.schema.operationId!) ? Math.ceil(count / 4) : count,
      seed: seed + i,
    })
    const statuses = await (operation.method === 'GET' ? read : change)(fuzzing, operation, cases, found)
    if (!statuses.some((status) => status < 300)) found.unreached.push(operation.schema.operationId!)
    for (const status of statuses) found.statuses.set(status, (found.statuses.get(status) ?? 0) + 1)
    found.cases += cases.length
    if (startsWork.has(operation.schema.operationId!)) await settle(fuzzing.touched)
    if (operation.method !== 'GET') await mend(world)
  }
  return found
}

/** Operations that continue after their answer or take long, because they start a process or fetch something. */
const startsWork = new Set([
  'startImportRun',
  'importContent',
  'importContentInPageById',
  'importContentInChangeRequest',
  'importContentInChangeRequestPageById',
  'createOpenAPISpec',
  'createOrUpdateOpenAPISpecBySlug',
  'exportToGitRepository',
  'importGitRepository',
  'testWebhook',
  'replayWebhookDelivery',
])

/** Waits until all requested work is done and nothing has been written for a while. */
async function settle(touched: Touched): Promise<void> {
  for (let tries = 0, before = -1; tries < 200; tries++) {
    const now = await touched.mark()
    if (now === before && (await touched.pending()) === 0) return
    before = now
    await sleep(200)
  }
}

/** Puts deletions last, and among them the innermost first: otherwise nothing would be left to call soon. */
function inOrder(operations: Operation[]): Operation[] {
  const rank = ({ method, url }: Operation) => (method === 'DELETE' ? 100 - url.split(':').length : 0)
  return operations.toSorted((a, b) => rank(a) - rank(b))
}

/** Sends the cases of an operation that reads. None of them may change anything, whatever the answer is. */
async function read(
  { world, touched }: Fuzzing,
  operation: Operation,
  cases: Case[],
  found: Fuzzed,
): Promise<number[]> {
  const statuses: number[] = []
  const waiting = [...cases]
  const before = await touched.mark()
  const readNext = async () => {
    for (let each = waiting.shift(); each; each = waiting.shift()) {
      const sent = await ask(world, each)
      statuses.push(sent.status)
      const fault = findFault(sent)
      if (fault) found.faults.push(`${say(each)} ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, readNext))
  const changed = (await touched.since(before)).filter((name) => !isWork(name, operation))
  if (changed.length > 0) found.faults.push(`${say(cases[0]!)} and the like change ${changed.join()}`)
  return statuses
}

/** Sends the cases of an operation that changes something. A refused one may not change anything. */
async function change(fuzzing: Fuzzing, operation: Operation, cases: Case[], found: Fuzzed): Promise<number[]> {
  const { world, touched } = fuzzing
  const statuses: number[] = []
  let before = await touched.mark()
  for (const each of cases) {
    const sent = await ask(world, each)
    statuses.push(sent.status)
    const fault = findFault(sent)
    if (fault) found.faults.push(`${say(each)} ${fault}`)
    const after = await touched.mark()
    if (sent.status >= 400 && after !== before) {
      const changed = await changesAgain(fuzzing, operation, each, before)
      if (changed.length > 0) found.faults.push(`${say(each)} is ${sent.status} and changes ${changed.join()}`)
    }
    before = after
  }
  return statuses
}

export function findFault(sent: Sent): string | undefined {
  if (sent.status >= 500) return `is ${sent.status}: ${sent.text.slice(0, 200)}`
  return sent.status >= 400 ? findErrorFault(sent) : undefined
}

/**
 * Called when something was written during a refused request. Sends the request once more while nothing else runs, and
 * returns the tables that are written to then. If there are none, returns all tables that were written to the first
 * time.
 */
async function changesAgain(
  { world, touched }: Fuzzing,
  operation: Operation,
  each: Case,
  before: number,
): Promise<string[]> {
  const isOurs = (name: string) => !isWork(name, operation)
  const changed = (await touched.since(before)).filter(isOurs)
  if (changed.length === 0) return []
  await settle(touched)
  const still = await touched.mark()
  await ask(world, each)
  const again = (await touched.since(still)).filter(isOurs)
  return again.length > 0 ? again : changed
}

/** Tables that background work may write to at any time. */
const atAnyTime = /^(webhook_|search_|link|openapi_|import_|git_|export_|mails)/

/** Other tables that background work writes to, right after it was requested. */
const afterwards =
  /^(entries|heads|lines|revisions|documents|blobs|uploads|changes|sites|spaces|.*counter.*|former_paths)$/

const isWork = (name: string, operation: Operation) =>
  atAnyTime.test(name) || (startsWork.has(operation.schema.operationId!) && afterwards.test(name))

function ask(world: FuzzWorld, { method, url, caller, headers, body }: Case): Promise<Sent> {
  const { authorization } = world.callers.find(({ name }) => name === caller)!
  return send(world.app.app, {
    method,
    url,
    authorization,
    headers: { ...headers },
    ...(body !== undefined && { raw: body }),
  })
}

const say = ({ method, url, caller, headers, body }: Case) =>
  `${method} ${url.slice(0, 400)} by ${caller} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 600)}`
