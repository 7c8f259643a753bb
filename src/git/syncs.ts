import type { App } from '../http/routes.ts'
import { RightAway } from '../jobs/right-away.ts'

/** Each one needs disk space for a repository, and memory for its texts. */
const mostAtOnce = 2

declare module 'fastify' {
  interface FastifyInstance {
    git: GitSyncs
  }
}

/** The imports from repositories and exports to them that this process works on. */
export class GitSyncs extends RightAway {
  constructor(app: App) {
    super(
      mostAtOnce,
      async (stopping) => {
        // Loaded on first use, because most servers sync nothing.
        const { processDueOperations } = await import('./process.ts')
        const { db, config, store, secrets, url, log } = app
        return processDueOperations({ db, config, store, secrets, url, log, stopping })
      },
      (error) => app.log.warn({ err: error }, 'work on repositories ended; the job goes on with it'),
    )
  }
}
