import { randomUUID } from 'node:crypto'
import type { Db } from './connect.ts'
import { sql } from './sql.ts'

/** What changed: a main line has a new revision, or something of a site is another than before. */
export type Change = { kind: 'line'; id: string; seq: number } | { kind: 'site'; id: string }

export const channel = 'lectern_news'

/** One message of a process in this time, however much it changes. */
const gatherMs = 10

/** A commit whose connection broke has ended by then, one way or the other. */
const doubtMs = 60_000
const mostDoubtful = 100

/** A message has at most 8,000 bytes. */
const mostInMessage = 150

/**
 * Tells what was committed: those in this process at once, the other nodes by a message. It is never sent inside the
 * transaction that changes something: NOTIFY holds a lock of the whole database until its commit is on disk. So a
 * message is a hint that may get lost, and whoever relies on it looks for himself from time to time.
 */
export class News {
  /** Who sent a message: what came from here is known here. */
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

  /** Right after a commit. */
  tell(changes: readonly Change[]): void {
    this.hear(changes)
    for (const change of changes) this.#gathered.set(`${change.kind} ${change.id}`, change)
    this.#timer ??= setTimeout(() => void this.#send(), gatherMs)
  }

  /**
   * Of a commit that nobody knows the end of. Whoever looks now may come too early: the change may land a moment later,
   * and be answered for when its request is repeated (`doubtAgain`).
   */
  doubt(changes: readonly Change[]): void {
    if (changes.length > 0) this.tell(changes)
    const until = performance.now() + doubtMs
    this.#doubtful = [...this.#doubtful.slice(1 - mostDoubtful), { changes, until }]
  }

  /**
   * An answer is repeated: what it speaks of must be seen, whether or not its commit was heard of here. Answers whether
   * there is anything to doubt at all.
   */
  doubtAgain(): boolean {
    if (this.#doubtful.length === 0) return false
    this.#doubtful = this.#doubtful.filter(({ until }) => until > performance.now())
    this.hear(this.#doubtful.flatMap(({ changes }) => changes))
    return this.#doubtful.length > 0
  }

  /** From somewhere else. */
  hear(changes: readonly Change[]): void {
    for (const listener of this.#listeners) listener(changes)
  }

  /** What was gathered is sent before the connections close. */
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
      // Nothing is lost with it: nobody has to wait until it is on disk.
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
