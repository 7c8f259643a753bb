import { randomUUID } from 'node:crypto'
import type { Db } from './connect.ts'
import { sql } from './sql.ts'

/** A change: a main line has a new revision, or something about a site is different. */
export type Change = { kind: 'line'; id: string; seq: number } | { kind: 'site'; id: string }

export const channel = 'lectern_news'

/** A process gathers its changes for this long and sends them as one message, however many there are. */
const gatherMs = 10

/** After this time, a commit whose connection broke has ended, one way or the other. */
const doubtMs = 60_000
const mostDoubtful = 100

/** Changes per message: NOTIFY takes at most 8,000 bytes. */
const mostInMessage = 150

/**
 * Announces what was committed: to listeners in this process at once, to the other nodes by a message (NOTIFY). The
 * message is never sent inside the transaction that makes the change: NOTIFY holds a lock on the whole database until
 * its commit is on disk. So a message is a hint that may get lost, and code that relies on it also checks for itself
 * from time to time.
 */
export class News {
  /** Identifies the sender of a message: this process already knows its own changes. */
  readonly sender = randomUUID().slice(0, 8)
  readonly #db: Db
  readonly #listeners = new Set<(changes: readonly Change[]) => void>()
  #gathered = new Map<string, Change>()
  #timer: NodeJS.Timeout | undefined
  #doubtful: { changes: readonly Change[]; until: number }[] = []

  constructor(db: Db) {
    this.#db = db
  }

  listen(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** To be called right after a commit. */
  tell(changes: readonly Change[]): void {
    this.hear(changes)
    for (const change of changes) this.#gathered.set(`${change.kind} ${change.id}`, change)
    this.#timer ??= setTimeout(() => void this.#send(), gatherMs)
  }

  /**
   * To be called for a commit whose outcome is unknown. A listener that looks now may be too early: the change may be
   * committed a moment later, and be confirmed when its request is repeated (`doubtAgain`).
   */
  doubt(changes: readonly Change[]): void {
    if (changes.length > 0) this.tell(changes)
    const until = performance.now() + doubtMs
    this.#doubtful = [...this.#doubtful.slice(1 - mostDoubtful), { changes, until }]
  }

  /**
   * To be called when a stored answer is repeated: the changes it confirms must become visible, whether or not this
   * process learned of their commit. Returns whether any commit is still in doubt.
   */
  doubtAgain(): boolean {
    if (this.#doubtful.length === 0) return false
    this.#doubtful = this.#doubtful.filter(({ until }) => until > performance.now())
    this.hear(this.#doubtful.flatMap(({ changes }) => changes))
    return this.#doubtful.length > 0
  }

  /** Passes changes to the listeners in this process, also those announced by other nodes. */
  hear(changes: readonly Change[]): void {
    for (const listener of this.#listeners) listener(changes)
  }

  /** Sends what was gathered before the connections close. */
  async close(): Promise<void> {
    if (this.#timer) await this.#send()
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const changes = [...this.#gathered.values()]
    this.#gathered = new Map()
    for (let from = 0; from < changes.length; from += mostInMessage) {
      const message = writeMessage(this.sender, changes.slice(from, from + mostInMessage))
      // Losing a message loses no data, so the commit does not have to wait until it is on disk.
      const notify = sql`
        select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${message})`.asLong()
      await this.#db.run(notify).catch(() => {})
    }
  }
}

/** `<sender> l<line>:<seq> s<site> …` */
function writeMessage(sender: string, changes: readonly Change[]): string {
  const words = changes.map((change) => (change.kind === 'line' ? `l${change.id}:${change.seq}` : `s${change.id}`))
  return [sender, ...words].join(' ')
}

export function readMessage(message: string): { sender: string; changes: Change[] } {
  const [sender = '', ...words] = message.split(' ')
  const changes = words.flatMap((word): Change[] => {
    const [, letter, id, seq] = /^([ls])([0-9a-f-]{36})(?::(\d+))?$/.exec(word) ?? []
    if (id === undefined) return []
    return letter === 'l' ? [{ kind: 'line', id, seq: Number(seq) }] : [{ kind: 'site', id }]
  })
  return { sender, changes }
}
