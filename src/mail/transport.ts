import type { Transporter } from 'nodemailer'
import type { App } from '../http/routes.ts'
import { type Letter, asHtml, asText } from './letter.ts'

/** A message for one reader. */
export interface Message {
  /** The same for each attempt, so that a mail that arrives twice is recognized as one. */
  id: string
  to: string
  letter: Letter
  /** Mail programs group messages with the same thread into a conversation. */
  thread?: string | undefined
}

/** A mail that the server will not accept, however often it is tried. */
export class Undeliverable extends Error {}

const seconds = 1_000

/** The connection to the configured mail server. Sends a few messages at a time. */
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
        // All of them refer to a first mail that was never sent. It is enough that the id is the same.
        ...(thread !== undefined && { inReplyTo: idOf(thread), references: idOf(thread) }),
        from: this.#app.config.mailFrom,
        // As a single address, not as a list to which a name could add others.
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
    // Loaded lazily, so that it costs nothing where no mail is sent.
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

/**
 * Whether the server permanently rejects the recipient or the message. If it rejects our login, our sender or that we
 * send at all, the operator has to fix that, and the mail waits. Some servers only say so when they hear of the
 * recipient: with a status that is about security (X.7.X) or about the sender (X.1.7, X.1.8).
 */
function isHopeless(error: unknown): boolean {
  const { code, responseCode, response, command } = error as SmtpError
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || responseCode === undefined || responseCode < 500) return false
  return command !== 'MAIL FROM' && !/^\d{3}[ -]5\.(?:7\.\d|1\.[78]\b)/.test(response ?? '')
}

interface SmtpError {
  code?: string
  message?: string
  responseCode?: number
  /** May contain addresses. */
  response?: string
  command?: string
}

/** What went wrong, for the log: without the words of the mail server, which may contain the address of the reader. */
export function reasonOf(error: unknown): { code: string | undefined; reason: string | undefined } {
  const { code, message, responseCode, response, command } = error as SmtpError
  if (responseCode === undefined) return { code, reason: message }
  const status = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1]
  const answer = [responseCode, status, command && `to ${command}`].filter(Boolean).join(' ')
  return { code, reason: `answered ${answer}` }
}
