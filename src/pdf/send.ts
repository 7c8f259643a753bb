import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namedAs } from '../files/send.ts'
import { isKnown } from '../http/conditional.ts'
import { networkOf } from '../http/network.ts'
import { type App, maybeCaller } from '../http/routes.ts'
import type { Asker, BookOrder, Making, PdfFile } from './pdfs.ts'
import { presentMaking } from './present.ts'

interface Sending {
  name: string
  cacheControl: string
  /** For people who wait longer than for a moment: how far it is. */
  show?: (making: Making) => FastifyReply
}

/**
 * Sends a file, made now where it is not there yet. Who prefers not to wait for that gets 202, and how far it is; people with
 * a browser are shown that, where there is something to show it.
 */
export async function sendBook(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  order: BookOrder,
  sending: Sending,
): Promise<FastifyReply> {
  const asker = askerOf(app, request, reply)
  const { show } = sending
  if (show && isOpened(request) && !prefersNotToWait(request)) {
    const pdf = await app.pdfs.soon(order, asker)
    return 'stage' in pdf ? show(pdf) : sendPdf(request, reply, pdf, sending)
  }
  const pdf = prefersNotToWait(request) ? await app.pdfs.begin(order, asker) : await app.pdfs.get(order, asker)
  if (!('stage' in pdf)) return sendPdf(request, reply, pdf, sending)
  reply.code(202).headers({ 'preference-applied': 'respond-async', 'retry-after': '1', 'cache-control': 'no-store' })
  return reply.send(presentMaking(pdf))
}

/** Whoever makes a request, told apart as where requests are counted. */
export const askerOf = (app: App, request: FastifyRequest, reply: FastifyReply): Asker => ({
  who: maybeCaller(request)?.token.id ?? networkOf(request.ip),
  beforeMaking: () => app.limit?.count(request, reply),
})

/** RFC 7240. */
const prefersNotToWait = ({ headers }: FastifyRequest) =>
  [headers['prefer'] ?? []].flat().some((each) => /(^|[,\s])respond-async\s*($|[,;])/i.test(each))

/** By somebody who followed a link, and neither by a program nor to be saved, or shown within another page. */
const isOpened = ({ method, headers }: FastifyRequest) => method === 'GET' && headers['sec-fetch-dest'] === 'document'

/** A finished file, to be shown in place. */
async function sendPdf(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, tag }: PdfFile,
  { name, cacheControl }: Sending,
): Promise<FastifyReply> {
  const { size } = await stat(path)
  const etag = `"${tag.slice(0, 32)}"`
  reply.headers({
    'content-type': 'application/pdf',
    'content-disposition': `inline; ${namedAs(name)}`,
    'content-security-policy': "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'",
    'referrer-policy': 'no-referrer',
    'cache-control': cacheControl,
    etag,
  })
  if (isKnown(request, etag)) return reply.code(304).send()
  reply.header('content-length', size)
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : createReadStream(path))
}
