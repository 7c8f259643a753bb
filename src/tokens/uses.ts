import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/connect.ts'
import { WrittenLater } from '../written-later.ts'
import { insertUses } from './queries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    tokenUses: TokenUses
  }
}

const gatherMs = 60_000

/**
 * Collects which tokens were used and writes that at most once a minute, so that it costs an API call nothing. If the
 * process is killed, what was not yet written is lost, and nothing depends on it.
 */
export class TokenUses {
  readonly #db: Database
  readonly #log: FastifyBaseLogger
  readonly #used = new Set<string>()
  readonly #writing = new WrittenLater(gatherMs, () => this.#write())

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db
    this.#log = log
  }

  note(tokenId: string): void {
    this.#used.add(tokenId)
    this.#writing.soon()
  }

  /** For callers that read when tokens were used and need the current state. */
  flush(): Promise<void> {
    return this.#writing.now()
  }

  async #write(): Promise<void> {
    const used = [...this.#used]
    this.#used.clear()
    if (used.length === 0) return
    try {
      await insertUses(this.#db, used)
    } catch (error) {
      this.#log.warn({ err: error }, 'when tokens were used was not noted')
    }
  }
}
