import { hidden, moment } from '../../account/parts.ts'
import type { ExportRun } from '../../exports/runs/runs.queries.ts'
import type { Place } from '../../front/layout.ts'
import { policyOfPages } from '../../front/policy.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { counted, rows } from '../rows.ts'
import { loadingAnew } from '../under-way.ts'

/** The content policy of a page with such a form. Its script may ask this server for the progress. */
export const policyWhileSending = policyOfPages("'self'", "'self'")

interface SendingParts {
  /** Path of the page that the form is on. */
  path: string
  /** The path that sends the archive. */
  action: string
  form: string
  exports: readonly ExportRun[]
  /** Whether the exports are of several people. If so, their names are shown. */
  areOfMany?: boolean
}

/** The button that sends an archive, and the list of previous ones with their progress. */
export const sendingPart = (place: Place, { path, action, form, exports, areOfMany = false }: SendingParts): Html =>
  html`<form method="post" action="${place.link(action)}" data-sends-file>
      ${hidden({ form })}<button class="btn">Download zip</button>
    </form>
    <div>
      <p class="aside" role="status">
        ${isUnderWay(exports) && 'A download is being prepared. This page shows the progress.'}
      </p>
      <div data-sent="${place.link(path)}">${exports.length > 0 && listOf(exports, areOfMany)}</div>
    </div>`

const isUnderWay = (exports: readonly ExportRun[]) => exports.some(({ status }) => status === 'in-progress')

/** For the head of the page, which reloads itself while an archive is being sent. */
export function whileSending(exports: readonly ExportRun[]): Html | undefined {
  const sent = exports.find(({ status }) => status === 'in-progress')
  return sent && loadingAnew(sent.created_at)
}

const tones = { 'in-progress': 'info', completed: 'success', failed: 'warning' } as const
const words = { 'in-progress': 'under way', completed: 'sent', failed: 'interrupted' } as const

function listOf(exports: readonly ExportRun[], areOfMany: boolean): HtmlValue {
  const items = exports.map(
    ({ status, created_at, files, total_files, creator }) =>
      html`<li>
        <span class="row-main">
          <strong>${moment(created_at)}</strong>
          <span class="row-more"
            >${
              status === 'completed'
                ? counted(files, 'file')
                : `${files} of about ${counted(Math.max(total_files, files), 'file')}`
            }${areOfMany && creator && ` · ${creator.display_name}`}</span
          >
        </span>
        <span class="tag" data-tone="${tones[status]}">${words[status]}</span>
      </li>`,
  )
  return html`<p class="aside work-note">${areOfMany ? 'Downloads of the last seven days:' : 'Your last downloads:'}</p>
    ${rows(items, '')}`
}
