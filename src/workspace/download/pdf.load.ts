import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../http/errors.ts'
import type { Html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import type { Content } from '../../pages/access.ts'
import { addressOfPdf, orderSpaceBook, wholeSpace } from '../../pdf/space-pdf.ts'
import { loadingAnew } from '../under-way.ts'
import type { PdfState } from './pdf.part.ts'

/** What the address of a page says once somebody has pressed the button. */
export const isWanted = ({ query }: FastifyRequest): boolean => (query as { done?: unknown }).done === 'pdf'

/**
 * How far the PDF of all of it is. Where somebody wants it, it is begun, on this node: another one may have begun it and
 * keeps it for itself.
 */
export async function loadPdf(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<PdfState> {
  const [address, order] = await Promise.all([
    addressOfPdf(app, content, wholeSpace),
    orderSpaceBook(app, content, wholeSpace),
  ])
  if (!isWanted(request)) return { address, made: await app.pdfs.look(order) }
  try {
    const made = await app.pdfs.begin(order, () => app.limit?.count(request, reply))
    return { address, made: 'stage' in made ? made : 'ready' }
  } catch (error) {
    if (error instanceof ApiError) throw error
    request.log.error(error)
    return { address, made: 'failed' }
  }
}

/** For the head of a page: it loads itself anew while it is made. */
export const whileMaking = ({ made }: PdfState): Html | undefined =>
  typeof made === 'string' ? undefined : loadingAnew(made.begunAt)
