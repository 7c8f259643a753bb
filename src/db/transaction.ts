import pg from 'pg'
import {
  type Database,
  type Db,
  DatabaseUnavailable,
  type Remembered,
  asUnavailable,
  gather,
  send,
  theOne,
} from './connect.ts'
import type { Change } from './news.ts'
import { type Statement, sql } from './sql.ts'

/** On whose behalf a transaction writes. Recorded with every change. */
export interface Author {
  actorId: string | null
  tokenId: string | null
  requestId: string | null
  address: string | null
}

/** Lectern itself: the first start, jobs, the command line. */
export const nobody: Author = { actorId: null, tokenId: null, requestId: null, address: null }

const tries = 3

/**
 * Runs `work` in one transaction: all of it is committed, or nothing. After a serialization failure or a deadlock,
 * `work` runs again, so it must do nothing but talk to the database it is given. Anything that must follow a commit
 * goes to `afterCommit`.
 */
export async function transaction<Result>(db: Database, by: Author, work: Work<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.withClient((client) => attemptOnce(new Transaction(client, by, db), client, work))
    } catch (error) {
      if (!isRaceLost(error) || attempt === tries) throw error
    }
  }
}

type Work<Result> = (tx: Transaction) => Promise<Result>

async function attemptOnce<Result>(tx: Transaction, client: pg.PoolClient, work: Work<Result>) {
  // Not awaited: it is sent together with the first statement.
  gather(client)
  tx.later(client.query('begin'))
  try {
    const result = await work(tx)
    await tx.commit()
    return result
  } catch (caught) {
    const error = await tx.reasonOf(caught)
    await tx.rollBack().catch(() => {
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
  readonly #news: Change[] = []
  readonly #of: Pick<Database, 'commits' | 'news'>
  #changesRights = true
  #changesMain = true
  #isHeld = false
  #hasEnded = false
  #limitMs: number | undefined
  #failure: unknown

  constructor(client: pg.PoolClient, by: Author, of: Pick<Database, 'commits' | 'news'>) {
    this.#client = client
    this.by = by
    this.#of = of
  }

  async all<Row>(statement: Statement<Row>): Promise<Row[]> {
    return (await this.#send(statement)).rows as Row[]
  }

  async find<Row>(statement: Statement<Row>): Promise<Row | undefined> {
    return (await this.#send(statement)).rows[0] as Row | undefined
  }

  async one<Row>(statement: Statement<Row>): Promise<Row> {
    return theOne((await this.#send(statement)).rows as Row[])
  }

  remember<Value>(_what: Remembered, _key: string, find: () => Promise<Value>): Promise<Value> {
    return find()
  }

  /** Declares that this transaction changes only content: nobody's rights change, so cached rights stay valid. */
  leaveRights(): void {
    this.#changesRights = false
  }

  /**
   * The same for a transaction that writes only to a branch: the cached newest revision of main stays valid as well.
   */
  leaveMain(): void {
    this.leaveRights()
    this.#changesMain = false
  }

  async run(statement: Statement): Promise<number> {
    return (await this.#send(statement)).rowCount ?? 0
  }

  /** For work whose size depends on a whole space: each statement from here on may take this long. */
  async allow(ms: number): Promise<void> {
    await this.run(sql`select set_config('statement_timeout', ${String(ms)}, true)`)
    this.#limitMs = ms + 2_000
  }

  /** Sends a statement without waiting for its answer. If it fails, the commit fails with its error. */
  runLater(statement: Statement): void {
    this.later(this.#send(statement))
  }

  /** Code that continues after the transaction has ended must not reach the next transaction on the same connection. */
  async #send(statement: Statement): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('The transaction has ended')
    const sent = send(this.#client, statement, this.#limitMs)
    sent.catch((error: unknown) => {
      if (!isAborted(error)) this.#failure ??= error
    })
    return sent
  }

  later(sent: Promise<unknown>): void {
    sent.catch(() => {})
    this.#late.push(sent)
  }

  /** For caches and news: runs once, only if the transaction was committed. */
  afterCommit(then: () => void): void {
    this.#afterCommit.push(then)
  }

  /** Announces a change to all nodes once this transaction is committed. */
  tell(change: Change): void {
    this.#news.push(change)
  }

  /**
   * Commits now. The statements that were sent without waiting and the commit are one round trip, so locks are held no
   * longer than that. Nothing can be sent afterwards. If something still has to follow (`hold`), the commit is left to
   * the code that opened the transaction.
   */
  async end(): Promise<void> {
    if (!this.#isHeld) await this.commit()
  }

  /** Postpones the commit: the answer is written as well, once it is known. */
  hold(): void {
    this.#isHeld = true
  }

  /**
   * Finds the original error. If a statement failed that nobody waited for, or that was sent together with others, the
   * next one only reports that the transaction is aborted.
   */
  async reasonOf(thrown: unknown): Promise<unknown> {
    if (!isAborted(thrown)) return thrown
    const failed = await Promise.allSettled(this.#late)
    const reasons = failed.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
    return reasons.find((reason) => !isAborted(reason)) ?? this.#failure ?? thrown
  }

  async rollBack(): Promise<void> {
    this.#hasEnded = true
    await this.#client.query('rollback')
  }

  async commit(): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    gather(this.#client)
    const committed = this.#client.query('commit')
    // The connection may have broken after the commit arrived: then it is done, and only its answer is lost.
    committed.catch(() => {
      this.#forgetWhatWasRead()
      this.#of.news.doubt(this.#news)
    })
    await firstFailure(this.#late)
    // PostgreSQL answers the commit of a failed transaction with ROLLBACK, and without an error.
    const { command } = await committed.catch((error: unknown) => {
      throw asUnavailable(error)
    })
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back')
    this.#forgetWhatWasRead()
    if (this.#news.length > 0) this.#of.news.tell(this.#news)
    for (const then of this.#afterCommit) then()
  }

  #forgetWhatWasRead(): void {
    const { commits } = this.#of
    if (this.#changesMain) commits.content += 1
    if (this.#changesRights) commits.rights += 1
  }
}

/**
 * Throws the first error in the order of sending: statements sent after a failed one only report that the transaction
 * is aborted.
 */
async function firstFailure(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

const isAborted = (error: unknown) => error instanceof pg.DatabaseError && error.code === '25P02'

function isRaceLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}
