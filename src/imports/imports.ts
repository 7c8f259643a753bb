import { ApiError } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { RightAway } from '../jobs/right-away.ts'
import { runDueImports } from './runs/run.ts'

/** Each run uses a process with up to 256 MB. */
const mostRuns = 2
const mostAtOnce = 4

declare module 'fastify' {
  interface FastifyInstance {
    imports: Imports
  }
}

/** The imports that this process runs. */
export class Imports extends RightAway {
  #atOnce = 0

  constructor(app: App) {
    super(
      mostRuns,
      (stopping) => {
        const { db, config, store, fetcher, log, url } = app
        return runDueImports({ db, config, store, fetcher, log, url, stopping })
      },
      (error) => app.log.warn({ err: error }, 'importing ended; the job goes on with it'),
    )
  }

  /** Runs an import that a client waits for. It stops when the client disconnects, or when this process ends. */
  async atOnce<Result>(gone: AbortSignal, work: (stopping: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#atOnce >= mostAtOnce) {
      throw new ApiError(
        'rate_limited',
        'Several imports are already running. Try again in a moment, or start an import run.',
        {
          headers: { 'retry-after': '10' },
        },
      )
    }
    this.#atOnce += 1
    const stopping = AbortSignal.any([gone, this.stopping])
    try {
      return await work(stopping)
    } catch (error) {
      if (!stopping.aborted || error instanceof ApiError) throw error
      throw new ApiError('unavailable', 'The import was stopped. Try again in a moment.')
    } finally {
      this.#atOnce -= 1
    }
  }
}
