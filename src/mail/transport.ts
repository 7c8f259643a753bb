import type { Transporter } from 'nodemailer'
import type { App } from '../http/routes.ts'
import { type Letter, asHtml, asText } from './letter.ts'

/** A message for one reader. */
export interface Message {
  /** The same each time it is sent, so that one that came twice is seen as one. */
  id: string
  to: string
  letter: Letter
  /** Mail programs show those with the same one as one conversation. */
  thread?: string | undefined
}

/** It will not be taken, however often it is tried. */
export class Undeliverable extends Error {}

const seconds = 1_000

/** The way to the mail server that the operator named. One at a time, or a few. */
export class MailTransport {
  readonly #app: Pick<App, 'config' | 'url'>
  #transporter: Promise<Transporter> | undefined

  constructor(app: Pick<App, 'config' | 'url'>) {
    this.#app = app
  }

  async send({ id, to, letter, thread }: Message): Promise<void> {
    this.#transporter ??= this.#open()
    const transporter = await this.#transporter
    const { unsubscribe } = letter
    const idOf = (name: string) => `<${name}@${new URL(this.#app.url).hostname}>`
    try {
      await transporter.sendMail({
        messageId: idOf(id),
        // As if all of them answered a first mail, which nobody got: that it is the same is enough.
        ...(thread !== undefined && { inReplyTo: idOf(thread), references: idOf(thread) }),
        from: this.#app.config.mailFrom,
        // As one address, not as a list that somebody's name could add to.
        to: { name: '', address: to },
        subject: letter.subject,
        text: asText(letter),
        html: asHtml(letter),
        headers: {
          'Auto-Submitted': 'auto-generated',
          ...(unsubscribe !== undefined && {
            'List-Unsubscribe': `<${unsubscribe}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
        disableFileAccess: true,
        disableUrlAccess: true,
      })
    } catch (error) {
      throw isHopeless(error) ? new Undeliverable('refused by the mail server', { cause: error }) : error
    }
  }

  async close(): Promise<void> {
    const transporter = await this.#transporter?.catch(() => undefined)
    transporter?.close()
  }

  async #open(): Promise<Transporter> {
    // Loaded here: where no mail is sent, nobody pays for it.
    const { createTransport } = await import('nodemailer')
    return createTransport(
      {
        url: this.#app.config.smtpUrl,
        pool: true,
        maxConnections: 3,
        connectionTimeout: 10 * seconds,
        greetingTimeout: 10 * seconds,
        socketTimeout: 30 * seconds,
      },
      {},
    )
  }
}

/** The server knows the reader or the message and wants neither. That it does not know us is for the operator to mend. */
function isHopeless(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500
}
