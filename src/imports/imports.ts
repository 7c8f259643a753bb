import { ApiError } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { runDueImports } from './run.ts'

/** Each takes a process with up to 256 MB. */
const mostRuns = 2
const mostAtOnce = 4

declare module 'fastify' {
  interface FastifyInstance {
    imports: Imports
  }
}

/** The imports that this process works on. */
export class Imports {
  readonly #app: App
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #isAskedAgain = false
  #atOnce = 0

  constructor(app: App) {
    this.#app = app
  }

  /**
   * Somebody asked for an import: it begins right away, beside the requests. Whatever is left behind when this process
   * ends is found by the job, which looks every minute.
   */
  wake(): void {
    const { signal: stopping } = this.#closing
    if (stopping.aborted) return
    if (this.#running.size >= mostRuns) {
      // They may just have found that nothing is left.
      this.#isAskedAgain = true
      return
    }
    this.#isAskedAgain = false
    const { db, config, store, fetcher, log, url } = this.#app
    const running = runDueImports({ db, config, store, fetcher, log, url, stopping }).catch((error: unknown) =>
      log.warn({ err: error }, 'importing ended; the job goes on with it'),
    )
    this.#running.add(running)
    void running.finally(() => {
      this.#running.delete(running)
      if (this.#isAskedAgain) this.wake()
    })
  }

  /** An import that somebody waits for. It ends when they go, and when this process does. */
  async atOnce<Result>(gone: AbortSignal, work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#atOnce >= mostAtOnce) {
      throw new ApiError('rate_limited', 'Several imports are under way here. Try again in a moment, or start a run.', {
        headers: { 'retry-after': '10' },
      })
    }
    this.#atOnce += 1
    const stopping = AbortSignal.any([gone, this.#closing.signal])
    try {
      return await work(stopping)
    } catch (error) {
      if (!stopping.aborted || error instanceof ApiError) throw error
      throw new ApiError('unavailable', 'The import was stopped. Try again in a moment.')
    } finally {
      this.#atOnce -= 1
    }
  }

  /** For tests: when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** What is under way ends, and is begun anew elsewhere. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }
}
