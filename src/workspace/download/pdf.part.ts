import { buttonForm } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { Making } from '../../pdf/pdfs.ts'
import { stageOf } from '../../pdf/present.ts'
import type { Selection } from '../../pdf/space-book.ts'

/** A PDF that can be downloaded, and its state. */
export interface PdfOffer {
  selection: Selection
  /** Whether the current user has asked for it. */
  isWanted: boolean
  made: 'ready' | 'absent' | 'failed' | Making
  /** The URL to fetch it from, which makes it if necessary. */
  address: string
}

/** The PDF of all pages; or the PDF of one page alone, and with the pages below it if there are any. */
export interface PdfOffers {
  /** `path` is relative to the path of the content. */
  page: { title: string; path: string } | undefined
  offers: PdfOffer[]
}

/** The name of each of them. */
export function nameOfOffer({ selection: { page, only } }: PdfOffer): string {
  if (page === undefined) return 'PDF'
  return only ? 'PDF of this page' : 'PDF with the pages below it'
}

/**
 * The state of a PDF, with a button to make it or a link to it. `action` is the path of the form that starts making it.
 */
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
  // Asked for but not on this node: another node may have made it.
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
