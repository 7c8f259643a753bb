import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { weightsIn } from './accept.ts'

const worthwhileBytes = 1024
const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

export type Encoding = 'br' | 'gzip'

/** Chooses the form of an answer: compressed, if the client accepts it and the answer is long enough to benefit. */
export function chooseForm(request: FastifyRequest, reply: FastifyReply, length: number): Encoding | undefined {
  if (length < worthwhileBytes || reply.hasHeader('content-encoding')) return undefined
  differByForm(reply)
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (!encoding) return undefined

  const tag = reply.getHeader('etag')
  if (typeof tag === 'string') reply.header('etag', tag.replace(/"$/, `-${encoding}"`))
  reply.header('content-encoding', encoding)
  reply.removeHeader('content-length')
  return encoding
}

/** Adds the header to `Vary`, and does not repeat it if it was added before. */
function differByForm(reply: FastifyReply): void {
  const others = String(reply.getHeader('vary') ?? '').split(', ')
  reply.header('vary', [...new Set([...others, 'accept-encoding'])].filter(Boolean).join(', '))
}

/**
 * Handing a payload to another thread and back costs this one half a millisecond, which is what 40 KB take to compress.
 * Shorter payloads, as most are, are compressed right here in half the time or less.
 */
const longestHereBytes = 64 * 1024

export async function compress(payload: string | Buffer, encoding: Encoding): Promise<Buffer> {
  const isShort = payload.length <= longestHereBytes
  if (encoding === 'gzip') return isShort ? gzipSync(payload, gzipOptions) : gzipAsync(payload, gzipOptions)
  return isShort ? brotliCompressSync(payload, brotliOptions) : brotliAsync(payload, brotliOptions)
}

const gzipOptions = { level: 5 }
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export function chooseEncoding(header: string | undefined): Encoding | undefined {
  const weights = weightsIn(header)
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  if (weight('br') > 0 && weight('br') >= weight('gzip')) return 'br'
  return weight('gzip') > 0 ? 'gzip' : undefined
}
