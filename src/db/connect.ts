import pg from 'pg'
import type { Limits } from '../config.ts'
import { Explained } from '../explained.ts'
import { Memory } from './memory.ts'
import { News } from './news.ts'
import type { Statement } from './sql.ts'

/** Where statements are sent: to the database itself, or to a transaction. */
export interface Db {
  /** Returns every row. */
  all<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Returns the first row, if there is one. */
  find<Row>(statement: Statement<Row>): Promise<Row | undefined>
  /** Returns the only row. Throws if there is not exactly one. */
  one<Row>(statement: Statement<Row>): Promise<Row>
  /** Returns how many rows were changed. */
  run(statement: Statement): Promise<number>
  /**
   * Returns what `find` finds, or what it found for another caller a moment ago: for lookups that precede nearly every
   * request. Any change of `what` by this process ends that. In a transaction, nothing is remembered.
   */
  remember<Value>(what: Remembered, key: string, find: () => Promise<Value>): Promise<Value>
}

/**
 * What a remembered value depends on. `rights`: users and what they may do. `content`: the same, and which revision is
 * the newest.
 */
export type Remembered = 'rights' | 'content'

/** The database cannot be reached, is starting or stopping, or took too long: answered with 503. */
export class DatabaseUnavailable extends Explained {}

export type Connection = pg.ClientConfig

/**
 * By default the server plans a long statement anew each time: for a page by id, 0.7 ms of planning for 0.2 ms of work.
 * So it plans once; and since that may happen while a table is still empty, the plan must never read a table from end
 * to end.
 */
const oncePlanned = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }
const plannedAnew = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on' }

const setting = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ')
const planAnew = setting(plannedAnew)
const planOnce = setting(oncePlanned)

/**
 * Pools smaller than this get only one reader: a small limit is there to save connections, and a second reader makes
 * all plans a second time.
 */
const smallPool = 5

// bigint and numeric counts fit a JavaScript number; dates and times stay Dates.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * A pool for transactions, half as many connections for slow reads, and two shared ones (one beside a small pool) on
 * which short single reads are pipelined: half the work per read of a pooled connection, and no waiting for a free one.
 * Slow reads have a pool of their own, because a caller may read something beside a transaction: a caller that holds a
 * connection and waits for another one must not wait for others that do the same.
 */
export class Database implements Db {
  readonly pool: pg.Pool
  /**
   * How many transactions of this process could have changed the data of each kind: what was read before may be out of
   * date.
   */
  readonly commits: Record<Remembered, number> = { rights: 0, content: 0 }
  readonly news = new News(this)
  /** The options for a connection beside those here. */
  readonly connection: Connection
  readonly #memory = new Memory()
  readonly #slow: pg.Pool
  readonly #readers: Reader[]

  /** The connections of the pool for transactions. */
  get connections(): { busy: number; idle: number; wanted: number } {
    const { totalCount, idleCount, waitingCount } = this.pool
    return { busy: totalCount - idleCount, idle: idleCount, wanted: waitingCount }
  }

  constructor(connection: Connection, limits: Limits) {
    const options: pg.ClientConfig = {
      ...connection,
      application_name: 'lectern',
      statement_timeout: limits.statementMs,
      // Longer than the server's own limit, so it only applies if the server is stuck or unreachable.
      query_timeout: limits.statementMs + 2_000,
      connectionTimeoutMillis: limits.poolWaitMs,
      keepAlive: true,
      pipeline: true,
      // Compiling a statement, or calling other processes to help with it, takes longer than running any of ours.
      options: Object.entries({ ...oncePlanned, jit: 'off', max_parallel_workers_per_gather: '0' })
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    }
    this.connection = connection
    this.pool = makePool(options, limits.poolSize)
    this.#slow = makePool(options, Math.ceil(limits.poolSize / 2))
    this.#readers = Array.from({ length: limits.poolSize < smallPool ? 1 : 2 }, () => new Reader(options))
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

  async run(statement: Statement): Promise<number> {
    return (await this.#send(statement)).rowCount ?? 0
  }

  remember<Value>(what: Remembered, key: string, find: () => Promise<Value>): Promise<Value> {
    return this.#memory.recall(key, this.commits[what], find)
  }

  async #send(statement: Statement): Promise<pg.QueryResult> {
    if (statement.isShort) return this.#freestReader().send(statement)
    // A statement that writes may wait for a transaction, so it is kept apart from those that a transaction may wait
    // for.
    const pool = statement.compile().mayWait ? this.pool : this.#slow
    return this.withClient((client) => send(client, statement), pool)
  }

  /**
   * Returns the first reader if both are equally free: it has already planned the statement, and has at hand what it
   * needs for it.
   */
  #freestReader(): Reader {
    return this.#readers.reduce((freest, reader) => (reader.waiting < freest.waiting ? reader : freest))
  }

  /** Lends a pooled connection. A broken one is thrown away. */
  async withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>, pool = this.pool): Promise<Result> {
    // If connecting cannot even begin, for example without the file of a certificate, the pool throws at once.
    const client = await Promise.try(() => pool.connect()).catch(refuse)
    // The pool listens only to idle clients. A client that breaks while it is lent needs its own listener, or the
    // process ends.
    let broken = false
    const onError = () => (broken = true)
    client.on('error', onError)
    try {
      return await use(client)
    } catch (error) {
      broken ||= error instanceof DatabaseUnavailable
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  async close(): Promise<void> {
    await this.news.close()
    await Promise.allSettled([this.pool.end(), this.#slow.end(), ...this.#readers.map((reader) => reader.close())])
  }
}

function makePool(options: pg.ClientConfig, max: number): pg.Pool {
  const pool = new pg.Pool({ ...options, max, idleTimeoutMillis: 60_000, Client: TidyClient })
  // Without a listener, a connection lost while idle would end the process.
  pool.on('error', () => {})
  // So would a connection that is lost with the very bytes that report it ready: the pool has stopped listening by
  // then, and the caller that is to get it does not listen yet.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * If the driver gives up on a connection itself, for example because it has no password to send, it leaves it open. The
 * server would hold a slot for each of them, for a minute, while we try again and again.
 */
class TidyClient extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const closing = (error: Error | undefined) => {
      if (error) this.connection.stream.destroy()
    }
    if (!callback) return super.connect().catch((error: Error) => Promise.reject(closing(error) ?? error))
    super.connect((error: Error) => {
      closing(error)
      callback(error)
    })
  }
}

/** One connection that many callers share. It connects on first use, and again after it broke. */
class Reader {
  /** How many statements were sent and are not answered yet. */
  waiting = 0
  readonly #options: pg.ClientConfig
  #client: Promise<pg.Client> | undefined

  constructor(options: pg.ClientConfig) {
    this.#options = options
  }

  async send(statement: Statement): Promise<pg.QueryResult> {
    this.waiting++
    try {
      this.#client ??= this.#connect()
      return await send(await this.#client, statement)
    } finally {
      this.waiting--
    }
  }

  #connect(): Promise<pg.Client> {
    const client = new TidyClient(this.#options)
    const connected = client.connect().then(() => client, refuse)
    // A broken connection reports it more than once. By then another one may have taken its place: if that were
    // forgotten here, nobody would close it.
    const forget = () => {
      if (this.#client === connected) this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    connected.catch(forget)
    return connected
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }
}

/**
 * Sends a statement. `limitMs` is how long to wait, if that is longer than usual; the server has a limit of its own.
 */
export async function send(client: pg.ClientBase, statement: Statement, limitMs?: number): Promise<pg.QueryResult> {
  const { text, name, values } = statement.compile()
  // The types of pg do not include a limit for a single query.
  const limit: object = limitMs === undefined ? {} : { query_timeout: limitMs }
  const query = { text, values: values as unknown[], ...limit }
  gather(client)
  try {
    return await (statement.isPlannedAnew ? sendAlone(client, query, limit) : client.query({ ...query, name }))
  } catch (error) {
    throw asUnavailable(error)
  }
}

/**
 * Sends everything from one turn of the event loop in one piece. Otherwise each statement would be a system call of its
 * own that wakes up the other side: with the five of a small transaction, most of the work that we do for it.
 */
export function gather(client: pg.ClientBase): void {
  // Both kinds of clients have a connection, but the types declare it for only one of them.
  const { stream } = (client as pg.Client).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/**
 * Sends a query to be planned for its own values. The three statements travel together; if the query fails in a
 * transaction, the setting before it is rolled back as well. The last one waits behind the query as long as that takes,
 * so all three have its limit.
 */
function sendAlone(client: pg.ClientBase, query: pg.QueryConfig, limit: object): Promise<pg.QueryResult> {
  client.query({ text: planAnew, ...limit }).catch(() => {})
  const answer = client.query(query)
  client.query({ text: planOnce, ...limit }).catch(() => {})
  return answer
}

export function theOne<Row>(rows: Row[]): Row {
  if (rows.length !== 1) throw new Error(`Expected one row, found ${rows.length}`)
  return rows[0]!
}

/** Turns every reason why we cannot connect, including a wrong password, into `DatabaseUnavailable`. */
function refuse(error: unknown): never {
  throw new DatabaseUnavailable(`The database cannot be reached: ${whyNot(error)}`, { cause: error })
}

/** Translates what a driver reports to programmers for the person who set DATABASE_URL. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (/password must be a (non-empty )?string/.test(error.message))
    return 'it asks for a password, and DATABASE_URL has none'
  if ('code' in error && unknownIssuer.test(String(error.code)))
    return `its certificate is of nobody who is known here (${error.message.split(';')[0]}). Name the certificate of who made it in DATABASE_URL, with sslrootcert=<file>`
  return error.message
}

const unknownIssuer = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY).*)$/

/**
 * Connection failures, admin shutdown, crash, starting up, out of connections, cancelled by the statement limit,
 * read-only.
 */
const unavailableCodes = /^(08...|57P0[1-5]|53300|57014|25006)$/

/**
 * Turns errors that mean that the database is unavailable into `DatabaseUnavailable`. Answers of the server with other
 * codes, and errors that are already explained, are returned as they are.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof Explained) return error
  const answered = error instanceof pg.DatabaseError
  if (answered && !unavailableCodes.test(error.code ?? '')) return error
  return new DatabaseUnavailable(
    `The database is unavailable: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  )
}
