import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../db/connect.ts'
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
  #used = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db
    this.#log = log
  }

  note(tokenId: string): void {
    this.#used.add(tokenId)
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs).unref()
  }

  /** Whoever asks when tokens were used wants to know it of now. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const used = [...this.#used]
    this.#used.clear()
    if (used.length > 0) this.#writing = this.#writing.then(() => this.#write(used))
    return this.#writing
  }

  async #write(used: string[]): Promise<void> {
    try {
      await insertUses(this.#db, used)
    } catch (error) {
      this.#log.warn({ err: error }, 'when tokens were used was not noted')
    }
  }
}
