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
 * Remembers which tokens were used, and writes it once a minute at most: a call costs nothing for it, whatever its token.
 * What a process that was killed had not written yet is lost, and nothing hangs on it.
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

  /** Whoever asks when tokens were used wants to know it of now. */
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
