import { Fetcher } from '../fetch/fetcher.ts'
import type { Task } from '../jobs/task.ts'
import { processDueSpecs } from './process.ts'

/** A little less than the interval between runs. The next run continues from there. */
const enoughMs = 50_000

/**
 * Reads specifications again: those with an address every six hours, those for which something could not be fetched
 * sooner at first, and those left behind by a process that ended.
 */
export const readSpecs: Task = {
  name: 'read-openapi-specs',
  schedule: '* * * * *',
  async run({ db, config, store, log, stopping }) {
    const until = performance.now() + enoughMs
    const fetcher = new Fetcher({ allow: config.fetchAllow })
    try {
      const processing = { db, config, store, fetcher, log, stopping }
      const read = await processDueSpecs(processing, () => performance.now() > until)
      if (read > 0) log.info({ read }, 'read OpenAPI specifications')
    } finally {
      await fetcher.close()
    }
  },
}
