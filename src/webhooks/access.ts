import type { Membership } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { WebhookDeliveryRow, WebhookFilter, WebhookRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid, notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { findDelivery } from './deliveries.queries.ts'
import { findWebhook, listFiltered, lockWebhook } from './queries.ts'

/** Returns a webhook of the organization in the path. The caller must already be checked to be an administrator. */
export async function accessWebhook(db: Db, { organization }: Membership, id: string): Promise<WebhookRow> {
  return there(await findWebhook(db, organization.id, id))
}

/** The same, locked. */
export async function accessWebhookToChange(
  tx: Transaction,
  { organization }: Membership,
  id: string,
): Promise<WebhookRow> {
  return there(await lockWebhook(tx, organization.id, id))
}

export async function accessDelivery(db: Db, webhook: WebhookRow, id: string): Promise<WebhookDeliveryRow> {
  const delivery = await findDelivery(db, webhook, id)
  if (!delivery) throw notFound('delivery')
  return delivery
}

/**
 * Returns the filter that a request sets: spaces and sites that exist in the organization, or that the webhook named
 * before. A space in the trash may be restored, and a client that sends the webhook back as it was read must change
 * nothing.
 */
export async function accessFilter(
  db: Db,
  organizationId: string,
  given: Partial<WebhookFilter> | null | undefined,
  before: WebhookFilter | null = null,
): Promise<WebhookFilter | null | undefined> {
  if (!given) return given
  const filter = { spaces: given.spaces ?? [], sites: given.sites ?? [] }
  if (filter.spaces.length + filter.sites.length === 0) {
    throw invalid('body.filter', 'minItems', 'must name a space or a site; null is the whole organization')
  }
  const asked = { spaces: filter.spaces.filter(isId), sites: filter.sites.filter(isId) }
  const known = new Set((await listFiltered(db, organizationId, asked)).map(({ id }) => id))
  for (const kind of ['spaces', 'sites'] as const) {
    const unknown = filter[kind].findIndex((id) => !known.has(id) && !before?.[kind].includes(id))
    if (unknown !== -1)
      throw invalid(`body.filter.${kind}.${unknown}`, 'exists', `there is no such ${kind.slice(0, -1)}`)
  }
  return filter
}

function there(webhook: WebhookRow | undefined): WebhookRow {
  if (!webhook) throw notFound('webhook')
  return webhook
}
