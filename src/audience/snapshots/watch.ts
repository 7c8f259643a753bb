import pg from 'pg'
import type { Database } from '../../db/connect.ts'
import { channel, readMessage } from '../../db/news.ts'
import { type LateNews, type LineKey, listLateNews, listStates } from './snapshot.queries.ts'

/** A cache that has to learn what has changed since it was read. */
export interface Keeper {
  held(): { siteIds: string[]; lines: LineKey[] }
  /**
   * Takes the current states of some sites and lines. `whole`: of all that are held, so what is missing has been
   * deleted.
   */
  compare(states: LateNews, whole: boolean): void
}

const tickMs = 1_000
/** How far back the check each second looks: longer than any commit takes to become visible. */
const lateSeconds = 10
/** After how many seconds everything held is compared, even if no node has announced a change. */
const wholeEvery = 10
/** How long the cache may be trusted without a successful check. */
const trustMs = 3_000

/**
 * Keeps a cache up to date with the other nodes. They announce their changes, received on a separate connection. Each
 * second, recent changes are also queried, in case a message was lost. After the connection was down, everything is
 * compared.
 */
export class Watch {
  readonly #db: Database
  readonly #keeper: Keeper
  #timer: NodeJS.Timeout | undefined
  #client: pg.Client | undefined
  #isConnecting = false
  #isListening = false
  #isClosed = false
  #isLooking = false
  #sureAt = -Infinity
  #ticks = 0

  constructor(db: Database, keeper: Keeper) {
    this.#db = db
    this.#keeper = keeper
  }

  /** Whether the cache can be relied on. If the database does not answer, this is unknown. */
  get isSure(): boolean {
    return performance.now() - this.#sureAt < trustMs
  }

  /** Does nothing if it is already running. */
  start(): void {
    if (this.#timer || this.#isClosed) return
    this.#timer = setInterval(() => void this.#tick(), tickMs)
    this.#timer.unref()
    void this.#connect()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  async #connect(): Promise<void> {
    if (this.#isConnecting || this.#isListening || this.#isClosed) return
    this.#isConnecting = true
    const client = new pg.Client({ ...this.#db.connection, application_name: 'lectern news', keepAlive: true })
    const lost = () => {
      if (this.#client === client) this.#client = undefined
      this.#isListening = this.#client !== undefined
    }
    // Without an error listener, a lost connection would end the process.
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.#client = client
      this.#isListening = true
      // Closed in the meantime. Nothing else would end this connection.
      if (this.#isClosed) await client.end()
      else await this.#look(true)
    } catch {
      // The next tick tries again.
      await client.end().catch(() => {})
    } finally {
      this.#isConnecting = false
    }
  }

  #hear(message: string): void {
    const { sender, changes } = readMessage(message)
    if (sender !== this.#db.news.sender) this.#db.news.hear(changes)
  }

  async #tick(): Promise<void> {
    this.#ticks += 1
    if (!this.#isListening) void this.#connect()
    await this.#look(!this.#isListening || this.#ticks % wholeEvery === 0).catch(() => {})
  }

  async #look(whole: boolean): Promise<void> {
    // If the database is slow, sends one query after the other.
    if (this.#isLooking && !whole) return
    this.#isLooking = true
    const startedAt = performance.now()
    try {
      const { siteIds, lines } = this.#keeper.held()
      const states = whole ? await listStates(this.#db, siteIds, lines) : await listLateNews(this.#db, lateSeconds)
      this.#keeper.compare(states, whole)
      this.#sureAt = startedAt
    } finally {
      this.#isLooking = false
    }
  }
}
