import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf } from '../../account/forms.ts'
import type { Html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import type { Content } from '../../pages/access.ts'
import { askerOf } from '../../pdf/send.ts'
import type { Selection } from '../../pdf/space-book.ts'
import { addressOfPdf, findPrintable, orderSpaceBook, wholeSpace } from '../../pdf/space-pdf.ts'
import { loadingAnew } from '../under-way.ts'
import type { PdfOffer, PdfOffers } from './pdf.part.ts'

/** Returns which pages an address or a form selects: those of one page, by its id, or all. */
const selectionIn = ({ page, only }: Record<string, unknown>): Selection =>
  typeof page !== 'string' || page === '' ? wholeSpace : { page, only: only === 'true' }

/** Returns which selection the user has just asked for, according to the address of the page. */
const wantedIn = ({ done, ...query }: Record<string, unknown>): Selection | undefined =>
  done === 'pdf' ? selectionIn(query) : undefined

/**
 * The PDF files of some content, or of a page of it, and their state on this node. Every node keeps only the files that
 * it made. So a user who has asked for a PDF always gets the link to it, which makes it if this node does not have it.
 */
export async function loadPdfs(app: App, request: FastifyRequest, content: Content): Promise<PdfOffers> {
  const query = request.query as Record<string, unknown>
  const { page } = selectionIn(query)
  const wanted = wantedIn(query)
  const load = async (selection: Selection): Promise<PdfOffer> => {
    const [address, order] = await Promise.all([
      addressOfPdf(app, content, selection),
      orderSpaceBook(app, content, selection),
    ])
    const made = await app.pdfs.look(order)
    const isWanted = wanted?.page === selection.page && wanted?.only === selection.only
    return { selection, address, isWanted, made }
  }
  if (page === undefined) return { page: undefined, offers: [await load(wholeSpace)] }
  const { title, path, hasMore } = await findPrintable(app, content, page)
  const selections = [{ page, only: true }, ...(hasMore ? [{ page, only: false }] : [])]
  return { page: { title, path }, offers: await Promise.all(selections.map(load)) }
}

/** Starts making the PDF that the form asks for, on this node, and returns the query that the page is reloaded with. */
export async function beginPdf(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Promise<Record<string, string | undefined>> {
  const selection = selectionIn(fieldsOf(request))
  if (selection.page !== undefined) await findPrintable(app, content, selection.page)
  await app.pdfs.start(await orderSpaceBook(app, content, selection), askerOf(app, request, reply))
  return { done: 'pdf', page: selection.page, only: selection.only ? 'true' : undefined }
}

/** For the head of a page, which reloads itself while a PDF is being made. */
export function whileMaking({ offers }: PdfOffers): Html | undefined {
  for (const { made } of offers) if (typeof made !== 'string') return loadingAnew(made.begunAt)
  return undefined
}
