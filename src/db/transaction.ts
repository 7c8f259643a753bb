import pg from 'pg'
import { type Database, type Db, DatabaseUnavailable, type Remembered, asUnavailable, send, theOne } from './connect.ts'
import { type Statement, sql } from './sql.ts'

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
      return await db.withClient((client) => attemptOnce(new Transaction(client, by, db.commits), client, work))
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
  readonly #commits: Record<Remembered, number>
  #changesRights = true
  #limitMs: number | undefined

  constructor(client: pg.PoolClient, by: Author, commits: Record<Remembered, number>) {
    this.#client = client
    this.by = by
    this.#commits = commits
  }

  async all<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await send(this.#client, statement, this.#limitMs)).rows as Row[]
  }

  async find<Row>(statement: Statement<Row>): Promise<Row | undefined> {
    return (await send(this.#client, statement, this.#limitMs)).rows[0] as Row | undefined
  }

  async one<Row>(statement: Statement<Row>): Promise<Row> {
    return theOne((await send(this.#client, statement, this.#limitMs)).rows as Row[])
  }

  remember<Value>(_what: Remembered, _key: string, find: () => Promise<Value>): Promise<Value> {
    return find()
  }

  /** Says that this changes content alone: who may do what stays as it is, and may be remembered. */
  leaveRights(): void {
    this.#changesRights = false
  }

  async run(statement: Statement): Promise<number> {
    return (await send(this.#client, statement, this.#limitMs)).rowCount ?? 0
  }

  /** For work that grows with a whole space: each statement from here on may take this long. */
  async allow(ms: number): Promise<void> {
    await this.run(sql`select set_config('statement_timeout', ${String(ms)}, true)`)
    this.#limitMs = ms + 2_000
  }

  /** Sends a statement whose answer nobody waits for; if it fails, the commit fails with its error. */
  runLater(statement: Statement): void {
    this.later(send(this.#client, statement, this.#limitMs))
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
    this.#commits.content += 1
    if (this.#changesRights) this.#commits.rights += 1
    for (const then of this.#afterCommit) then()
  }
}

function isRaceLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}
