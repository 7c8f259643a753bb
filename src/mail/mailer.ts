import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from '../db/transaction.ts'
import type { App } from '../http/routes.ts'
import { Rounds } from '../jobs/rounds.ts'
import { compose } from './compose.ts'
import { tellWhoeverListens } from './listeners.ts'
import { type MailRow, type NewMail, deleteMail, insertMails, sendLater, takeDue } from './queries.ts'
import { MailTransport, Undeliverable, reasonOf } from './transport.ts'

declare module 'fastify' {
  interface FastifyInstance {
    mail: Mailer
  }
}

const mostAtOnce = 6

/** With the delays below, the last attempt is half a day after the first. */
const mostTries = 21
const longestDelaySeconds = 3_600

/** How long running deliveries may take when the process ends. */
const lastWaitMs = 2_000

interface Timings {
  everyMs: number
  firstRetrySeconds: number
  /** Comments are sent once nobody has written any for this long. */
  quietSeconds: number
}

/**
 * Sends mail in the background. Mails are written to the database together with the change that they report, and are
 * fetched from there. So a slow or unavailable mail server delays nobody, and nothing is sent about changes that were
 * not committed. Other nodes do the same, and leave alone what one of them has taken. Without a mail server nothing is
 * written, and nothing runs.
 */
export class Mailer {
  readonly #app: App
  readonly #timings: Timings
  readonly #transport: MailTransport | undefined
  readonly #rounds: Rounds | undefined
  #isTroubled = false

  constructor(app: App, timings: Timings = { everyMs: 5_000, firstRetrySeconds: 5, quietSeconds: 60 }) {
    this.#app = app
    this.#timings = timings
    if (app.config.smtpUrl === undefined) return
    const transport = new MailTransport(app)
    this.#transport = transport
    this.#rounds = new Rounds(
      timings.everyMs,
      () => this.#turn(transport),
      (error) => this.#tellOnce(error),
    )
  }

  get isOn(): boolean {
    return this.#transport !== undefined
  }

  /** Queues mails to be sent once the transaction is committed. Does nothing if no mail server is configured. */
  tell(tx: Transaction, ...mails: NewMail[]): void {
    if (!this.isOn || mails.length === 0) return
    insertMails(tx, mails)
    tx.afterCommit(() => this.wake())
  }

  start(): void {
    this.#rounds?.start()
  }

  /** Sends waiting mails without waiting for the next round. */
  wake(): void {
    this.#rounds?.wake()
  }

  async close(): Promise<void> {
    // Mails that are not sent in time are sent later by another node or the next process.
    await Promise.race([this.#rounds?.stop(), sleep(lastWaitMs, undefined, { ref: false })])
    await this.#transport?.close()
  }

  async #turn(transport: MailTransport): Promise<boolean> {
    const taken = await takeDue(this.#app.db, mostAtOnce)
    const done = await Promise.allSettled(taken.map((mail) => this.#handle(transport, mail)))
    const failed = done.find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
    if (taken.length > 0) this.#isTroubled = false
    return taken.length === mostAtOnce
  }

  async #handle(transport: MailTransport, mail: MailRow): Promise<void> {
    const { db, log } = this.#app
    try {
      if (mail.kind === 'said') await tellWhoeverListens(this.#app, mail, this.#timings.quietSeconds)
      const message = await compose(this.#app, mail)
      if (message) await transport.send(message)
    } catch (error) {
      if (!(error instanceof Undeliverable) && mail.tries < mostTries) {
        await sendLater(db, mail.id, this.#delaySeconds(mail.tries))
        throw error
      }
      // Logs neither the address nor the content, because other people read the log.
      const cause = error instanceof Undeliverable ? error.cause : error
      log.warn({ mail: mail.id, kind: mail.kind, ...reasonOf(cause) }, 'a mail was given up')
    }
    await deleteMail(db, mail.id)
    // The event has been turned into mails, which can be sent.
    if (mail.kind === 'said') this.wake()
  }

  /** Doubles with each attempt, with some randomness, so that retries do not all happen at once. */
  #delaySeconds(tries: number): number {
    const delay = this.#timings.firstRetrySeconds * 2 ** (tries - 1)
    return Math.min(longestDelaySeconds, delay) * (1 + Math.random() / 10)
  }

  /** Logged once, not every few seconds while the mail server is unavailable. */
  #tellOnce(error: unknown): void {
    if (!this.#isTroubled) this.#app.log.warn(reasonOf(error), 'mail has to wait')
    this.#isTroubled = true
  }
}
