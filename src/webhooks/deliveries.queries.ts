import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Page } from '../http/paging.ts'

export type WebhookKey = Pick<WebhookRow, 'organization_id' | 'id'>

const columns = sql`d.organization_id, d.webhook_id, d.id, d.event_id, d.type, d.subject, d.body, d.replay_of, d.state,
  d.due_at, d.tries, d.attempts, d.created_at, d.finished_at`

export async function findDelivery(
  db: Db,
  { organization_id, id: webhookId }: WebhookKey,
  id: string,
): Promise<WebhookDeliveryRow | undefined> {
  return db.find(sql<WebhookDeliveryRow>`
    select ${columns} from webhook_deliveries d
    where d.organization_id = ${organization_id} and d.webhook_id = ${webhookId} and d.id = ${id}`)
}

/** The newest first. */
export async function listDeliveries(
  db: Db,
  { organization_id, id: webhookId }: WebhookKey,
  { state, type }: { state?: string | undefined; type?: string | undefined },
  page: Page,
) {
  const matching = sql`from webhook_deliveries d
    where d.organization_id = ${organization_id} and d.webhook_id = ${webhookId}
      ${state === undefined ? nothing : sql`and d.state = ${state}`}
      ${type === undefined ? nothing : sql`and d.type = ${type}`}`
  const before = page.after ? sql`and d.id < ${page.after[0]}::uuid` : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<WebhookDeliveryRow>`
        select ${columns} ${matching} ${before} order by d.id desc limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

export interface NewDelivery {
  organizationId: string
  webhookId: string
  id: string
  eventId: string
  type: string
  subject: string
  body: string
  replayOf?: string
}

/**
 * Every transaction that adds or finishes deliveries locks their webhooks, in a fixed order. Otherwise, a new delivery
 * could be left waiting for one that is just being finished, and nothing would ever release it.
 */
export async function holdWebhooks(tx: Transaction, ids: readonly string[]): Promise<HeldWebhook[]> {
  return tx.all(sql<HeldWebhook>`
    select organization_id, id, active, failing_since, failed_attempts, failed_deliveries, now() as held_at from webhooks
    where id = any (${[...new Set(ids)]}::uuid[]) order by id for no key update`)
}

export type HeldWebhook = WebhookKey &
  Pick<WebhookRow, 'active' | 'failing_since' | 'failed_attempts' | 'failed_deliveries'> & {
    /** From the clock of the database, because those of nodes may differ. */
    held_at: Date
  }

/**
 * Inserts deliveries in this order. They wait until they are released. An event that a webhook already has is skipped.
 */
export async function insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  const rows = deliveries.map((delivery, n) => ({ ...delivery, n }))
  await tx.run(sql`
    insert into webhook_deliveries (organization_id, webhook_id, id, event_id, type, subject, body, replay_of)
    select d."organizationId", d."webhookId", d.id, d."eventId", d.type, d.subject, d.body, d."replayOf"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) d (n int, "organizationId" uuid, "webhookId" uuid, id uuid,
      "eventId" uuid, type text, subject text, body text, "replayOf" uuid)
    order by d.n
    on conflict (organization_id, webhook_id, event_id) where replay_of is null do nothing`)
}

/** Releases the first pending delivery of each of these subjects for sending. */
export async function releaseNext(
  tx: Transaction,
  subjects: readonly Pick<NewDelivery, 'organizationId' | 'webhookId' | 'subject'>[],
): Promise<void> {
  if (subjects.length === 0) return
  const unique = new Map(subjects.map((each) => [`${each.webhookId} ${each.subject}`, each]))
  const named = [...unique.values()].map(({ organizationId, webhookId, subject }) => ({
    organizationId,
    webhookId,
    subject,
  }))
  await tx.run(sql`
    update webhook_deliveries d set due_at = now()
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) s ("organizationId" uuid, "webhookId" uuid, subject text)
    cross join lateral (select x.id from webhook_deliveries x
      where x.organization_id = s."organizationId" and x.webhook_id = s."webhookId" and x.subject = s.subject
        and x.state = 'pending'
      order by x.seq limit 1) first
    where d.organization_id = s."organizationId" and d.webhook_id = s."webhookId" and d.id = first.id and d.due_at is null`)
}

/** Makes deliveries that wait for a retry due at once. Deliveries that a node is just sending are left to it. */
export async function hurryWaiting(tx: Transaction, { organization_id, id: webhookId }: WebhookKey): Promise<void> {
  await tx.run(
    sql`
      update webhook_deliveries set due_at = now()
      where organization_id = ${organization_id} and webhook_id = ${webhookId} and due_at > now()
        and jsonb_array_length(attempts) = tries`.asSlow(),
  )
}

/** Lists some of the deliveries that are too old to keep. */
export async function listOldDeliveries(tx: Transaction, limit: number) {
  return tx.all(
    sql<Pick<NewDelivery, 'organizationId' | 'webhookId' | 'id' | 'subject'> & Pick<WebhookDeliveryRow, 'state'>>`
      select organization_id as "organizationId", webhook_id as "webhookId", id, subject, state from webhook_deliveries
      where created_at < now() - interval '30 days' limit ${limit}`.asSlow(),
  )
}

export async function deleteDeliveries(
  tx: Transaction,
  deliveries: readonly Pick<NewDelivery, 'organizationId' | 'webhookId' | 'id'>[],
): Promise<void> {
  await tx.run(
    sql`
      delete from webhook_deliveries d using unnest(${deliveries.map(({ organizationId }) => organizationId)}::uuid[],
        ${deliveries.map(({ webhookId }) => webhookId)}::uuid[], ${deliveries.map(({ id }) => id)}::uuid[])
        gone (organization_id, webhook_id, id)
      where d.organization_id = gone.organization_id and d.webhook_id = gone.webhook_id and d.id = gone.id`.asSlow(),
  )
}

/** Deletes some deliveries of deleted webhooks. Returns how many. */
export async function deleteOfGoneWebhooks(db: Db, limit: number): Promise<number> {
  return db.run(
    sql`
      delete from webhook_deliveries where (organization_id, webhook_id, id) in (
        select d.organization_id, d.webhook_id, d.id
        from webhooks w join webhook_deliveries d on d.organization_id = w.organization_id and d.webhook_id = w.id
        where w.deleted_at is not null limit ${limit})`.asSlow(),
  )
}
