import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { type Author, type Transaction, transaction } from '../db/transaction.ts'
import { maybeCaller } from './routes.ts'
import { ApiError, invalid } from './errors.ts'
import { successStatus } from './routes.ts'

/**
 * The one transaction of a request that changes something. With an `Idempotency-Key` the answer is committed along
 * with the effect, and a repeat of the request gets that answer instead of a second effect. Handlers check rights
 * before they come here, so a repeat by somebody who lost them is refused like any other call.
 */
export async function write<Answer>(
  request: FastifyRequest,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const key = idempotencyKey(request)
  return transaction(request.server.db, authorOf(request), async (tx) => {
    if (key === undefined) return work(tx)

    const keyHash = keyHashOf(request, key)
    const found = await findAnswer(tx, request, keyHash)
    if (found) return replay(request, found) as Answer
    tx.hold()
    const answer = await work(tx)
    keepAnswer(tx, request, keyHash, answer)
    return answer
  })
}

/** Whether its answer is kept, to be repeated. */
export function hasKey(request: FastifyRequest): boolean {
  return idempotencyKey(request) !== undefined
}

/** Whether this request was answered before: what comes ahead of its transaction need not be done again. */
export async function isRepeat(request: FastifyRequest): Promise<boolean> {
  const key = idempotencyKey(request)
  if (key === undefined) return false
  const found = await request.server.db.find(sql`
    select from idempotency where user_id = ${personOf(request)} and key_hash = ${keyHashOf(request, key)}
      and created_at > now() - interval '1 day'`)
  return found !== undefined
}

export function authorOf(request: FastifyRequest): Author {
  const caller = maybeCaller(request)
  return {
    actorId: caller?.user.id ?? null,
    tokenId: caller?.token.id ?? null,
    requestId: request.id,
    address: request.ip,
  }
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const { method, headers, routeOptions } = request
  if (method !== 'POST' && !routeOptions.config.idempotent) return undefined
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalid('header.idempotency-key', 'pattern', 'must be 1 to 255 visible ASCII characters')
}

interface KeptAnswer {
  request_hash: Buffer
  status: number
  body: Buffer
}

async function findAnswer(tx: Db, request: FastifyRequest, keyHash: Buffer): Promise<KeptAnswer | undefined> {
  const lockNumber = keyHash.readBigInt64BE(0)
  const lock = await tx.one(sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lockNumber}) as free`)
  if (!lock.free) {
    throw new ApiError('still_running', 'The first request with this Idempotency-Key is still running.', {
      headers: { 'retry-after': '1' },
    })
  }
  const found = await tx.find(sql<KeptAnswer>`
    select request_hash, status, body from idempotency
    where user_id = ${personOf(request)} and key_hash = ${keyHash} and created_at > now() - interval '1 day'`)
  if (found && !found.request_hash.equals(requestHash(request))) {
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for another request. Use a new one.')
  }
  return found
}

function replay(request: FastifyRequest, found: KeptAnswer): unknown {
  request.replayedStatus = found.status
  const { db, secrets } = request.server
  if (db.news.doubtAgain()) for (const what of ['rights', 'content'] as const) db.commits[what] += 1
  return JSON.parse(secrets.open('idempotency', found.body)) ?? undefined
}

function keepAnswer(tx: Transaction, request: FastifyRequest, keyHash: Buffer, answer: unknown): void {
  const body = request.server.secrets.seal('idempotency', JSON.stringify(answer ?? null))
  tx.runLater(sql`
    insert into idempotency (user_id, key_hash, request_hash, status, body)
    values (${personOf(request)}, ${keyHash}, ${requestHash(request)}, ${successStatus(request)}, ${body})
    on conflict (user_id, key_hash) do update
    set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = now()`)
}

/** Keys of people who have no account yet (accepting an invite) are told apart by the secret in their path alone. */
const personOf = (request: FastifyRequest) => authorOf(request).actorId ?? '00000000-0000-0000-0000-000000000000'

const requestHash = (request: FastifyRequest) => digest(JSON.stringify(request.body ?? null))

const keyHashOf = ({ method, url }: FastifyRequest, key: string) => digest(`${method} ${url} ${key}`)

const digest = (text: string) => Buffer.from(hash('sha256', text, 'buffer'))
