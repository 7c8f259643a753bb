import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import { ApiError } from '../../http/errors.ts'
import { hasKey, write } from '../../http/write.ts'
import { inTurn } from '../../in-turn.ts'
import { LineMoved } from '../../revisions/lines.ts'

/** A change to the content of a line, in two steps. */
export interface LineChange<Answer> {
  /** Reads, and works out what to write: all of it or, if anything that it depends on has changed since, nothing. */
  workOut: (db: Db) => Promise<(tx: Transaction) => Promise<Answer>>
  /** Holds the line until the transaction ends. */
  hold: (tx: Transaction) => Promise<unknown>
  /** Makes ready, while others have their turn, what takes time wherever the line stands by then. */
  prepare?: (db: Db) => Promise<void>
}

/**
 * Nobody holds a line while a change to it is worked out: it is read, the change is made to what was read, and written
 * if the line still stands there. Within this process those who write to a line take turns (`turn` names it), since
 * whoever was overtaken has worked in vain. That leaves other processes: to be overtaken by one is rare, and the second
 * try holds the line from the start.
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
    // With a key, what refuses a request may be its own first effect; then there is an answer to repeat.
    if (!(error instanceof LineMoved || (error instanceof ApiError && hasKey(request)))) throw error
  }
  return write(request, async (tx) => {
    await hold(tx)
    const writeIt = await workOut(tx)
    return writeIt(tx)
  })
}
