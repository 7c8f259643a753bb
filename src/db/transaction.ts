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
      return await db.withClient((client) => attemptOnce(new Transaction(client, by, db), client, work))
    } catch (error) {
      if (!isRaceLost(error) || attempt === tries) throw error
    }
  }
}

type Work<Result> = (tx: Transaction) => Promise<Result>

async function attemptOnce<Result>(tx: Transaction, client: pg.PoolClient, work: Work<Result>) {
  // Not awaited: it travels with the first statement.
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

  /** Says that this changes content alone: who may do what stays as it is, and may be remembered. */
  leaveRights(): void {
    this.#changesRights = false
  }

  /** The same, and it writes to a branch alone: which revision of main is the newest may be remembered, too. */
  leaveMain(): void {
    this.leaveRights()
    this.#changesMain = false
  }

  async run(statement: Statement): Promise<number> {
    return (await this.#send(statement)).rowCount ?? 0
  }

  /** For work that grows with a whole space: each statement from here on may take this long. */
  async allow(ms: number): Promise<void> {
    await this.run(sql`select set_config('statement_timeout', ${String(ms)}, true)`)
    this.#limitMs = ms + 2_000
  }

  /** Sends a statement whose answer nobody waits for; if it fails, the commit fails with its error. */
  runLater(statement: Statement): void {
    this.later(this.#send(statement))
  }

  /** Whoever goes on although it is over must not reach the next one on the same connection. */
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

  /** What all nodes get to know of this transaction, once it is committed. */
  tell(change: Change): void {
    this.#news.push(change)
  }

  /**
   * Commits now: what was sent and not waited for, and the commit, are one round trip, and nobody waits longer than that
   * for what is locked here. Nothing can be sent after it. Where something has to follow all the same (`hold`), this
   * leaves the commit to whoever opened the transaction.
   */
  async end(): Promise<void> {
    if (!this.#isHeld) await this.commit()
  }

  /** The answer is written as well, once it is known. */
  hold(): void {
    this.#isHeld = true
  }

  /**
   * Where a statement had failed that nobody waited for, or that was sent together with others, the next one only says
   * that the transaction is aborted.
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
    // The connection may have broken behind the commit: then it is done, and only its answer is lost.
    committed.catch(() => {
      this.#forgetWhatWasRead()
      this.#of.news.doubt(this.#news)
    })
    await firstFailure(this.#late)
    // A transaction that failed on the way answers its commit with ROLLBACK, and no error.
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

/** In the order of sending: all that was sent behind a statement that failed only says that the transaction is aborted. */
async function firstFailure(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

const isAborted = (error: unknown) => error instanceof pg.DatabaseError && error.code === '25P02'

function isRaceLost(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')
}
