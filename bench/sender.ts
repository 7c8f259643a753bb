// node bench/sender.ts <what to send> <seconds>: sends one request after the other over each of 32 connections and
// prints the answers per second. Does as little work as possible, because the sender affects what is measured.
import { type Socket, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Sending {
  host: string
  port: number
  /** The raw request. */
  request: string
  status: number
}

const connections = 32
const { host, port, request, status }: Sending = JSON.parse(process.argv[2]!)
const seconds = Number(process.argv[3])
const bytes = Buffer.from(request)
const start = `HTTP/1.1 ${status} `

/** All answers have the same size, so every answer after the first is recognized by its length. */
const size = await firstSize()
let answered = 0
for (let i = 0; i < connections; i++) sendOn()
// Warms up both sides.
await sleep(300)
const [before, startedAt] = [answered, performance.now()]
await sleep(seconds * 1_000)
console.log(((answered - before) * 1_000) / (performance.now() - startedAt))
process.exit()

function sendOn(): void {
  let received = 0
  const buffer = Buffer.alloc(65_536)
  const take = (length: number) => {
    if (received === 0 && buffer.toString('latin1', 0, start.length) !== start)
      fail(buffer.toString('latin1', 0, length))
    received += length
    if (received > size) fail(`An answer of ${received} bytes, others have ${size}.`)
    if (received === size) {
      received = 0
      answered += 1
      socket.write(bytes)
    }
    return true
  }
  const socket = connect({ host, port, onread: { buffer, callback: take } }).setNoDelay(true)
  socket.on('error', ({ message }) => fail(message)).on('close', () => fail('The connection was closed.'))
  socket.write(bytes)
}

async function firstSize(): Promise<number> {
  const socket = connect({ host, port }).setEncoding('latin1')
  socket.write(bytes)
  const received = await wholeAnswer(socket)
  socket.destroy()
  if (!received.startsWith(start)) fail(received)
  return received.length
}

async function wholeAnswer(socket: Socket): Promise<string> {
  let received = ''
  for await (const part of socket) {
    received += part
    if (isWhole(received)) return received
  }
  return received
}

function isWhole(received: string): boolean {
  const head = received.indexOf('\r\n\r\n')
  if (head === -1) return false
  if (/\r\ntransfer-encoding: chunked/i.test(received.slice(0, head))) return received.endsWith('\r\n0\r\n\r\n')
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0)
  return received.length >= head + 4 + length
}

function fail(why: string): never {
  console.error(why)
  process.exit(1)
}
