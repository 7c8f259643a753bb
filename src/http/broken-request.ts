import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { ApiError, errorBody } from './errors.ts'

export const maxUrlBytes = 8 * 1024

/**
 * Time for the client to read the answer. A client that does not hang up by then is cut off; otherwise it would keep
 * the connection forever.
 */
const lingerMs = 1_000

/** Answers what the HTTP parser refuses, and so never became a request, in the same form as every other error. */
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

/** Whether the URL caused the overflow: the parser counts it as part of the headers, and its line comes first. */
function hasLongAddress(packet: Buffer | undefined): boolean {
  const line = packet?.subarray(0, maxUrlBytes).toString('latin1') ?? ''
  return /^[A-Z]+ /.test(line) && !line.includes('\n')
}
