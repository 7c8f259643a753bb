import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { WebhookAttempt, WebhookDeliveryRow, WebhookRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { HeldWebhook } from './deliveries.queries.ts'
import { ping } from './events.schema.ts'

/** A delivery that this process is about to send, with the data needed for that. */
export type TakenDelivery = Pick<
  WebhookDeliveryRow,
  'organization_id' | 'webhook_id' | 'id' | 'type' | 'subject' | 'body' | 'tries'
> &
  Pick<WebhookRow, 'url' | 'secret' | 'former_secret'>

/** How many more deliveries a webhook may have under way. */
export interface Room {
  webhookId: string
  room: number
}

/**
 * Takes deliveries that are due, first those of webhooks with the fewest under way here. A failing webhook gets one
 * delivery at a time, with pauses. But a person is waiting for a ping, so pings come first and without a pause; they
 * are found by their subject. If the process that took a delivery dies, it is due again after a minute, as if it had
 * not been tried.
 */
export async function takeDue(
  db: Db,
  { limit, usually, busy }: { limit: number; usually: number; busy: readonly Room[] },
): Promise<TakenDelivery[]> {
  return db.all(sql<TakenDelivery>`
    with listening as (
      select w.organization_id, w.id, w.url, w.secret,
        case when w.former_until > now() then w.former_secret end as former_secret,
        case when w.failing_since is null then coalesce(b.room, ${usually}::int) when b.id is null then 1 else 0 end as room,
        b.id is not null as is_busy, coalesce(w.paused_until > now(), false) as is_paused
      from webhooks w
      left join unnest(${busy.map(({ webhookId }) => webhookId)}::uuid[], ${busy.map(({ room }) => room)}::int[]) b (id, room)
        on b.id = w.id
      where w.active and w.deleted_at is null),
    due as (
      select d.organization_id, d.webhook_id, d.id, w.url, w.secret, w.former_secret
      from (select * from listening where room > 0 order by is_busy, room desc, random()) w
      cross join lateral (
        select * from (select x.organization_id, x.webhook_id, x.id from webhook_deliveries x
          where x.organization_id = w.organization_id and x.webhook_id = w.id and x.state = 'pending'
            and x.subject > ${`${ping}/`} and x.subject < ${`${ping}0`} and x.due_at <= now()
          limit w.room for update skip locked) pings
        union all
        select * from (select x.organization_id, x.webhook_id, x.id from webhook_deliveries x
          where x.organization_id = w.organization_id and x.webhook_id = w.id and x.due_at <= now() and x.type <> ${ping}
            and not w.is_paused
          order by x.due_at limit w.room for update skip locked) others
        limit w.room) d
      limit ${limit})
    update webhook_deliveries d set due_at = now() + interval '1 minute', tries = jsonb_array_length(d.attempts) + 1 from due
    where d.organization_id = due.organization_id and d.webhook_id = due.webhook_id and d.id = due.id
    returning d.organization_id, d.webhook_id, d.id, d.type, d.subject, d.body, d.tries, due.url, due.secret,
      due.former_secret`)
}

/** Makes deliveries available to other nodes at once, as if they had not been tried. */
export async function giveBack(db: Db, deliveries: readonly TakenDelivery[]): Promise<void> {
  await db.run(sql`
    update webhook_deliveries set due_at = now(), tries = tries - 1
    where state = 'pending' and webhook_id = any (${deliveries.map(({ webhook_id }) => webhook_id)}::uuid[])
      and organization_id = any (${deliveries.map(({ organization_id }) => organization_id)}::uuid[])
      and id = any (${deliveries.map(({ id }) => id)}::uuid[])`)
}

/** The new state of a delivery that was sent. */
export interface Settlement {
  organizationId: string
  webhookId: string
  id: string
  state: WebhookDeliveryRow['state']
  /** Set if it is to be sent again. */
  delayMs: number | null
  attempt: WebhookAttempt
}

/** A delivery that another node has settled in the meantime stays as it is. */
export async function updateSettled(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  await tx.run(sql`
    update webhook_deliveries d set state = s.state, attempts = d.attempts || s.attempt,
      due_at = now() + s."delayMs" * interval '1 millisecond',
      finished_at = case when s.state <> 'pending' then now() end
    from jsonb_to_recordset(${JSON.stringify(settlements)}::jsonb) s ("organizationId" uuid, "webhookId" uuid, id uuid,
      state text, "delayMs" float8, attempt jsonb)
    where d.organization_id = s."organizationId" and d.webhook_id = s."webhookId" and d.id = s.id and d.state = 'pending'`)
}

/** Stores the health of a webhook: its failures so far, and its pause. */
export async function updateHealth(tx: Transaction, webhook: HeldWebhook, pauseMs: number | null): Promise<void> {
  await tx.run(sql`
    update webhooks set failing_since = ${webhook.failing_since}, failed_attempts = ${webhook.failed_attempts},
      failed_deliveries = ${webhook.failed_deliveries}, paused_until = now() + ${pauseMs}::float8 * interval '1 millisecond'
    where organization_id = ${webhook.organization_id} and id = ${webhook.id}`)
}

export async function switchOff(tx: Transaction, webhook: HeldWebhook, reason: string): Promise<void> {
  await tx.run(sql`
    update webhooks set active = false, disabled_reason = ${reason}, updated_at = now()
    where organization_id = ${webhook.organization_id} and id = ${webhook.id}`)
}
