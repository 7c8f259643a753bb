import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'

export interface Received {
  headers: IncomingHttpHeaders
  raw: string
  body: any
  at: number
}

type Answer = (received: Received, response: ServerResponse) => void

/** A receiver on this machine. Its answer can be changed while it is running. */
export async function aReceiver(answer: Answer = (_, response) => response.writeHead(204).end()) {
  const receiver = { received: [] as Received[], answer, url: '', types: () => typesOf(receiver.received) }
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    const received = { headers: request.headers, raw, body: JSON.parse(raw), at: performance.now() }
    receiver.received.push(received)
    receiver.answer(received, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
  return receiver
}

const typesOf = (received: Received[]): string[] => received.map(({ body }) => body.type)

/** Checks the sender as a receiver does: one of the signatures must be made with the secret. */
export function isSignedWith(secret: string, { headers, raw }: Received): boolean {
  assert.equal(headers['x-gitbook-signature'], headers['x-lectern-signature'])
  const parts = String(headers['x-lectern-signature'])
    .split(',')
    .map((part) => part.split('='))
  const [, time] = parts.find(([name]) => name === 't')!
  assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 60)
  const expected = createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex')
  return parts.some(([name, signature]) => name === 'v1' && signature === expected)
}
