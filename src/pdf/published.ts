import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/routes.ts'
import type { Given } from '../http/given.ts'
import { cacheControl } from '../published/sending/headers.ts'
import type { Asking } from '../published/below.ts'
import { fileName } from './address.ts'
import { offersPdf } from './offer.ts'
import { sendBook } from './send.ts'
import { orderSiteBook } from './site-book.ts'

/**
 * `<variant>/~/pdf`: all of a variant; `?page=` a page and those below it, with `&only=true` that page alone;
 * `?all=true` the whole site. Only what this visitor may read is in it. Below `~gitbook`, as links from before say it, it is
 * the same.
 */
export async function answerPdf(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { snapshot, visitor, asked, query, way }: Asking,
): Promise<Given | undefined> {
  const segments = [...asked.segments.slice(0, -2), '~', 'pdf']
  const resolution = await app.audience.resolve(snapshot, visitor, { ...asked, segments })
  if (resolution.kind !== 'below' || !offersPdf(snapshot, resolution.place)) return undefined
  const page = query.get('page') ?? undefined
  const only = page !== undefined && ['true', 'yes'].includes(query.get('only') ?? '')
  const isAll = page === undefined && query.get('all') === 'true'
  const place = isAll ? undefined : resolution.place
  const order = await orderSiteBook(app, { snapshot, visitor, place, page, only })
  if (!order) return undefined
  if (way.manner.isShared) reply.header('vary', 'cookie')
  if (!way.manner.isIndexed) reply.header('x-robots-tag', 'noindex')
  const name = fileName(order.title)
  await sendBook(app, request, reply, order, { name, cacheControl: cacheControl(way.manner) })
  return { reply }
}
