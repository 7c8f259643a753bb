import type { FastifyRequest } from 'fastify'
import { sql } from '../db/sql.ts'
import { type Author, type Transaction, transaction } from '../db/transaction.ts'
import { nilId } from '../ids.ts'
import { hashOf } from '../secrets.ts'
import { type AnswerKey, type AnswerRow, findAnswer, hasAnswer, upsertAnswer } from './answers.queries.ts'
import { ApiError, invalid } from './errors.ts'
import { maybeCaller, successStatus } from './routes.ts'

/**
 * The one transaction of a request that changes something. With an `Idempotency-Key` the answer is committed along with
 * the effect, and a repeat of the request gets that answer instead of a second effect. Handlers check rights before
 * they call this, so a repeat by somebody who has lost them is refused like any other call.
 */
export async function write<Answer>(
  request: FastifyRequest,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  const key = answerKeyOf(request)
  return transaction(request.server.db, authorOf(request), async (tx) => {
    if (!key) return work(tx)

    const found = await findFirstAnswer(tx, request, key)
    if (found) return replay(request, found) as Answer
    tx.hold()
    const answer = await work(tx)
    keepAnswer(tx, request, key, answer)
    return answer
  })
}

/** Whether the answer to this request is stored for repeats. */
export function hasKey(request: FastifyRequest): boolean {
  return idempotencyKey(request) !== undefined
}

/** Whether this request was answered before. If so, the work before its transaction need not be done again. */
export async function isRepeat(request: FastifyRequest): Promise<boolean> {
  const key = answerKeyOf(request)
  return key !== undefined && hasAnswer(request.server.db, key)
}

export function authorOf(request: FastifyRequest): Author {
  const caller = maybeCaller(request)
  return {
    actorId: caller?.user.id ?? null,
    tokenId: caller && !caller.session ? caller.token.id : null,
    requestId: request.id,
    address: request.ip,
  }
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const { method, headers, routeOptions } = request
  if (method !== 'POST' && !routeOptions.config.idempotent) return undefined
  const key = headers['idempotency-key']
  // Forms on our pages are answered with pages, which cannot be stored for repeats.
  if (key === undefined || maybeCaller(request)?.session) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalid('header.idempotency-key', 'pattern', 'must be 1 to 255 visible ASCII characters')
}

/** The keys of people who have no account yet (accepting an invite) are told apart only by the secret in the path. */
function answerKeyOf(request: FastifyRequest): AnswerKey | undefined {
  const key = idempotencyKey(request)
  const { method, url } = request
  return key === undefined
    ? undefined
    : { userId: authorOf(request).actorId ?? nilId, keyHash: hashOf(`${method} ${url} ${key}`) }
}

async function findFirstAnswer(
  tx: Transaction,
  request: FastifyRequest,
  key: AnswerKey,
): Promise<AnswerRow | undefined> {
  const lockNumber = key.keyHash.readBigInt64BE(0)
  const lock = await tx.one(sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lockNumber}) as free`)
  if (!lock.free) {
    throw new ApiError('still_running', 'The first request with this Idempotency-Key is still running.', {
      headers: { 'retry-after': '1' },
    })
  }
  const found = await findAnswer(tx, key)
  if (found && !found.request_hash.equals(requestHash(request))) {
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was already used for a different request. Use a new one.',
    )
  }
  return found
}

function replay(request: FastifyRequest, found: AnswerRow): unknown {
  request.replayedStatus = found.status
  const { db, secrets } = request.server
  if (db.news.doubtAgain()) for (const what of ['rights', 'content'] as const) db.commits[what] += 1
  return JSON.parse(secrets.open('idempotency', found.body)) ?? undefined
}

function keepAnswer(tx: Transaction, request: FastifyRequest, key: AnswerKey, answer: unknown): void {
  const body = request.server.secrets.seal('idempotency', JSON.stringify(answer ?? null))
  upsertAnswer(tx, key, { request_hash: requestHash(request), status: successStatus(request), body })
}

const requestHash = (request: FastifyRequest) => hashOf(JSON.stringify(request.body ?? null))
