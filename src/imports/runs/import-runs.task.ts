import { addressOf } from '../../config.ts'
import { Fetcher } from '../../fetch/fetcher.ts'
import type { Task } from '../../jobs/task.ts'
import { runDueImports } from './run.ts'

/** Takes up imports that a process left unfinished when it ended. */
export const importRuns: Task = {
  name: 'import-runs',
  schedule: '* * * * *',
  async run({ db, config, store, log, stopping }) {
    const fetcher = new Fetcher({ allow: config.fetchAllow })
    const url = addressOf(config)
    try {
      const done = await runDueImports({
        db,
        config,
        store,
        fetcher,
        log,
        url,
        stopping: stopping ?? new AbortController().signal,
      })
      if (done > 0) log.info({ done }, 'finished imports')
    } finally {
      await fetcher.close()
    }
  },
}
