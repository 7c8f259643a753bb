import { Readable, Transform, pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown, requireTag } from '../http/conditional.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { BlobMissing, type ByteRange, StoreUnavailable } from '../storage/store.ts'
import type { BlobRow } from './blobs.queries.ts'

/** Sends the bytes of a file, or the requested range of them, to a client that is allowed to have them. */
export async function sendBlob(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { blob, name, cacheControl }: { blob: BlobRow; name: string; cacheControl: string },
): Promise<FastifyReply> {
  requireTag(request, () => tagOf(blob))
  if (isKnown(request, tagOf(blob))) {
    describe(reply, blob, name)
    return reply.code(304).header('cache-control', cacheControl).send()
  }

  const range = rangeOf(request, blob)
  // An empty stream, because Fastify would set the content length itself for any other empty body.
  const isBare = request.method === 'HEAD' || blob.size === 0
  const length = range ? range.end - range.start + 1 : blob.size
  const bytes = isBare ? Readable.from([]) : toTheEnd(await app.store.get(nameOf(blob), range).catch(asMissing), length)
  // Set only now: a refusal must not have the headers of the file, nor be cached like it.
  describe(reply, blob, name)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.size}`)
  reply.header('content-length', length)
  return reply.header('cache-control', cacheControl).send(bytes)
}

/**
 * Cuts the connection if the store has lost the end of the file. Otherwise the client would wait for the rest, and take
 * the next response for it.
 */
function toTheEnd(bytes: Readable, length: number): Readable {
  let sent = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length
      done(null, chunk)
    },
    flush(done) {
      done(sent < length ? new StoreUnavailable(`A file has ${sent} of ${length} bytes`) : null)
    },
  })
  // Passes an error on to the reader of the last stream, and ends the first stream if that reader goes away.
  return pipeline(bytes, counted, () => {})
}

/**
 * Only content that cannot run scripts is shown inline. Everything else is sent as a download, and could do nothing
 * even if it were shown.
 */
function describe(reply: FastifyReply, blob: BlobRow, name: string): void {
  const disposition = isShown(blob.content_type) ? 'inline' : 'attachment'
  reply.headers({
    'content-type': typeWithCharset(blob.content_type),
    'content-disposition': `${disposition}; ${namedAs(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'accept-ranges': 'bytes',
    etag: tagOf(blob),
  })
}

/**
 * Formats a file name for a content-disposition header: a plain ASCII version, and the full name for clients that
 * support it.
 */
export const namedAs = (name: string): string => `filename="${asciiName(name)}"; filename*=UTF-8''${encoded(name)}`

const isShown = (contentType: string) =>
  /^(image\/(?!svg)|video\/|audio\/)/.test(contentType) || contentType === 'application/pdf'

const typeWithCharset = (contentType: string) =>
  contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType

const asciiName = (name: string) => name.replace(/[^\x20-\x7e]|["\\%]/g, '_')

const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

const tagOf = ({ hash }: BlobRow) => `"${hash}"`

const nameOf = ({ organization_id: organizationId, hash }: BlobRow) => ({ organizationId, hash })

/**
 * Parses a single range, as players and resumed downloads request it. A request for several ranges gets the whole file,
 * as HTTP allows; a HEAD request has none.
 */
function rangeOf(request: FastifyRequest, blob: BlobRow): ByteRange | undefined {
  if (request.method === 'HEAD') return undefined
  const { range: asked, 'if-range': condition } = request.headers
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(asked ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (condition !== undefined && condition !== tagOf(blob)) return undefined

  const { size } = blob
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  if (start < size && start <= end) return { start, end }
  throw new ApiError('range_not_satisfiable', 'The range starts beyond the end of the file.', {
    headers: { 'content-range': `bytes */${size}` },
  })
}

function asMissing(error: unknown): never {
  throw error instanceof BlobMissing ? notFound('file') : error
}
