import { buttonForm } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { Making } from '../../pdf/pdfs.ts'
import { counted } from '../rows.ts'

/** How far the PDF of some content is. */
export interface PdfState {
  made: 'ready' | 'absent' | 'failed' | Making
  /** Where it is fetched, which makes it where it is not there. */
  address: string
}

/** Where it is made, with how far that is, and the way to it. `action`: what begins to make it. */
export function pdfPart(place: Place, { made, address }: PdfState, action: string, form: string): Html {
  const making = (label: string) => buttonForm(place, { action, fields: { form }, label })
  if (made === 'ready') return html`<p><a class="btn primary" href="${address}">Open the PDF</a></p>`
  if (made === 'absent') return making('Make the PDF')
  if (made === 'failed')
    return html`<p class="work-note">It could not be made.</p>
      ${making('Try once more')}`
  return html`<p class="work-note" role="status">
    ${stageOf(made)} This page shows how far it is, and offers it when it is there.
  </p>`
}

function stageOf({ stage, pages, totalPages }: Making): string {
  if (stage === 'waiting') return 'All pages are read. Others are printed first.'
  if (stage === 'typesetting') return 'All pages are read, and are being set.'
  return totalPages === undefined ? 'Its pages are looked for.' : `${pages} of ${counted(totalPages, 'page')} are read.`
}
