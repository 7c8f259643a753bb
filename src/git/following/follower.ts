import type { App } from '../../http/routes.ts'
import { Rounds } from '../../jobs/rounds.ts'
import { lookAtDue } from './look.ts'

declare module 'fastify' {
  interface FastifyInstance {
    following: Follower
  }
}

const everyMs = 5_000

/**
 * Looks after the spaces that are kept in sync with a repository, in the background. The time of each next look is
 * stored in the database. Other nodes do the same, and each leaves alone what another one has taken.
 */
export class Follower {
  readonly #app: App
  readonly #rounds: Rounds
  readonly #closing = new AbortController()

  constructor(app: App) {
    this.#app = app
    this.#rounds = new Rounds(
      everyMs,
      async () => {
        await this.look()
        return false
      },
      (error) => app.log.warn({ err: error }, 'repositories could not be looked at; they are in a moment'),
    )
  }

  start(): void {
    this.#rounds.start()
  }

  /** Called when something is due, so that it need not wait for the next round. */
  wake(): void {
    this.#rounds.wake()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#rounds.stop()
  }

  /** Looks at everything that is due now. */
  async look(): Promise<void> {
    const { db, config, secrets, mail, log, git } = this.#app
    const looking = { db, config, secrets, mail, log, stopping: this.#closing.signal, wake: () => git.wake() }
    await lookAtDue(looking)
  }
}
