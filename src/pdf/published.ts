import type { FastifyReply, FastifyRequest } from 'fastify'
import { readError } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import type { Given } from '../http/given.ts'
import { cacheControl } from '../published/sending/headers.ts'
import { type Notice, showNotice } from '../published/notices/notices.ts'
import type { Asking } from '../published/below.ts'
import { languageAt } from '../published/site-title.ts'
import { fileName } from './address.ts'
import { offersPdf } from './offer.ts'
import { CannotBePrinted, type Making } from './pdfs.ts'
import { stageOf } from './present.ts'
import { sendBook } from './send.ts'
import { orderSiteBook } from './site-book.ts'

/**
 * Answers `<variant>/~/pdf`: a whole variant; with `?page=` a page and those below it, with `&only=true` that page
 * alone; with `?all=true` the whole site. Contains only what this visitor may read. Also answered below `~gitbook`,
 * which older links use.
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
  const language = languageAt(snapshot, resolution.place)
  const sending = {
    name: fileName(order.title),
    cacheControl: cacheControl(way.manner),
    show: (making: Making) => showNotice(reply, beingMade(making), language),
  }
  try {
    await sendBook(app, request, reply, order, sending)
  } catch (error) {
    if (!(error instanceof CannotBePrinted)) throw error
    readError(error, request)
    const beginning = asked.segments.slice(0, -2).map(encodeURIComponent).join('/')
    showNotice(reply, notMade(way.base + beginning), language)
  }
  return { reply }
}

const beingMade =
  (making: Making): Notice =>
  (words) => ({
    status: 202,
    title: words.pdfMaking,
    text: `${stageOf(making, words)} ${words.pdfOpens}`,
    reloadsIn: 2,
  })

const notMade =
  (href: string): Notice =>
  (words) => ({
    status: 500,
    title: words.pdfFailed,
    text: words.pdfFailedText,
    link: { href, label: words.backToPages },
  })
