import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { ApiError } from '../http/errors.ts'
import { hasKey, write } from '../http/write.ts'
import { inTurn } from '../in-turn.ts'
import { LineMoved } from './lines.ts'

/** A change to the content of a line, in two steps. */
export interface LineChange<Answer> {
  /**
   * Reads, and works out what to write. The returned function writes all of it or, if anything that it depends on has
   * changed since, nothing.
   */
  workOut: (db: Db) => Promise<(tx: Transaction) => Promise<Answer>>
  /** Locks the line until the transaction ends. */
  hold: (tx: Transaction) => Promise<unknown>
  /** Prepares slow work while others have their turn. It must be useful wherever the line is by then. */
  prepare?: (db: Db) => Promise<void>
}

/**
 * A line is not locked while a change to it is worked out: the line is read, the change is applied to what was read,
 * and the result is written if the line has not moved. Within this process, writers of a line take turns (`turn` names
 * the line), since a writer who is overtaken has worked in vain. Being overtaken by another process is rare, and the
 * second attempt locks the line from the start.
 */
export async function changeLine<Answer>(
  request: FastifyRequest,
  turn: string,
  { workOut, hold, prepare }: LineChange<Answer>,
): Promise<Answer> {
  const { db } = request.server
  try {
    return await inTurn(
      turn,
      async () => write(request, await workOut(db)),
      async () => prepare?.(db),
    )
  } catch (error) {
    // With an idempotency key, the refusal may result from the first attempt of this very request. Then the stored
    // answer is repeated.
    if (!(error instanceof LineMoved || (error instanceof ApiError && hasKey(request)))) throw error
  }
  return write(request, async (tx) => {
    await hold(tx)
    const writeIt = await workOut(tx)
    return writeIt(tx)
  })
}
