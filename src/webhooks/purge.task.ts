import type { Database } from '../db/connect.ts'
import { nobody, transaction } from '../db/transaction.ts'
import { batch, removeInBatches } from '../jobs/in-batches.ts'
import type { Task } from '../jobs/task.ts'
import {
  deleteDeliveries,
  deleteOfGoneWebhooks,
  holdWebhooks,
  listOldDeliveries,
  releaseNext,
} from './deliveries.queries.ts'
import { deleteGoneWebhooks } from './queries.ts'

/** Removes deliveries after 30 days, and deleted webhooks together with their deliveries. */
export const purgeDeliveries: Task = {
  name: 'purge-deliveries',
  schedule: '37 * * * *',
  async run({ db, log, stopping }) {
    const removers = [removeOld, deleteOfGoneWebhooks, deleteGoneWebhooks].map((some) => () => some(db, batch))
    const removed = await removeInBatches(removers, stopping)
    if (removed > 0) log.info({ removed }, 'purged webhooks and deliveries')
  },
}

/**
 * An old delivery that was never sent may have others waiting behind it: if a webhook was turned off for a month, the
 * next one is released.
 */
function removeOld(db: Database, most: number): Promise<number> {
  return transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    const old = await listOldDeliveries(tx, most)
    const waitedFor = old.filter(({ state }) => state === 'pending')
    await holdWebhooks(
      tx,
      waitedFor.map(({ webhookId }) => webhookId),
    )
    await deleteDeliveries(tx, old)
    await releaseNext(tx, waitedFor)
    return old.length
  })
}
