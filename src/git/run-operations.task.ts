import { addressOf } from '../config.ts'
import type { Task } from '../jobs/task.ts'
import { processDueOperations } from './process.ts'
import { removeLeftovers } from './remote/workplace.ts'

/** Slightly less than the time until the next run, which continues from there. */
const enoughMs = 50_000

/** Does what a process that ended left behind, and what another one was too busy for. */
export const runGitOperations: Task = {
  name: 'run-git-operations',
  schedule: '* * * * *',
  async run({ db, config, store, secrets, log, stopping }) {
    if (!secrets) return
    await removeLeftovers(config)
    const until = performance.now() + enoughMs
    const url = addressOf(config)
    const processing = { db, config, store, secrets, url, log, stopping }
    const done = await processDueOperations(processing, () => performance.now() > until)
    if (done > 0) log.info({ done }, 'worked on repositories')
  },
}
