import { recordChange } from '../changes/record.ts'
import { type Transaction, nobody, transaction } from '../db/transaction.ts'
import type { App } from '../http/routes.ts'
import { type HeldWebhook, holdWebhooks, releaseNext } from './deliveries.queries.ts'
import { ping } from './events.schema.ts'
import type { Outcome } from './send.ts'
import { type Settlement, switchOff, updateHealth, updateSettled } from './sending.queries.ts'

/** The last one is about four hours after the first. */
const mostTries = 16
const longestDelayMs = 3_600_000

/** After this many failed attempts in a row, a webhook is paused. */
const attemptsBeforePause = 5
const longestPauseMs = 300_000

/** When a webhook is turned off. */
const longestFailureMs = 3 * 24 * 3_600_000
const mostFailedDeliveries = 50

/** Stores the results of deliveries (done, to be retried, or given up) and the health of their webhooks. */
export async function settle(
  { db, mail }: Pick<App, 'db' | 'mail'>,
  outcomes: readonly Outcome[],
  firstRetryMs: number,
): Promise<void> {
  await transaction(db, nobody, async (tx) => {
    tx.leaveMain()
    const held = await holdWebhooks(
      tx,
      outcomes.map(({ delivery }) => delivery.webhook_id),
    )
    const settlements = outcomes.map((outcome) => settlementOf(outcome, firstRetryMs))
    await updateSettled(tx, settlements)
    const done = outcomes.filter((_, i) => settlements[i]!.state !== 'pending')
    await releaseNext(
      tx,
      done.map(({ delivery: { organization_id, webhook_id, subject } }) => ({
        organizationId: organization_id,
        webhookId: webhook_id,
        subject,
      })),
    )
    for (const webhook of held) {
      const reason = await judge(tx, webhook, outcomes, settlements, firstRetryMs)
      if (reason === undefined) continue
      const { organization_id: organizationId, id } = webhook
      await switchOff(tx, webhook, reason)
      const target = { type: 'webhook', id }
      recordChange(tx, { organizationId, target, action: 'webhook.disabled', details: { reason } })
      // Nothing else is sent from here on, so its administrators would not notice.
      mail.tell(tx, { kind: 'said', organizationId, about: { webhook: id } })
    }
  })
}

function settlementOf({ delivery, attempt, result }: Outcome, firstRetryMs: number): Settlement {
  const { organization_id: organizationId, webhook_id: webhookId, id, tries, type } = delivery
  const isLast = tries >= mostTries || type === ping
  const again = result === 'again' && !isLast
  return {
    organizationId,
    webhookId,
    id,
    attempt,
    state: again ? 'pending' : result === 'taken' ? 'delivered' : 'failed',
    delayMs: again ? delayMs(tries, firstRetryMs) : null,
  }
}

/** Doubles each time, with some jitter so that not all retries come at once. */
function delayMs(tries: number, firstRetryMs: number): number {
  return Math.min(longestDelayMs, firstRetryMs * 2 ** (tries - 1)) * (1 + Math.random() / 10)
}

/** Stores the health of a webhook. Returns the reason if it is to be turned off. */
async function judge(
  tx: Transaction,
  webhook: HeldWebhook,
  outcomes: readonly Outcome[],
  settlements: readonly Settlement[],
  firstRetryMs: number,
): Promise<string | undefined> {
  const now = { ...webhook }
  for (const [i, { delivery, result }] of outcomes.entries()) {
    if (delivery.webhook_id !== webhook.id) continue
    if (result === 'taken') Object.assign(now, { failing_since: null, failed_attempts: 0, failed_deliveries: 0 })
    else if (delivery.type !== ping) {
      now.failing_since ??= now.held_at
      now.failed_attempts += 1
      if (settlements[i]!.state === 'failed') now.failed_deliveries += 1
    }
  }
  if (now.failed_attempts === 0 && webhook.failing_since === null) return undefined
  await updateHealth(tx, now, pauseMs(now.failed_attempts, firstRetryMs))
  // A delivery that was under way when the webhook was turned off may end later. It is not turned off twice.
  if (!webhook.active) return undefined
  return reasonToStop(
    now,
    outcomes.some(({ delivery }, i) => delivery.webhook_id === webhook.id && hasTriedHard(delivery, settlements[i]!)),
  )
}

function pauseMs(failedAttempts: number, firstRetryMs: number): number | null {
  const beyond = failedAttempts - attemptsBeforePause
  return beyond < 0 ? null : Math.min(longestPauseMs, firstRetryMs * 2 ** Math.min(beyond, 20))
}

/**
 * A single failed attempt, days after the previous one, is no reason to turn it off yet: it is first retried a few
 * times.
 */
const hasTriedHard = ({ tries }: Outcome['delivery'], { state }: Settlement) =>
  state === 'failed' || tries >= attemptsBeforePause

function reasonToStop(
  { failing_since, failed_deliveries, held_at }: HeldWebhook,
  triedHard: boolean,
): string | undefined {
  if (failed_deliveries >= mostFailedDeliveries) return `${failed_deliveries} deliveries in a row failed.`
  const failsForMs = failing_since === null ? 0 : held_at.getTime() - failing_since.getTime()
  return triedHard && failsForMs >= longestFailureMs ? 'All deliveries failed for three days.' : undefined
}
