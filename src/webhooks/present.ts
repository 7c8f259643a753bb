import type { Static } from 'typebox'
import type { WebhookDeliveryRow, WebhookRow } from '../db/tables.ts'
import type { App } from '../http/routes.ts'
import { ping } from './events.schema.ts'
import type { Webhook, WebhookDelivery } from './schema.ts'

/** As part of a list. */
export function presentWebhook(row: WebhookRow, url: string): Static<typeof Webhook> {
  return {
    object: 'webhook',
    id: row.id,
    title: row.title,
    url: row.url,
    events: row.events,
    filter: row.filter,
    active: row.active,
    ...(row.disabled_reason !== null && { disabledReason: row.disabled_reason }),
    ...(row.failing_since !== null && { failingSince: row.failing_since.toISOString() }),
    ...(row.former_until !== null && { formerSecretUntil: row.former_until.toISOString() }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    urls: { location: locationOf(row, url) },
  }
}

/** As a single object, with its secret. */
export function presentWhole({ secrets, url }: Pick<App, 'secrets' | 'url'>, row: WebhookRow): Static<typeof Webhook> {
  return { ...presentWebhook(row, url), secret: secrets.open('webhook', row.secret) }
}

export function presentDelivery(
  row: WebhookDeliveryRow,
  webhook: WebhookRow,
  url: string,
): Static<typeof WebhookDelivery> {
  const next = nextAttempt(row, webhook)
  return {
    object: 'webhook-delivery',
    id: row.id,
    webhook: row.webhook_id,
    eventId: row.event_id,
    type: row.type,
    status: row.state,
    attempts: row.attempts.map(({ at, ms, status, error }) => ({
      at,
      durationMs: ms,
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
    })),
    ...(next && { nextAttemptAt: next.toISOString() }),
    ...(row.replay_of !== null && { replayOf: row.replay_of }),
    payload: JSON.parse(row.body) as object,
    createdAt: row.created_at.toISOString(),
    ...(row.finished_at !== null && { finishedAt: row.finished_at.toISOString() }),
    urls: { location: `${locationOf(webhook, url)}/deliveries/${row.id}` },
  }
}

function nextAttempt(row: WebhookDeliveryRow, { active, paused_until }: WebhookRow): Date | undefined {
  // While a node is sending it, the time in the row is only for the case that the node never finishes.
  if (!active || row.due_at === null || row.attempts.length !== row.tries) return undefined
  // A paused webhook gets nothing before the pause is over, except pings.
  const isHeld = paused_until !== null && paused_until > row.due_at && row.type !== ping
  return isHeld ? paused_until : row.due_at
}

const locationOf = ({ organization_id, id }: Pick<WebhookRow, 'organization_id' | 'id'>, url: string) =>
  `${url}/v1/orgs/${organization_id}/webhooks/${id}`
