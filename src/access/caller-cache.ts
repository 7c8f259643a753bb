import { hash } from 'node:crypto'
import type { Database } from '../db/connect.ts'
import { type Caller, findCaller } from './caller.ts'

const lifeMs = 100
const mostEntries = 10_000

interface Entry {
  found: Promise<Caller | undefined>
  commits: number
  until: number
}

/**
 * Spares a busy caller the look-up on every single request. An entry is good until anything is committed by this
 * process, so what is revoked here is gone at the next request; and for a tenth of a second at most, so what is
 * revoked on another node, or on the command line, is gone right after.
 */
export class CallerCache {
  readonly #db: Database
  readonly #entries = new Map<string, Entry>()

  constructor(db: Database) {
    this.#db = db
  }

  find(secret: string, organizationId: string | null): Promise<Caller | undefined> {
    const now = performance.now()
    // By hash: the secrets themselves are kept nowhere, not even here.
    const key = `${hash('sha256', secret, 'base64url')} ${organizationId}`
    const known = this.#entries.get(key)
    if (known && known.commits === this.#db.commits && known.until > now) return known.found

    if (this.#entries.size >= mostEntries) this.#entries.clear()
    const found = findCaller(this.#db, secret, organizationId)
    found.catch(() => this.#entries.delete(key))
    this.#entries.set(key, { found, commits: this.#db.commits, until: now + lifeMs })
    return found
  }
}
