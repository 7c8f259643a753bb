import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, send } from './client.ts'
import { ensure } from './drill.ts'
import { titlesOf } from './ledger.ts'
import { makeSpace } from './setting.ts'

interface Where {
  url: string
  token: string
  organizationId: string
}

/**
 * Sends requests whose connection is cut after every `stride`-th byte of the request or of its answer, then repeats
 * each with its key. Each must have exactly one effect.
 */
export async function cutAnywhere({ url, token, organizationId }: Where, stride: number): Promise<string> {
  const space = await makeSpace(url, organizationId, { editMode: 'live' }, token)
  const path = `/v1/spaces/${space}/content`
  const titles: string[] = []
  let longest = Infinity
  let cuts = 0
  for (let at = 0; at <= longest; at += stride) {
    const title = `cut ${String(at).padStart(5, '0')}`
    titles.push(title)
    const changes = [{ operation: 'insert_page', document: { markdown: `# ${title}\n` } }]
    const request = { path, body: JSON.stringify({ changes }), key: randomUUID() }
    const whole = await cutAt(url, token, request, at)
    if (whole !== undefined) longest = at
    cuts += 1
    const answer = await repeat(url, token, request)
    ensure(answer.status === 200, `The repeat of a request that was cut at byte ${at}: ${describe(answer)}`)
  }
  const { body } = await send(url, { method: 'GET', path, token })
  const found = titlesOf(body.pages).toSorted()
  ensure(JSON.stringify(found) === JSON.stringify(titles), `${titles.length} requests left ${found.length} pages`)
  return `${cuts} requests cut at every ${stride === 1 ? '' : `${stride}th `}byte and sent again: one effect each`
}

interface Request {
  path: string
  body: string
  key: string
}

/**
 * Sends the first `at` bytes of the request, then hangs up. If the request is shorter, also reads the remaining number
 * of bytes from the answer first.
 */
async function cutAt(url: string, token: string, request: Request, at: number): Promise<'whole' | undefined> {
  const { hostname, port } = new URL(url)
  const bytes = Buffer.from(
    `POST ${request.path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n` +
      `content-type: application/json\r\nidempotency-key: ${request.key}\r\n` +
      `content-length: ${Buffer.byteLength(request.body)}\r\nconnection: close\r\n\r\n${request.body}`,
  )
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise<void>((sent) => socket.write(bytes.subarray(0, at), () => sent()))
  const isWhole = at >= bytes.length && (await readAtMost(socket, at - bytes.length))
  socket.destroy()
  return isWhole ? 'whole' : undefined
}

/** Whether the answer ended before `most` bytes. */
async function readAtMost(socket: Socket, most: number): Promise<boolean> {
  let left = most
  while (left > 0) {
    const chunk = (socket.read(1) ?? undefined) as Buffer | undefined
    if (chunk) left -= chunk.length
    else if (socket.readableEnded || socket.destroyed) return true
    else await Promise.race([once(socket, 'readable'), once(socket, 'end'), once(socket, 'close')])
  }
  return false
}

async function repeat(url: string, token: string, { path, body, key }: Request) {
  for (;;) {
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' }
    const answer = await send(url, { method: 'POST', path, body: JSON.parse(body), token, headers })
    if (answer.body?.error?.type !== 'still_running') return answer
    await sleep(5)
  }
}
