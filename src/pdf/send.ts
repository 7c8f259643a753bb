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
  /** Shows the progress to people who have waited for more than a moment. */
  show?: (making: Making) => FastifyReply
}

/**
 * Sends a file, which is made first if it does not exist. Clients that prefer not to wait get 202 and the progress;
 * people with a browser see the progress, if `show` is given.
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

/** The client that makes a request, identified in the same way as for counting requests. */
export const askerOf = (app: App, request: FastifyRequest, reply: FastifyReply): Asker => ({
  who: maybeCaller(request)?.token.id ?? networkOf(request.ip),
  beforeMaking: () => app.limit?.count(request, reply),
})

/** RFC 7240. */
const prefersNotToWait = ({ headers }: FastifyRequest) =>
  [headers['prefer'] ?? []].flat().some((each) => /(^|[,\s])respond-async\s*($|[,;])/i.test(each))

/** Whether a person opened it by following a link: not a program, not to save it, and not within another page. */
const isOpened = ({ method, headers }: FastifyRequest) => method === 'GET' && headers['sec-fetch-dest'] === 'document'

/** Sends a finished file, to be shown inline. */
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
