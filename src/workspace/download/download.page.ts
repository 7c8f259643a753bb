import { section } from '../../account/parts.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { ExportRun } from '../../exports/runs/runs.queries.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { frame } from '../frame.ts'
import type { Said } from '../said.ts'
import { wayToSpace } from '../spaces/way-to-space.ts'
import { saidOn } from '../top.ts'
import { whileMaking } from './pdf.load.ts'
import { type PdfOffer, type PdfOffers, nameOfOffer, pdfPart } from './pdf.part.ts'
import { sendingPart, whileSending } from './sent.part.ts'

interface DownloadParts extends Said {
  organization: OrganizationRow
  space: SpaceRow
  path: string
  form: string
  /** Undefined if loading them failed. */
  pdfs: PdfOffers | undefined
  /**
   * The exports of the current user. Undefined if they may not export the space, or if the page is about a single page.
   */
  exports: ExportRun[] | undefined
}

/**
 * The page to download a space, or a page of it: as a PDF for everybody who may read it, and as a whole for those who
 * may export it.
 */
export function downloadPage(place: Place, parts: DownloadParts): Html {
  const { space, path, form, pdfs, exports } = parts
  const title = pdfs?.page ? `Download “${pdfs.page.title}”` : 'Download'
  return frame(
    place,
    `${title} · ${space.title}`,
    html`${wayToSpace(
        place,
        parts,
        pdfs?.page && html` › <a href="${place.link(`${path}/${encodeURI(pdfs.page.path)}`)}">${pdfs.page.title}</a>`,
      )}
      <h1>${title}</h1>
      ${saidOn(parts)} ${pdfs?.offers.map((offer) => pdfSection(place, parts, offer))}
      ${
        exports &&
        section(
          'zip',
          'Markdown and files',
          'A zip file of the main content: pages as Markdown, files, comments and settings. Any tool can open it, and “lectern import” restores it.',
          sendingPart(place, { path: `${path}/~/download`, action: `${path}/~/export`, form, exports }),
        )
      }`,
    [],
    (pdfs && whileMaking(pdfs)) ?? whileSending(exports ?? []),
  )
}

const pdfSection = (place: Place, { path, form }: DownloadParts, offer: PdfOffer): HtmlValue =>
  section(
    offer.selection.only ? 'pdf-page' : 'pdf',
    nameOfOffer(offer),
    leadOf(offer),
    pdfPart(place, offer, `${path}/~/pdf`, form),
  )

function leadOf({ selection: { page, only } }: PdfOffer): string {
  if (page === undefined) return 'All pages as they are now, with a cover and a table of contents.'
  return only ? 'The page as it is now.' : 'All of them as they are now, with a cover and a table of contents.'
}
