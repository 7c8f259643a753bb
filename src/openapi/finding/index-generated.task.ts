import type { Task } from '../../jobs/task.ts'
import { indexGenerated } from './index-generated.ts'

/** A little less than the interval between runs. The next run continues from there. */
const enoughMs = 50_000

/** Indexes pages generated from specifications if these or the space have changed. */
export const indexGeneratedPages: Task = {
  name: 'index-generated-pages',
  schedule: '* * * * *',
  async run({ db, store, log }) {
    const until = performance.now() + enoughMs
    const indexed = await indexGenerated({ db, store, log }, () => performance.now() > until)
    if (indexed > 0) log.info({ indexed }, 'indexed pages made from specifications')
  },
}
