import { buttonForm } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { Making } from '../../pdf/pdfs.ts'
import { stageOf } from '../../pdf/present.ts'
import type { Selection } from '../../pdf/space-book.ts'

/** How far a PDF is. */
export interface PdfOffer {
  selection: Selection
  /** Whether whoever looks has asked for it. */
  isWanted: boolean
  made: 'ready' | 'absent' | 'failed' | Making
  /** Where it is fetched, which makes it where it is not there. */
  address: string
}

/** Of all pages; or of one, alone, and with those below it where there are any. */
export interface PdfOffers {
  /** `path`: below that of the content. */
  page: { title: string; path: string } | undefined
  offers: PdfOffer[]
}

/** What each of them is called. */
export function nameOfOffer({ selection: { page, only } }: PdfOffer): string {
  if (page === undefined) return 'PDF'
  return only ? 'PDF of this page' : 'PDF with the pages below it'
}

/** Where it is made, with how far that is, and the way to it. `action`: what begins to make it. */
export function pdfPart(place: Place, offer: PdfOffer, action: string, form: string): Html {
  const { made, address, selection, isWanted } = offer
  const { page, only } = selection
  const fields = { form, page, ...(only && { only: 'true' }) }
  const name = page === undefined ? undefined : `: ${nameOfOffer(offer)}`
  const making = (label: string) =>
    buttonForm(place, { action, fields, label, ...(name !== undefined && { name: label + name }) })
  const more = html`${name !== undefined && html`aria-label="Open the PDF${name}"`} ${isWanted && 'autofocus'}`
  const open = html`<p><a class="btn primary" href="${address}" ${more}>Open the PDF</a></p>`
  if (made === 'ready') return open
  // Asked for, and not here: another node may have made it.
  if (made === 'absent' && isWanted)
    return html`${open}
      <p class="aside">It is created while you wait. With many pages this may take a minute.</p>`
  if (made === 'absent') return making('Create PDF')
  if (made === 'failed')
    return html`<p class="work-note">The PDF could not be created.</p>
      ${making('Try again')}`
  return html`<p class="work-note" role="status">
    ${stageOf(made)} This page shows the progress, and the PDF when it is ready.
  </p>`
}
