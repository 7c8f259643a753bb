import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { ApiError, errorBody } from './errors.ts'

export const maxUrlBytes = 8 * 1024

/** Time to read the answer. Whoever does not hang up then is cut off, or would keep the connection for ever. */
const lingerMs = 1_000

/** Requests that never became one: what the HTTP parser refuses has to look like every other error. */
export function answerBrokenRequest(this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = refusalOf(error)
  const { status } = refusal
  const body = JSON.stringify(errorBody(refusal))
  const id = randomUUID()
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), lingerMs).unref()
  this.log.info({ reqId: id, status, address: socket.remoteAddress, reason: error.code }, 'broken request')
}

function refusalOf({ code, rawPacket }: ConnectionError): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return hasLongAddress(rawPacket as unknown as Buffer | undefined)
        ? urlTooLong()
        : new ApiError('headers_too_large', 'The headers are too large.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('invalid_request', 'The request did not arrive in time.')
    default:
      return new ApiError('invalid_request', 'This is not a valid HTTP request.')
  }
}

export const urlTooLong = () => new ApiError('url_too_long', 'The URL is too long.')

/** The parser counts the address among the headers; its line comes first. */
function hasLongAddress(packet: Buffer | undefined): boolean {
  const line = packet?.subarray(0, maxUrlBytes).toString('latin1') ?? ''
  return /^[A-Z]+ /.test(line) && !line.includes('\n')
}
