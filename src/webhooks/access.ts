import type { Membership } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { notFound } from '../http/errors.ts'
import { findDelivery } from './deliveries.queries.ts'
import { findWebhook, lockWebhook } from './queries.ts'

/** A webhook of the organization in the path. Who comes here administrates it. */
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

function there(webhook: WebhookRow | undefined): WebhookRow {
  if (!webhook) throw notFound('webhook')
  return webhook
}
