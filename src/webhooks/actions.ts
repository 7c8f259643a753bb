import { isDeepStrictEqual } from 'node:util'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import type { WebhookDeliveryRow, WebhookFilter, WebhookRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { conflict, invalid } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { type Secrets, newSecret } from '../secrets.ts'
import { firstCharacters } from '../shortened.ts'
import { findDelivery, hurryWaiting, insertDeliveries, releaseNext } from './deliveries.queries.ts'
import { ping } from './events.schema.ts'
import { countWebhooks, findWebhook, insertWebhook, markDeleted, updateSecret, updateWebhook } from './queries.ts'

const mostWebhooks = 50

export interface WebhookDraft {
  title?: string | undefined
  url: string
  events?: string[] | null | undefined
  filter?: WebhookFilter | null | undefined
  active?: boolean | undefined
}

export async function createWebhook(
  tx: Transaction,
  secrets: Secrets,
  organizationId: string,
  { url, title = titleFor(url), events = null, filter = null, active = true }: WebhookDraft,
): Promise<WebhookRow> {
  checkUrl(url)
  if ((await countWebhooks(tx, organizationId)) >= mostWebhooks) {
    throw conflict(`There are already ${mostWebhooks} webhooks. Delete one first.`)
  }
  const id = newId()
  const secret = sealed(secrets)
  await insertWebhook(tx, {
    organization_id: organizationId,
    id,
    title,
    url,
    events,
    filter,
    active,
    secret,
  })
  recordChange(tx, { ...about({ organization_id: organizationId, id }), action: 'webhook.created' })
  tx.leaveRights()
  return (await findWebhook(tx, organizationId, id))!
}

const longestTitle = 100

/** Returns the title of a webhook that was created without one: the host of its URL. */
export const titleFor = (url: string): string => firstCharacters(new URL(url).host, longestTitle)

/** Requires a locked webhook. Setting a value to what it already is counts as no change. */
export async function changeWebhook(
  tx: Transaction,
  row: WebhookRow,
  changes: Partial<Pick<WebhookRow, 'title' | 'url' | 'events' | 'filter' | 'active'>>,
): Promise<WebhookRow> {
  if (changes.url !== undefined) checkUrl(changes.url)
  // The title is still the default, so it follows the host of the URL.
  const isUntitled = row.title === titleFor(row.url) && changes.title === undefined
  const changed = {
    ...row,
    ...changes,
    ...(isUntitled && changes.url !== undefined && { title: titleFor(changes.url) }),
  }
  if (isDeepStrictEqual(changed, row)) return row
  // Somebody has acted on it, so earlier failures no longer count.
  const isSwitchedOn = changed.active && !row.active
  const isAfresh = isSwitchedOn || (changed.active && changed.url !== row.url)
  await updateWebhook(tx, changed, { isAfresh, isSwitchedOn })
  if (isAfresh) await hurryWaiting(tx, row)
  const fields = changedFields<WebhookRow>(changed, row, columns)
  recordChange(tx, { ...about(row), action: 'webhook.updated', fields })
  tx.leaveRights()
  return (await findWebhook(tx, row.organization_id, row.id))!
}

const columns = {
  title: ['title'],
  url: ['url'],
  events: ['events'],
  filter: ['filter'],
  active: ['active'],
} as const satisfies Record<string, readonly (keyof WebhookRow)[]>

/**
 * Sets a new secret. The previous one can also sign for another day, so that receivers can switch without missing
 * anything.
 */
export async function rotateSecret(
  tx: Transaction,
  secrets: Secrets,
  row: WebhookRow,
  keepsFormer: boolean,
): Promise<WebhookRow> {
  await updateSecret(tx, row, sealed(secrets), keepsFormer)
  recordChange(tx, { ...about(row), action: 'webhook.secret-rotated' })
  tx.leaveRights()
  return (await findWebhook(tx, row.organization_id, row.id))!
}

export async function removeWebhook(tx: Transaction, row: WebhookRow): Promise<void> {
  await markDeleted(tx, row)
  recordChange(tx, { ...about(row), action: 'webhook.removed' })
  tx.leaveRights()
}

/** Sends an event without content, to see whether it arrives. It is tried only once. */
export async function testWebhook(tx: Transaction, row: WebhookRow, url: string): Promise<WebhookDeliveryRow> {
  const eventId = newId()
  const body = {
    eventId,
    type: ping,
    createdAt: new Date().toISOString(),
    organization: row.organization_id,
    ...(tx.by.actorId !== null && { actor: { type: 'user', id: tx.by.actorId } }),
    webhookId: row.id,
    urls: { location: `${url}/v1/orgs/${row.organization_id}/webhooks/${row.id}` },
  }
  recordChange(tx, { ...about(row), action: 'webhook.tested' })
  return addDelivery(tx, row, { eventId, type: ping, subject: `${ping}/${eventId}`, body: JSON.stringify(body) })
}

/** Sends the same event again, with the same event id, so that the receiver can recognize it. */
export async function replayDelivery(
  tx: Transaction,
  row: WebhookRow,
  delivery: WebhookDeliveryRow,
): Promise<WebhookDeliveryRow> {
  if (delivery.state === 'pending') throw conflict('It has not been delivered yet.')
  const { event_id: eventId, type, subject, body, id: replayOf } = delivery
  recordChange(tx, { ...about(row), action: 'webhook-delivery.replayed', details: { delivery: replayOf } })
  return addDelivery(tx, row, { eventId, type, subject, body, replayOf })
}

async function addDelivery(
  tx: Transaction,
  row: WebhookRow,
  draft: { eventId: string; type: string; subject: string; body: string; replayOf?: string },
): Promise<WebhookDeliveryRow> {
  if (!row.active) throw conflict('This webhook is turned off. Turn it on first.')
  const id = newId()
  const delivery = { organizationId: row.organization_id, webhookId: row.id, id, ...draft }
  await insertDeliveries(tx, [delivery])
  await releaseNext(tx, [delivery])
  tx.leaveRights()
  return (await findDelivery(tx, row, id))!
}

function checkUrl(url: string): void {
  const { username, password } = new URL(url)
  if (username !== '' || password !== '') throw invalid('body.url', 'format', 'must not contain a user or a password')
}

const sealed = (secrets: Secrets) => secrets.seal('webhook', `lwh_${newSecret()}`)

const about = ({ organization_id, id }: Pick<WebhookRow, 'organization_id' | 'id'>) => ({
  organizationId: organization_id,
  target: { type: 'webhook', id },
})
