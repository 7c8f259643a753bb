import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PdfFile } from './pdfs.ts'

/** Sends a finished file, to be shown in place. */
export async function sendPdf(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, tag }: PdfFile,
  { name, cacheControl }: { name: string; cacheControl: string },
): Promise<FastifyReply> {
  const etag = `"${tag.slice(0, 32)}"`
  reply.headers({
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    'content-security-policy': "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
    'cache-control': cacheControl,
    etag,
  })
  const asked = request.headers['if-none-match']?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (asked?.some((each) => each === '*' || each === etag)) return reply.code(304).send()
  const { size } = await stat(path)
  reply.header('content-length', size)
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : createReadStream(path))
}
