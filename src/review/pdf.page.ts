import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import { whileMaking } from '../workspace/download/pdf.load.ts'
import { type PdfState, pdfPart } from '../workspace/download/pdf.part.ts'
import { type Around, withinPage } from './within.page.ts'

export const changePdfPage = (place: Place, around: Around, pdf: PdfState): Html =>
  withinPage(
    place,
    around,
    'PDF',
    html`<p class="work-note">
        All pages of the space as they are with this change request, with a cover and contents.
      </p>
      ${pdfPart(place, pdf, `${around.path}/~/pdf`, around.form)}`,
    [],
    whileMaking(pdf),
  )
