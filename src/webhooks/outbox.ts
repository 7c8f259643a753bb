import type { Database } from '../db/connect.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import { newId, nilId } from '../ids.ts'
import { type NewDelivery, holdWebhooks, insertDeliveries, releaseNext } from './deliveries.queries.ts'
import { type WebhookEvent, eventsOf } from './events.ts'
import { type Listener, listListeners, listOutbox, moveCursor, takeCursor } from './outbox.queries.ts'

const batch = 200

/**
 * If the cursor is this far behind and there is nothing to send, it is moved. Not more often, because that is a write.
 */
const farBehind = 1_000

/**
 * Turns what was recorded since the last time into deliveries. Changes are already committed, and the cursor is
 * committed together with the deliveries: even if this process dies, nothing is left out and nothing is delivered
 * twice. Returns whether there is more.
 */
export async function readOutbox(db: Database, url: string): Promise<boolean> {
  return transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    const cursor = await takeCursor(tx)
    if (!cursor) return false
    const { from, until } = cursor
    // This server has started to count transactions anew, so all existing changes are old.
    if (from.tx > until) return moveCursor(tx, { tx: until, id: nilId }).then(() => false)

    const listeners = await listListeners(tx)
    const organizations = [...new Set(listeners.map(({ organization_id }) => organization_id))]
    const changes = organizations.length === 0 ? [] : await listOutbox(tx, cursor, organizations, batch)
    await deliver(
      tx,
      listeners,
      changes.flatMap((change) => eventsOf(change, url).map((event) => ({ change, event }))),
    )

    const isMore = changes.length === batch
    const last = changes.at(-1)
    if (isMore) await moveCursor(tx, last!)
    else if (last || until - from.tx > farBehind) await moveCursor(tx, { tx: until, id: nilId })
    return isMore
  })
}

/** Adds a delivery for each event to every webhook that is subscribed to it and already was when it happened. */
async function deliver(
  tx: Transaction,
  listeners: Listener[],
  events: { change: { at: Date }; event: WebhookEvent }[],
): Promise<void> {
  const deliveries = events.flatMap(({ change, event }): NewDelivery[] =>
    listeners
      .filter((listener) => listens(listener, event) && change.at >= listener.since)
      .map(({ id: webhookId }) => ({ ...deliveryOf(event), webhookId })),
  )
  if (deliveries.length === 0) return
  await holdWebhooks(
    tx,
    deliveries.map(({ webhookId }) => webhookId),
  )
  await insertDeliveries(tx, deliveries)
  await releaseNext(tx, deliveries)
}

const deliveryOf = ({ organizationId, id: eventId, type, subject, body }: WebhookEvent) => ({
  organizationId,
  id: newId(),
  eventId,
  type,
  subject,
  body,
})

function listens({ organization_id, events, filter }: Listener, event: WebhookEvent): boolean {
  if (organization_id !== event.organizationId || (events !== null && !events.includes(event.type))) return false
  const { spaceId, siteId } = event.about
  return filter === null || filter.spaces.includes(spaceId ?? '') || filter.sites.includes(siteId ?? '')
}
