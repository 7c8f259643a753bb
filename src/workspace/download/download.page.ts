import { buttonForm, moment, section } from '../../account/parts.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { ExportRun } from '../../exports/runs.queries.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { frame } from '../frame.ts'
import { counted, rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { nameOfSpace } from '../spaces/space-name.ts'
import { saidOn } from '../top.ts'
import { loadingAnew } from '../under-way.ts'
import { whileMaking } from './pdf.load.ts'
import { type PdfState, pdfPart } from './pdf.part.ts'

interface DownloadParts extends Said {
  space: SpaceRow
  path: string
  form: string
  /** Undefined where it could not be looked for. */
  pdf: PdfState | undefined
  /** Those of whoever looks; undefined where they may not export it. */
  exports: ExportRun[] | undefined
}

/** A space to take along: as a PDF for all who may read it, and whole for those who may export it. */
export function downloadPage(place: Place, parts: DownloadParts): Html {
  const { space, path, form, pdf, exports } = parts
  return frame(
    place,
    `Download · ${space.title}`,
    html`<p class="review-space"><a href="${place.link(path)}">${nameOfSpace(space)}</a></p>
      <h1>Download</h1>
      ${saidOn(parts)}
      ${
        pdf &&
        section(
          'pdf',
          'PDF',
          'All of its pages as they are now, with a cover and contents, to be read and printed.',
          pdfPart(place, pdf, `${path}/~/pdf`, form),
        )
      }
      ${
        exports &&
        section(
          'zip',
          'Markdown and files',
          'A zip of its main content: pages as Markdown, files, comments and settings. Any tool opens it, and “lectern import” brings it back.',
          html`${buttonForm(place, { action: `${path}/~/export`, fields: { form }, label: 'Download the zip' })}
          ${exported(exports)}`,
        )
      }`,
    [],
    refreshing(parts),
  )
}

const refreshing = ({ pdf, exports = [] }: DownloadParts): Html | undefined => {
  const sent = exports.find(({ status }) => status === 'in-progress')
  return (pdf && whileMaking(pdf)) ?? (sent && loadingAnew(sent.created_at))
}

const tones = { 'in-progress': 'info', completed: 'success', failed: 'warning' } as const
const words = { 'in-progress': 'under way', completed: 'sent', failed: 'broken off' } as const

function exported(exports: readonly ExportRun[]): HtmlValue {
  if (exports.length === 0) return undefined
  const items = exports.map(
    ({ status, created_at, files, total_files }) =>
      html`<li>
        <span class="row-main">
          <strong>${moment(created_at)}</strong>
          <span class="row-more"
            >${
              status === 'completed'
                ? counted(files, 'file')
                : `${files} of about ${counted(Math.max(total_files, files), 'file')}`
            }</span
          >
        </span>
        <span class="tag" data-tone="${tones[status]}">${words[status]}</span>
      </li>`,
  )
  return html`<p class="aside">Your last downloads:</p>
    ${rows(items, '')}`
}
