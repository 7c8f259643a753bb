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

/** Which pages an address or a form is about: those of a page, by its id, or all. */
const selectionIn = ({ page, only }: Record<string, unknown>): Selection =>
  typeof page !== 'string' || page === '' ? wholeSpace : { page, only: only === 'true' }

/** What the address of a page says once somebody has pressed the button. */
const wantedIn = ({ done, ...query }: Record<string, unknown>): Selection | undefined =>
  done === 'pdf' ? selectionIn(query) : undefined

/**
 * The PDF files of some content, or of a page of it, and how far each is on this node. Another one keeps what it made for
 * itself: so whoever has asked is shown the way to it in any case, which makes it where it is not there.
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

/** Begins what the form asks for, on this node, and answers what the address of the page says of that. */
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

/** For the head of a page: it loads itself anew while something is made. */
export function whileMaking({ offers }: PdfOffers): Html | undefined {
  for (const { made } of offers) if (typeof made !== 'string') return loadingAnew(made.begunAt)
  return undefined
}
