import { sql } from '../db/sql.ts'
import { Fetcher } from '../fetch/fetcher.ts'
import { batch, removeInBatches } from '../jobs/in-batches.ts'
import type { Task } from '../jobs/task.ts'
import { readDue } from './read-due.ts'

/** A little less than the time until the next run, which continues from there. */
const enoughMs = 50_000

/** Requests the pages that pages of ours embed since they were written, and removes embeds that are no longer shown. */
export const readEmbeds: Task = {
  name: 'read-embeds',
  schedule: '* * * * *',
  async run({ db, config, log, stopping }) {
    await removeInBatches([() => db.run(unused)], stopping)
    if (!config.embeds) return
    const until = performance.now() + enoughMs
    const fetcher = new Fetcher({ allow: config.fetchAllow })
    try {
      const read = await readDue({ db, fetcher, log, stopping }, () => performance.now() > until)
      if (read > 0) log.info({ read }, 'asked what is embedded')
    } finally {
      await fetcher.close()
    }
  },
}

const unused = sql`delete from embeds where (organization_id, address_hash) in (select organization_id, address_hash
  from embeds where asked_at < now() - interval '90 days' limit ${batch})`.asSlow()
