import pg from 'pg'
import { type Database, type Db, DatabaseUnavailable, asUnavailable, send, theOne } from './connect.ts'
import type { Statement } from './sql.ts'

/** On whose behalf a transaction writes; it stands in the record of every change. */
export interface Author {
  actorId: string | null
  tokenId: string | null
  requestId: string | null
  address: string | null
}

/** The program itself: first start, jobs, the command line. */
export const nobody: Author = { actorId: null, tokenId: null, requestId: null, address: null }

const tries = 3

/**
 * Runs `work` in one transaction: all of it is committed, or none. Serialization failures and deadlocks are tried
 * again, so `work` does nothing but talk to the database it is given; what must follow a commit goes to `afterCommit`.
 */
export async function transaction<Result>(db: Database, by: Author, work: Work<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await db.withClient((client) => attemptOnce(new Transaction(client, by), client, work))
      db.commits += 1
      return result
    } catch (error) {
      if (!isRaceLost(error) || attempt === tries) throw error
    }
  }
}

type Work<Result> = (tx: Transaction) => Promise<Result>

async function attemptOnce<Result>(tx: Transaction, client: pg.PoolClient, work: Work<Result>) {
  // Not awaited: it travels with the first statement.
  tx.later(client.query('begin'))
  try {
    const result = await work(tx)
    await tx.commit()
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      throw new DatabaseUnavailable('The connection was lost', { cause: error })
    })
    throw error
  }
}

export class Transaction implements Db {
  readonly by: Author
  readonly #client: pg.PoolClient
  readonly #late: Promise<unknown>[] = []
  readonly #afterCommit: (() => void)[] = []

  constructor(client: pg.PoolClient, by: Author) {
    this.#client = client
    this.by = by
  }

  async all<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await send(this.#client, statement)).rows as Row[]
  }

  async find<Row>(statement: Statement<Row>): Promise<Row | undefined> {
    return (await send(this.#client, statement)).rows[0] as Row | undefined
  }

  async one<Row>(statement: Statement<Row>): Promise<Row> {
    return theOne((await send(this.#client, statement)).rows as Row[])
  }

  async run(statement: Statement): Promise<number> {
    return (await send(this.#client, statement)).rowCount ?? 0
  }

  /** Sends a statement whose answer nobody waits for; if it fails, the commit fails with its error. */
  runLater(statement: Statement): void {
    this.later(send(this.#client, statement))
  }

  later(sent: Promise<unknown>): void {
    sent.catch(() => {})
    this.#late.push(sent)
  }

  /** For caches and news: runs once, only if the transaction was committed. */
  afterCommit(then: () => void): void {
    this.#afterCommit.push(then)
  }

  async commit(): Promise<void> {
    const committed = this.#client.query('commit')
    committed.catch(() => {})
    await Promise.all(this.#late)
    // A transaction that failed on the way answers its commit with ROLLBACK, and no error.
    const { command } = await committed.catch((error: unknown) => {
      throw asUnavailable(error)
    })
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
    for (const then of this.#afterCommit) then()
  }
}

function isRaceLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}
