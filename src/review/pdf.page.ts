import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import { whileMaking } from '../workspace/download/pdf.load.ts'
import { type PdfOffer, type PdfOffers, pdfPart } from '../workspace/download/pdf.part.ts'
import { type Around, withinPage } from './within.page.ts'

export const changePdfPage = (place: Place, around: Around, pdfs: PdfOffers): Html =>
  withinPage(
    place,
    around,
    pdfs.page ? `PDF of “${pdfs.page.title}”` : 'PDF',
    html`${pdfs.offers.map(
      (offer) =>
        html`<p class="work-note">${leadOf(offer)}</p>
          ${pdfPart(place, offer, `${around.path}/~/pdf`, around.form)}`,
    )}
    ${pdfs.page && html`<p class="aside"><a href="${place.link(`${around.path}/~/pdf`)}">PDF of all pages</a></p>`}`,
    [],
    whileMaking(pdfs),
  )

function leadOf({ selection: { page, only } }: PdfOffer): string {
  if (page === undefined)
    return 'All pages of the space including this change request, with a cover and a table of contents.'
  return only
    ? 'The page including this change request.'
    : 'The page and those below it, with a cover and a table of contents.'
}
