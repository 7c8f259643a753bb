import { sql } from '../db/sql.ts'
import type { Task } from './task.ts'

const batch = 5_000

/**
 * Removes what has run out: tokens and invites past their time, remembered answers older than a day, deliveries of
 * webhooks after 30 days. A token that was revoked stays, so that its value can never come back.
 */
export const purge: Task = {
  name: 'purge',
  schedule: '17 * * * *',
  async run({ db, log }) {
    let removed = 0
    for (const statement of statements) {
      // In batches, so that no transaction holds many rows for long.
      for (let count = batch; count === batch; removed += count) count = await db.run(statement)
    }
    if (removed > 0) log.info({ removed }, 'purged what has expired')
  },
}

const statements = [
  sql`delete from tokens where id in (select id from tokens
    where expires_at < now() - interval '30 days' and revoked_at is null limit ${batch})`.asSlow(),
  sql`delete from invites where id in (select id from invites where expires_at < now() limit ${batch})`.asSlow(),
  sql`delete from idempotency where (user_id, key_hash) in (select user_id, key_hash from idempotency
    where created_at < now() - interval '1 day' limit ${batch})`.asSlow(),
  sql`delete from webhook_deliveries where (organization_id, webhook_id, id) in (select organization_id, webhook_id, id
    from webhook_deliveries where created_at < now() - interval '30 days' limit ${batch})`.asSlow(),
  sql`delete from webhook_deliveries where (organization_id, webhook_id, id) in (select d.organization_id, d.webhook_id, d.id
    from webhooks w join webhook_deliveries d on d.organization_id = w.organization_id and d.webhook_id = w.id
    where w.deleted_at is not null limit ${batch})`.asSlow(),
  sql`delete from webhooks where (organization_id, id) in (select w.organization_id, w.id from webhooks w
    where w.deleted_at is not null and not exists (select from webhook_deliveries d
      where d.organization_id = w.organization_id and d.webhook_id = w.id) limit ${batch})`.asSlow(),
  sql`delete from import_runs where (organization_id, id) in (select organization_id, id from import_runs
    where completed_at < now() - interval '90 days' limit ${batch})`.asSlow(),
]
