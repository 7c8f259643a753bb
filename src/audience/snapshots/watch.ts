import pg from 'pg'
import type { Database } from '../../db/connect.ts'
import { channel, readMessage } from '../../db/news.ts'
import { type LateNews, type LineKey, listLateNews, listStates } from './snapshot.queries.ts'

/** Somebody who keeps what he read, and is to hear what has changed since. */
export interface Keeper {
  held(): { siteIds: string[]; lines: LineKey[] }
  /** How some stand now; `whole`: all that is held, so what is missing is gone. */
  compare(states: LateNews, whole: boolean): void
}

const tickMs = 1_000
/** How far back to look each second: longer than any commit takes to be seen. */
const lateSeconds = 10
/** How many seconds may pass until all that is held is compared, although nobody told of a change. */
const wholeEvery = 10
/** How long what is kept may be trusted without having been able to look. */
const trustMs = 3_000

/**
 * Keeps what is held up to date with the other nodes. They tell what they changed, on a connection of its own; each
 * second it is asked what changed lately, in case a message was lost; and when the line was down, all is compared.
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

  /** Whether what is held can be relied upon. Where the database does not answer, nobody knows. */
  get isSure(): boolean {
    return performance.now() - this.#sureAt < trustMs
  }

  /** Does nothing where it runs already. */
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
    // Without a listener, a lost connection would end the process.
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.#client = client
      this.#isListening = true
      // Closed meanwhile: nobody else would end it.
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
    // Where the database is slow, one question after the other.
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
