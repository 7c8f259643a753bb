import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { WebhookFilter, WebhookRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Page, behind } from '../http/paging.ts'

const columns = sql`w.organization_id, w.id, w.title, w.url, w.events, w.filter, w.active, w.secret, w.former_secret,
  case when w.former_until > now() then w.former_until end as former_until, w.failing_since, w.failed_attempts,
  w.failed_deliveries, w.paused_until, w.disabled_reason, w.created_at, w.updated_at`

export async function findWebhook(db: Db, organizationId: string, id: string): Promise<WebhookRow | undefined> {
  return db.find(sql<WebhookRow>`
    select ${columns} from webhooks w
    where w.organization_id = ${organizationId} and w.id = ${id} and w.deleted_at is null`)
}

export async function lockWebhook(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  return tx.find(sql<WebhookRow>`
    select ${columns} from webhooks w
    where w.organization_id = ${organizationId} and w.id = ${id} and w.deleted_at is null for no key update`)
}

export interface Filtered {
  type: 'space' | 'site'
  id: string
  title: string
}

/** Lists the spaces and sites of a filter that exist here. A space in the trash does not exist. */
export const listFiltered = (db: Db, organizationId: string, { spaces, sites }: WebhookFilter): Promise<Filtered[]> =>
  db.all(sql<Filtered>`
    select 'space' as type, id, title from spaces
    where organization_id = ${organizationId} and id = any (${spaces}::uuid[]) and deleted_at is null
    union all
    select 'site', id, title from sites where organization_id = ${organizationId} and id = any (${sites}::uuid[])`)

const mostToChoose = 100

/** Lists the newest spaces and sites, with their titles. */
export async function listNewestPlaces(db: Db, organizationId: string): Promise<{ rows: Filtered[]; isAll: boolean }> {
  const rows = await db.all(sql<Filtered>`
    (select 'space' as type, id, title from spaces where organization_id = ${organizationId} and deleted_at is null
      order by created_at desc, id desc limit ${mostToChoose + 1})
    union all
    (select 'site', id, title from sites where organization_id = ${organizationId}
      order by created_at desc, id desc limit ${mostToChoose + 1})`)
  const [spaces, sites] = [rows.filter(({ type }) => type === 'space'), rows.filter(({ type }) => type === 'site')]
  const shown = [...spaces.slice(0, mostToChoose), ...sites.slice(0, mostToChoose)]
  return { rows: shown, isAll: shown.length === rows.length }
}

/** Ordered by age, the oldest first. */
export async function listWebhooks(db: Db, organizationId: string, page: Page) {
  const matching = sql`from webhooks w where w.organization_id = ${organizationId} and w.deleted_at is null`
  const after = behind(page, sql`w.created_at, w.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<WebhookRow>`
        select ${columns} ${matching} ${after} order by w.created_at, w.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

/**
 * Counts the webhooks with the organization locked, so that two requests that add one at the same time count one after
 * the other.
 */
export async function countWebhooks(tx: Transaction, organizationId: string): Promise<number> {
  await tx.run(sql`select from organizations where id = ${organizationId} for no key update`)
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*) from webhooks where organization_id = ${organizationId} and deleted_at is null`)
  return count
}

export async function insertWebhook(
  tx: Transaction,
  row: Pick<WebhookRow, 'organization_id' | 'id' | 'title' | 'url' | 'events' | 'filter' | 'active' | 'secret'>,
): Promise<void> {
  await tx.run(sql`
    insert into webhooks (organization_id, id, title, url, events, filter, active, secret)
    values (${row.organization_id}, ${row.id}, ${row.title}, ${row.url}, ${row.events}::text[], ${row.filter}::jsonb,
      ${row.active}, ${row.secret})`)
}

/** `isAfresh` clears all failures. `isSwitchedOn` makes it receive only events from this moment on. */
export async function updateWebhook(
  tx: Transaction,
  row: WebhookRow,
  { isAfresh, isSwitchedOn }: { isAfresh: boolean; isSwitchedOn: boolean },
): Promise<void> {
  const afresh = isAfresh
    ? sql`, failing_since = null, failed_attempts = 0, failed_deliveries = 0, paused_until = null, disabled_reason = null`
    : nothing
  const since = isSwitchedOn ? sql`, listens_since = now()` : nothing
  await tx.run(sql`
    update webhooks set title = ${row.title}, url = ${row.url}, events = ${row.events}::text[],
      filter = ${row.filter}::jsonb, active = ${row.active}, updated_at = now() ${afresh} ${since}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export async function updateSecret(
  tx: Transaction,
  row: WebhookRow,
  secret: Buffer,
  keepsFormer: boolean,
): Promise<void> {
  await tx.run(sql`
    update webhooks set secret = ${secret}, updated_at = now(),
      former_secret = case when ${keepsFormer}::boolean then secret end,
      former_until = case when ${keepsFormer}::boolean then now() + interval '1 day' end
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export async function markDeleted(tx: Transaction, row: WebhookRow): Promise<void> {
  await tx.run(sql`
    update webhooks set deleted_at = now(), active = false
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** Deletes some of the deleted webhooks that have no deliveries left. Returns how many. */
export async function deleteGoneWebhooks(db: Db, limit: number): Promise<number> {
  return db.run(
    sql`
      delete from webhooks where (organization_id, id) in (select w.organization_id, w.id from webhooks w
        where w.deleted_at is not null and not exists (select from webhook_deliveries d
          where d.organization_id = w.organization_id and d.webhook_id = w.id) limit ${limit})`.asSlow(),
  )
}
