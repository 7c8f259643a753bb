import type { App } from '../http/routes.ts'
import { Rounds } from '../jobs/rounds.ts'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { listListeners } from './outbox.queries.ts'
import { readOutbox } from './outbox.ts'
import { type Outcome, sendDelivery } from './send.ts'
import { type TakenDelivery, giveBack, takeDue } from './sending.queries.ts'
import { settle } from './settle.ts'

declare module 'fastify' {
  interface FastifyInstance {
    webhooks: WebhookSender
  }
}

const mostAtOnce = 64
const mostOfOne = 20

/** How long deliveries under way may take when the process ends. */
const lastWaitMs = 2_000

/** The record is read this often even if there is no webhook, so that the first one has little to catch up on. */
const idleMs = 60_000

interface Timings {
  everyMs: number
  firstRetryMs: number
}

/**
 * Sends events to webhooks, in the background. One loop makes all its database calls, one after the other, so it never
 * uses more than one connection. The HTTP requests run beside that loop, with a limit for all of them and one per
 * webhook: a slow receiver has few under way, and no other waits for it. Other nodes do the same, and leave alone what
 * one of them has taken.
 */
export class WebhookSender {
  readonly #app: App
  readonly #timings: Timings
  readonly #sending = new Map<string, { delivery: TakenDelivery; done: Promise<void> }>()
  readonly #outcomes: Outcome[] = []
  readonly #rounds: Rounds
  #isTroubled = false
  #readAt = -Infinity

  constructor(app: App, timings: Timings = { everyMs: 1_000, firstRetryMs: 1_000 }) {
    this.#app = app
    this.#timings = timings
    this.#rounds = new Rounds(
      timings.everyMs,
      () => this.#turn(),
      (error) => this.#tell(error),
    )
  }

  start(): void {
    this.#rounds.start()
  }

  /** Called when there is something to send, to start the next round at once. */
  wake(): void {
    this.#rounds.wake()
  }

  /** Waits a moment for deliveries under way. The rest are given back, to be sent by another node. */
  async close(): Promise<void> {
    await this.#rounds.stop()
    const ending = Promise.all([...this.#sending.values()].map(({ done }) => done))
    await Promise.race([ending, sleep(lastWaitMs, undefined, { ref: false })])
    const left = [...this.#sending.values()].map(({ delivery }) => delivery)
    try {
      await this.#settle()
      if (left.length > 0) await giveBack(this.#app.db, left)
    } catch (error) {
      this.#app.log.warn({ err: error }, 'what became of some webhook deliveries is not known; they are sent again')
    }
  }

  async #turn(): Promise<boolean> {
    await this.#settle()
    const { db, url } = this.#app
    const hasListeners = (await listListeners(db)).length > 0
    const since = performance.now() - this.#readAt
    let isMore = false
    if (since >= (hasListeners ? this.#timings.everyMs / 2 : idleMs)) {
      isMore = await readOutbox(db, url)
      if (!isMore) this.#readAt = performance.now()
    }
    if (hasListeners) await this.#take()
    this.#isTroubled = false
    return isMore
  }

  async #settle(): Promise<void> {
    const outcomes = this.#outcomes.splice(0)
    if (outcomes.length === 0) return
    try {
      await settle(this.#app, outcomes, this.#timings.firstRetryMs)
    } catch (error) {
      this.#outcomes.unshift(...outcomes)
      throw error
    }
  }

  async #take(): Promise<void> {
    const free = mostAtOnce - this.#sending.size - this.#outcomes.length
    if (free <= 0) return
    // Never takes more than half of the free slots for one webhook, so that some are left for those that come later.
    const usually = Math.min(mostOfOne, Math.ceil(free / 2))
    const counts = Map.groupBy(this.#sending.values(), ({ delivery }) => delivery.webhook_id)
    const busy = [...counts].map(([webhookId, { length }]) => ({ webhookId, room: Math.max(0, usually - length) }))
    for (const delivery of await takeDue(this.#app.db, { limit: free, usually, busy })) {
      this.#sending.set(delivery.id, { delivery, done: this.#send(delivery) })
      // Lets requests that arrived in the meantime be answered before the next delivery starts.
      await nextTurn()
    }
  }

  async #send(delivery: TakenDelivery): Promise<void> {
    const outcome = await sendDelivery(this.#app, delivery).catch((error: unknown): Outcome => {
      this.#app.log.error({ err: error, webhookId: delivery.webhook_id }, 'a webhook delivery could not be sent')
      const attempt = { at: new Date().toISOString(), ms: 0, error: 'could not be sent' }
      return { delivery, attempt, result: 'again' }
    })
    this.#sending.delete(delivery.id)
    this.#outcomes.push(outcome)
    this.wake()
  }

  /** Logged once, not every second while the database is unavailable. */
  #tell(error: unknown): void {
    if (!this.#isTroubled) this.#app.log.warn({ err: error }, 'webhooks have to wait')
    this.#isTroubled = true
  }
}
