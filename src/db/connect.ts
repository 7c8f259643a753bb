import pg from 'pg'
import type { Limits } from '../config.ts'
import { Explained } from '../explained.ts'
import { Memory } from './memory.ts'
import { News } from './news.ts'
import type { Statement } from './sql.ts'

/** Where statements are sent: the database itself, or a transaction. */
export interface Db {
  /** Every row. */
  all<Row>(statement: Statement<Row>): Promise<Row[]>
  /** The first row, if there is one. */
  find<Row>(statement: Statement<Row>): Promise<Row | undefined>
  /** The one row there must be. */
  one<Row>(statement: Statement<Row>): Promise<Row>
  /** How many rows were changed. */
  run(statement: Statement): Promise<number>
  /**
   * What `find` finds, perhaps found for somebody else a moment ago: for what is asked before nearly every request. A
   * change of `what` by this process ends it. In a transaction, nothing is remembered.
   */
  remember<Value>(what: Remembered, key: string, find: () => Promise<Value>): Promise<Value>
}

/** `rights`: who is who and may do what. `content`: that, and which revision is the newest. */
export type Remembered = 'rights' | 'content'

/** The database cannot be reached, is starting or stopping, or took too long: answered with 503. */
export class DatabaseUnavailable extends Explained {}

export type Connection = pg.ClientConfig

/**
 * Left alone, the server plans a long statement anew each time: a page by id, 0.7 ms of planning for 0.2 of work. So it
 * plans once; and since that may be on the day when a table is empty, never to read it from end to end.
 */
const oncePlanned = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' }
const plannedAnew = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on' }

const setting = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ')
const planAnew = setting(plannedAnew)
const planOnce = setting(oncePlanned)

/** Whoever has few connections wants few: a second reader makes all plans a second time. */
const smallPool = 5

// bigint and numeric counts fit a JavaScript number; dates and times stay Dates.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * A pool for transactions, half as many connections for slow reads, and two shared ones (one beside a small pool) on which
 * short single reads are pipelined: half the work per read of a pooled connection, and no waiting for a free one. Slow
 * reads have their own, because somebody may read something beside a transaction: whoever has a connection and waits for
 * another one must not wait for others who do the same.
 */
export class Database implements Db {
  readonly pool: pg.Pool
  /** How many transactions of this process could have changed it: what was read before may be out of date. */
  readonly commits: Record<Remembered, number> = { rights: 0, content: 0 }
  readonly news = new News(this)
  /** For a connection beside those here. */
  readonly connection: Connection
  readonly #memory = new Memory()
  readonly #slow: pg.Pool
  readonly #readers: Reader[]

  /** Of the pool for transactions. */
  get connections(): { busy: number; idle: number; wanted: number } {
    const { totalCount, idleCount, waitingCount } = this.pool
    return { busy: totalCount - idleCount, idle: idleCount, wanted: waitingCount }
  }

  constructor(connection: Connection, limits: Limits) {
    const options: pg.ClientConfig = {
      ...connection,
      application_name: 'lectern',
      statement_timeout: limits.statementMs,
      // Longer than the server's own limit: only a server that is stuck or unreachable gets here.
      query_timeout: limits.statementMs + 2_000,
      connectionTimeoutMillis: limits.poolWaitMs,
      keepAlive: true,
      pipeline: true,
      // To compile a statement, or to call other processes to help with it, takes longer than running any of ours.
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
    // What writes may wait for a transaction, and is kept apart from what a transaction may wait for.
    const pool = statement.compile().mayWait ? this.pool : this.#slow
    return this.withClient((client) => send(client, statement), pool)
  }

  /** The first where both are free: it has planned the statement already, and has at hand what it needs for it. */
  #freestReader(): Reader {
    return this.#readers.reduce((freest, reader) => (reader.waiting < freest.waiting ? reader : freest))
  }

  /** Lends a pooled connection; a broken one is thrown away. */
  async withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>, pool = this.pool): Promise<Result> {
    // Where it cannot even begin, as without the file of a certificate, the pool throws at once.
    const client = await Promise.try(() => pool.connect()).catch(refuse)
    // The pool listens only to idle clients: one that breaks while lent needs its own listener, or the process ends.
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
  // So would one that is lost with the very bytes that say it is ready: the pool has stopped listening by then, and
  // whoever is to get it does not listen yet.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * The driver leaves a connection open that it gives up itself, as where it has no password to send. The server would hold
 * a place for each of them, for a minute, while we try again and again.
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

/** One connection that many callers share; it connects when first needed, and again after it broke. */
class Reader {
  /** How many were asked and are not answered. */
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
    // One that broke says so more than once: by then another may have taken its place, and nobody would close that.
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

/** `limitMs`: how long we wait, where that is longer than usual; the server has a limit of its own. */
export async function send(client: pg.ClientBase, statement: Statement, limitMs?: number): Promise<pg.QueryResult> {
  const { text, name, values } = statement.compile()
  // The types of pg do not know that a query may have a limit of its own.
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
 * What is sent in one turn of the event loop leaves in one piece. Each statement would else be a system call of its own
 * that wakes up the other side: with the five of a small transaction, most of what we do for it.
 */
export function gather(client: pg.ClientBase): void {
  // Both kinds of clients have it; the types know it of one.
  const { stream } = (client as pg.Client).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

/**
 * Planned for its own values. The three travel together; if the middle one fails, so does what stood before. Who stands
 * behind it waits as long as it takes, and so all have its limit.
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

/** Whatever keeps us from connecting, a wrong password included, leaves us without a database. */
function refuse(error: unknown): never {
  throw new DatabaseUnavailable(`The database cannot be reached: ${whyNot(error)}`, { cause: error })
}

/** What a driver says for programmers, for whoever set DATABASE_URL. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (/password must be a (non-empty )?string/.test(error.message))
    return 'it asks for a password, and DATABASE_URL has none'
  if ('code' in error && unknownIssuer.test(String(error.code)))
    return `its certificate is of nobody who is known here (${error.message.split(';')[0]}). Name the certificate of who made it in DATABASE_URL, with sslrootcert=<file>`
  return error.message
}

const unknownIssuer = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT|VERIFY).*)$/

/** Admin shutdown, crash, starting up, out of connections, cancelled by the statement limit. */
const unavailableCodes = /^(08...|57P0[1-5]|53300|57014|25006)$/

/** Names what is the database's absence; every other error passes as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof Explained) return error
  const answered = error instanceof pg.DatabaseError
  if (answered && !unavailableCodes.test(error.code ?? '')) return error
  return new DatabaseUnavailable(
    `The database is unavailable: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  )
}
