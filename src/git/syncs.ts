import type { App } from '../http/routes.ts'
import { processDueOperations } from './process.ts'

/** Each takes a repository on the disk, and its texts in memory. */
const mostAtOnce = 2

declare module 'fastify' {
  interface FastifyInstance {
    git: GitSyncs
  }
}

/** The repositories of this installation, as this process works with them. */
export class GitSyncs {
  readonly #app: App
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #isAskedAgain = false

  constructor(app: App) {
    this.#app = app
  }

  /**
   * Somebody asked for an import or export: it is done right away, beside the requests. Whatever is left behind when this
   * process ends is found by the job, which looks every minute.
   */
  wake(): void {
    const { signal: stopping } = this.#closing
    if (stopping.aborted) return
    if (this.#running.size >= mostAtOnce) {
      // They may just have found that nothing is left.
      this.#isAskedAgain = true
      return
    }
    this.#isAskedAgain = false
    const { db, config, store, secrets, url, log } = this.#app
    const running = processDueOperations({ db, config, store, secrets, url, log, stopping }).catch((error: unknown) =>
      log.warn({ err: error }, 'work on repositories ended; the job goes on with it'),
    )
    this.#running.add(running)
    void running.finally(() => {
      this.#running.delete(running)
      if (this.#isAskedAgain) this.wake()
    })
  }

  /** What is under way ends, and is begun anew elsewhere. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }
}
