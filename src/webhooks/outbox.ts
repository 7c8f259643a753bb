import type { Database } from '../db/connect.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import { newId, nilId } from '../ids.ts'
import { type NewDelivery, holdWebhooks, insertDeliveries, releaseNext } from './deliveries.queries.ts'
import { type WebhookEvent, eventsOf } from './events.ts'
import { type Listener, listListeners, listOutbox, moveCursor, takeCursor } from './outbox.queries.ts'

const batch = 200

/** So far behind, with nothing to send, the place is marked anew: it costs a write. */
const farBehind = 1_000

/**
 * Turns what was recorded since the last time into deliveries. Whatever becomes of this process, the change and its
 * place in the record are committed: nothing is left out, and nothing comes twice. Answers whether there is more.
 */
export async function readOutbox(db: Database, url: string): Promise<boolean> {
  return transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    const cursor = await takeCursor(tx)
    if (!cursor) return false
    const { from, until } = cursor
    // On a server that counts from the beginning again, all that is there was there before.
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

/** Each event to every webhook that listens to it and did so before. */
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
