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

/** How long those under way may take when the process ends. */
const lastWaitMs = 2_000

/** Without any webhook, the record is looked at this often all the same, so that the first one has little to read. */
const idleMs = 60_000

interface Timings {
  everyMs: number
  firstRetryMs: number
}

/**
 * Sends events to webhooks, beside the requests. All that it asks of the database is asked by one loop, one thing after
 * the other, so it never takes more than one connection. What is sent runs beside that loop, and there is a limit for
 * all of it and one for each webhook: whoever is slow has few under way, and nobody waits for them. Other nodes do the
 * same; what one has taken the others leave alone.
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

  /** Something is to be sent: there is no need to wait for the next look. */
  wake(): void {
    this.#rounds.wake()
  }

  /** What is under way may end; what does not is given back, and sent by somebody else. */
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
    // Never more than half of what is free, so that there is something left for those who come later.
    const usually = Math.min(mostOfOne, Math.ceil(free / 2))
    const counts = Map.groupBy(this.#sending.values(), ({ delivery }) => delivery.webhook_id)
    const busy = [...counts].map(([webhookId, { length }]) => ({ webhookId, room: Math.max(0, usually - length) }))
    for (const delivery of await takeDue(this.#app.db, { limit: free, usually, busy })) {
      this.#sending.set(delivery.id, { delivery, done: this.#send(delivery) })
      // Requests that came meanwhile are answered before the next one is begun.
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

  /** Once, and not every second for as long as the database is away. */
  #tell(error: unknown): void {
    if (!this.#isTroubled) this.#app.log.warn({ err: error }, 'webhooks have to wait')
    this.#isTroubled = true
  }
}
