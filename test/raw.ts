import { type Socket, connect } from 'node:net'
import { once } from 'node:events'

export interface RawAnswer {
  status: number
  headers: Map<string, string>
  text: string
  body: any
}

/** Sends exactly these bytes, for requests that no HTTP client would send. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = await openRaw(url)
  try {
    socket.write(bytes)
    return await readAnswer(socket, bytes.toString('latin1', 0, 5).startsWith('HEAD '))
  } finally {
    socket.destroy()
  }
}

export async function openRaw(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  await once(socket, 'connect')
  // A connection that sends garbage may be cut off.
  socket.on('error', () => {})
  return socket
}

export async function readAnswer(socket: Socket, isHead = false): Promise<RawAnswer> {
  let received = Buffer.alloc(0)
  const limit = AbortSignal.timeout(10_000)
  while (!isWhole(received, isHead)) {
    const ended = once(socket, 'close', { signal: limit }).then(() => undefined)
    const chunk = await Promise.race([once(socket, 'data', { signal: limit }), ended])
    if (!chunk) break
    received = Buffer.concat([received, chunk[0] as Buffer])
  }
  return parse(received)
}

function isWhole(received: Buffer, isHead: boolean): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end === -1) return false
  const { status, headers } = parse(received)
  if (isHead || status === 204 || status === 304) return true
  return received.length >= end + 4 + Number(headers.get('content-length') ?? Infinity)
}

function parse(received: Buffer): RawAnswer {
  const text = received.toString()
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = text.slice(end + 4)
  const isJson = headers.get('content-type')?.startsWith('application/json') && rest !== ''
  return { status: Number(statusLine.split(' ')[1]), headers, text: rest, body: isJson ? tryParse(rest) : undefined }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
