import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { WebhookRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { RecordedChange } from './events.ts'

/** Any fixed number. Held by the node that is reading the record for webhooks. */
const lockNumber = 5_711_033

/** The position up to which the record has been read. */
export interface Cursor {
  tx: number
  id: string
}

export type Listener = Pick<WebhookRow, 'organization_id' | 'id' | 'events' | 'filter'> & { since: Date }

/** The webhooks that events can be sent to. */
export async function listListeners(db: Db): Promise<Listener[]> {
  return db.all(sql<Listener>`
    select organization_id, id, events, filter, coalesce(listens_since, created_at) as since from webhooks
    where active and deleted_at is null`)
}

/**
 * Returns where to continue reading, for one reader at a time: while one is reading, others get nothing and do not
 * wait. Reading ends before `until`: all older transactions have ended, so no more changes can appear there.
 */
export async function takeCursor(tx: Transaction): Promise<{ from: Cursor; until: number } | undefined> {
  const lock = await tx.one(sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lockNumber}) as free`)
  if (!lock.free) return undefined
  const { until, ...from } = await tx.one(sql<Cursor & { until: number }>`
    select tx, id, pg_snapshot_xmin(pg_current_snapshot())::text::int8 as until from webhook_cursor`)
  return { from, until }
}

export async function moveCursor(tx: Transaction, { tx: to, id }: Cursor): Promise<void> {
  await tx.run(sql`update webhook_cursor set tx = ${to}, id = ${id}`)
}

/**
 * Lists the changes in these organizations, in the order of transactions. Changes older than a week are skipped: a
 * database that was restored on another server starts to count its transactions anew.
 */
export async function listOutbox(
  tx: Transaction,
  { from, until }: { from: Cursor; until: number },
  organizationIds: string[],
  limit: number,
): Promise<(RecordedChange & { tx: number })[]> {
  const idOf = (type: string) => sql`case when c.target_type = ${type} then c.target_id::uuid end`
  return tx.all(
    sql<RecordedChange & { tx: number }>`
    select c.tx, c.organization_id, c.id, c.at, c.action, c.actor_id, c.target_type, c.target_id, c.fields, c.details,
      r.space_id as request_space, r.number as request_number, r.revision_merged as request_merged,
      l.head_id as space_head, s.slug as spec_slug
    from (select tx, organization_id, id, at, action, actor_id, target_type, target_id, fields, details from changes
      where tx >= ${from.tx} and tx < ${until} and (tx, id) > (${from.tx}, ${from.id}::uuid)
        and organization_id = any (${organizationIds}::uuid[]) and at > now() - interval '7 days'
      order by tx, id limit ${limit}) c
    left join change_requests r on r.organization_id = c.organization_id and r.id = ${idOf('change-request')}
    left join lines l on l.organization_id = c.organization_id and l.space_id = ${idOf('space')} and l.main_id is null
    left join openapi_specs s on s.organization_id = c.organization_id and s.id = ${idOf('openapi-spec')}
    order by c.tx, c.id`.asSlow(),
  )
}
