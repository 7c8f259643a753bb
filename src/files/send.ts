import { Readable, Transform, pipeline } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown, requireTag } from '../http/conditional.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { BlobMissing, type ByteRange, StoreUnavailable } from '../storage/store.ts'
import type { BlobRow } from './blobs.queries.ts'

/** Sends the bytes of a file to somebody who may have them, or the part that was asked for. */
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
  // An empty stream: of anything else Fastify would tell the length.
  const isBare = request.method === 'HEAD' || blob.size === 0
  const length = range ? range.end - range.start + 1 : blob.size
  const bytes = isBare ? Readable.from([]) : toTheEnd(await app.store.get(nameOf(blob), range).catch(asMissing), length)
  // Only now: a refusal must not look like the file, or be kept like it.
  describe(reply, blob, name)
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.size}`)
  reply.header('content-length', length)
  return reply.header('cache-control', cacheControl).send(bytes)
}

/** Where the store has lost the end, the connection is cut: whoever reads would wait, and take the next answer for it. */
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
  // Hands an error on to whoever reads the last one, and ends the first one when they go.
  return pipeline(bytes, counted, () => {})
}

/** Only what cannot run anything is shown in place. All else is handed over, and could do nothing if it were shown. */
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

/** How a header tells the name of a file: as it is, and for those who cannot read that, without its letters. */
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

/** One range, as players and resumed downloads ask for. Several at once get all of it, as HTTP allows; a HEAD has none. */
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
