import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string
  subject: string
  headers: string
  text: string
  html: string
}

export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /**
   * How the next attempts are answered, one after the other: a status, what the server says with it, and the sender
   * instead of the recipient if it refuses that. After those, every mail is accepted.
   */
  answers: Refusal[]
  /** Waits for the first mail to this address that was not returned yet. */
  next(to: string): Promise<ReceivedMail>
}

type Refusal = number | { status: number; says?: string; at?: 'sender' }

/** A real mail server on loopback, for one test file. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const answers: Refusal[] = []
  const taken = new Set<ReceivedMail>()
  const server = new SMTPServer({
    authOptional: true,
    // Does not wait for clients that are still connected when a test ends.
    closeTimeout: 1,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onMailFrom: (_address, _session, done) => done(isAtSender(answers[0]) ? refused(answers.shift()) : null),
    onRcptTo: (_address, _session, done) => done(refused(answers.shift())),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(readMail(session.envelope.rcptTo[0]!.address, Buffer.concat(chunks).toString('latin1')))
        done()
      })
    },
  })
  server.on('error', () => {})
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  after(() => new Promise<void>((done) => server.close(done)))

  return {
    url: `smtp://127.0.0.1:${server.server.address().port}`,
    mails,
    answers,
    async next(to) {
      for (let waited = 0; waited < 30_000; waited += 20) {
        const found = mails.find((mail) => mail.to === to && !taken.has(mail))
        if (found) {
          taken.add(found)
          return found
        }
        await sleep(20)
      }
      return assert.fail(`no mail to ${to} came`)
    },
  }
}

const isAtSender = (answer: Refusal | undefined) => typeof answer === 'object' && answer.at === 'sender'

function refused(answer: Refusal | undefined): Error | null {
  if (answer === undefined) return null
  const { status, says = 'Not now' } = typeof answer === 'number' ? { status: answer } : answer
  return Object.assign(new Error(says), { responseCode: status })
}

/** Parses a mail in the format that we send: a head, and two parts with the same content. */
function readMail(to: string, raw: string): ReceivedMail {
  const [headers, body] = splitHead(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers)![1]!
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => decode(...splitHead(part.replace(/^\r\n/, ''))))
  const subject = /^Subject: (.*)$/m.exec(headers)![1]!
  return { to, subject: decodeWords(subject), headers, text: parts[0]!, html: parts[1]! }
}

/** Splits off the head, and joins the lines that were folded there. */
function splitHead(text: string): [string, string] {
  const at = text.indexOf('\r\n\r\n')
  return [text.slice(0, at).replace(/\r\n[ \t]+/g, ' '), text.slice(at + 4)]
}

function decode(headers: string, body: string): string {
  if (/base64/i.test(headers)) return Buffer.from(body, 'base64').toString()
  return /quoted-printable/i.test(headers) ? unquoted(body) : Buffer.from(body, 'latin1').toString()
}

function unquoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?(q|b)\?([^?]*)\?=/gi, (_, way: string, word: string) =>
      way.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : unquoted(word.replaceAll('_', ' ')),
    )
}
