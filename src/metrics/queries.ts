import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

export interface Waiting {
  jobs: number
  failed_jobs: number
  mails: number
  deliveries: number
}

/** Counts the work that is waiting to be done, on all nodes. */
export function countWaiting(db: Db): Promise<Waiting> {
  return db.one(
    sql<Waiting>`
      select
        (select count(*) from graphile_worker.jobs
         where run_at <= now() and locked_at is null and attempts < max_attempts) as jobs,
        (select count(*) from graphile_worker.jobs where attempts >= max_attempts) as failed_jobs,
        (select count(*) from mails where due_at <= now() or tries > 0) as mails,
        (select count(*) from webhook_deliveries where state = 'pending') as deliveries`.asLong(),
  )
}
