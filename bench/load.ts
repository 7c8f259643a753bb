import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Sending } from './sender.ts'

const sender = fileURLToPath(new URL('sender.ts', import.meta.url))

export interface Target {
  url: string
  headers?: Record<string, string>
}

/**
 * Returns requests per second over 32 connections, sent by a separate process. Throws if an answer has an unexpected
 * status.
 */
export async function requestsPerSecond(
  { url, headers = {} }: Target,
  seconds = 2,
  status: 200 | 304 = 200,
): Promise<number> {
  const { host, hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
  const sending: Sending = { host: hostname, port: Number(port), request, status }
  const child = spawn(process.execPath, [sender, JSON.stringify(sending), String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${url} was not answered as it should be`)
  return Number(output)
}

/**
 * Sends one POST after the other over one connection, with as little work as possible: the sender shares the processor
 * with the server being measured, and `fetch` alone uses as much of it as a whole write.
 */
export class Connection {
  readonly #socket: Socket
  readonly #head: string
  #answer = ''
  #done: ((answer: string) => void) | undefined

  constructor(url: string, token: string) {
    const { hostname, port, pathname } = new URL(url)
    this.#head = `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json`
    this.#socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1').unref()
    this.#socket.on('data', (part: string) => this.#read(part))
  }

  /** Returns the body of the answer. */
  async post(body: string): Promise<string> {
    const answered = new Promise<string>((resolve) => (this.#done = resolve))
    this.#socket.ref().write(`${this.#head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
    const answer = await answered
    this.#socket.unref()
    if (!answer.startsWith('HTTP/1.1 2')) throw new Error(answer)
    return answer.slice(answer.indexOf('\r\n\r\n') + 4)
  }

  #read(part: string): void {
    this.#answer += part
    const head = this.#answer.indexOf('\r\n\r\n')
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#answer)?.[1]
    if (head === -1 || this.#answer.length < head + 4 + Number(length)) return
    const answer = this.#answer
    this.#answer = ''
    this.#done?.(answer)
  }
}
