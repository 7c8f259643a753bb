import type { TestContext } from 'node:test'
import assert from 'node:assert/strict'
import type { Operation } from '../../src/http/spec.ts'
import { sql } from '../../src/db/sql.ts'
import { hashOf } from '../../src/secrets.ts'
import { stateOf } from '../state.ts'
import { type Cell, cellsOf } from './cells.ts'
import { findFault, likeness } from './check.ts'
import type { Row } from './rules.ts'
import { type Sent, send } from './send.ts'
import type { World } from './world.ts'

const staleTag = '"nothing-was-ever-like-this"'
const usedKey = 'used-before'
const atOnce = 8

/**
 * Sends the requests of all cells of these operations. First those that must be refused and those that only read:
 * nothing at all may change meanwhile. Then those that are let through and change something.
 */
export async function askAll(t: TestContext, world: World, rows: Record<string, Row>): Promise<void> {
  const operations = world.app.app.operations.filter(({ schema }) => (schema.operationId ?? '') in rows)
  const faults: string[] = []
  const writes: Cell[] = []
  const asked = operations.map((operation) => {
    const row = rows[operation.schema.operationId!]!
    return { operation, row, cells: cellsOf(world, operation, row) }
  })
  await keepAnswers(
    world,
    asked.flatMap(({ cells }) => cells.filter(isRefusedRepeat)),
  )
  let count = 0
  let before = await stateOf(world.app.db)
  for (const { operation, row, cells } of asked) {
    const [later, now] = split(
      cells,
      (cell) => cell.expected.statuses === 'through' && (operation.method !== 'GET' || row.writes === true),
    )
    count += cells.length
    writes.push(...later)
    faults.push(...(await askTogether(world, now)))
    const after = await stateOf(world.app.db)
    if (after !== before) faults.push(`${nameOf(operation)}: something changed while all were refused`)
    before = after
  }
  for (const cell of writes) {
    const sent = await ask(world, cell)
    const fault = findFault(world, cell, sent)
    if (fault) faults.push(`${say(cell)} ${fault}`)
    await cell.row.after?.(world)
  }
  t.diagnostic(`${count} cells of ${operations.length} operations, ${faults.length} wrong`)
  assert.equal(faults.length, 0, `\n${faults.slice(0, 100).join('\n')}`)
  // A matrix that has shrunk to nothing would not find any fault.
  assert.ok(count > 2_500, 'so few cells say little')
}

/**
 * Whether the cell is sent as the repeat of a request that was answered before: as by somebody who has lost the right
 * since. Rights are checked before the stored answer is looked up, so that these are refused like all others.
 */
function isRefusedRepeat({ operation, caller, ids, expected }: Cell): boolean {
  const isRefused = expected.statuses !== 'through' && (ids === 'own' || ids === 'all foreign')
  return operation.method !== 'GET' && caller.userId !== undefined && isRefused
}

async function keepAnswers({ app }: World, cells: Cell[]): Promise<void> {
  const users = cells.map(({ caller }) => caller.userId!)
  const keys = cells.map(({ operation, url }) => hashOf(`${operation.method} ${url} ${usedKey}`).toString('hex'))
  await app.db.run(sql`
    insert into idempotency (user_id, key_hash, request_hash, status, body)
    select user_id, decode(key, 'hex'), decode(key, 'hex'), 200, '' from unnest(${users}::uuid[], ${keys}::text[]) given (user_id, key)
    on conflict do nothing`)
}

async function askTogether(world: World, cells: Cell[]): Promise<string[]> {
  const faults: string[] = []
  const answers = new Map<string, string>()
  const key = ({ caller }: Cell, ids: string) => `${caller.name}: ${ids}`
  const waiting = [...cells]
  const askNext = async (): Promise<void> => {
    for (let cell = waiting.shift(); cell; cell = waiting.shift()) {
      const sent = await ask(world, cell)
      answers.set(key(cell, cell.ids), likeness(sent))
      const fault = findFault(world, cell, sent)
      if (fault) faults.push(`${say(cell)} ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askNext))
  for (const cell of cells) {
    const absent = cell.like === undefined ? undefined : answers.get(key(cell, cell.like))
    const own = answers.get(key(cell, cell.ids))
    if (absent !== undefined && absent !== own)
      faults.push(`${say(cell)} differs from what is not there: ${own} / ${absent}`)
  }
  return faults
}

function ask(world: World, cell: Cell): Promise<Sent> {
  const { operation, caller, url, body, expected } = cell
  const { policy, method } = operation
  const scope = policy?.access === 'token' ? policy.scope : null
  return send(world.app.app, {
    method,
    url,
    body,
    authorization: caller.narrowed?.(scope) ?? caller.authorization,
    // Callers that are let through get as far as the check of the etag. The others have nothing else in their way, so
    // that they would change something if they were not refused.
    headers: {
      ...(method !== 'GET' && expected.statuses === 'through' && { 'if-match': staleTag }),
      ...(isRefusedRepeat(cell) && { 'idempotency-key': usedKey }),
    },
  })
}

const nameOf = ({ method, url, schema }: Operation) => `${schema.operationId} (${method} ${url})`

const say = ({ operation, caller, ids }: Cell) => `${nameOf(operation)} by ${caller.name} with ${ids}`

function split<Value>(values: Value[], isFirst: (value: Value) => boolean): [Value[], Value[]] {
  return [values.filter(isFirst), values.filter((value) => !isFirst(value))]
}
