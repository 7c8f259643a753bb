import { buttonForm, hidden } from '../../account/parts.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { ImportRun } from '../../imports/runs/queries.ts'
import { sizeInWords } from '../../size-in-words.ts'
import { frame } from '../frame.ts'
import { leftOut } from '../left-out.page.ts'
import type { Said } from '../said.ts'
import { wayToSpace } from '../spaces/way-to-space.ts'
import { saidOn } from '../top.ts'
import { loadingAnew } from '../under-way.ts'
import type { FormLimits } from '../form-files.ts'

interface ImportParts extends Said {
  /** Path of the space. */
  path: string
  organization: OrganizationRow
  space: SpaceRow
  form: string
  /** Whether the user may also import directly into the main content. */
  mayMain: boolean
  most: FormLimits
  /** What the user typed before it was refused. */
  address?: string
}

/** The page to import files and websites as pages of a space. */
export function importPage(place: Place, parts: ImportParts): Html {
  const { path, space, form, most, address } = parts
  return frame(
    place,
    `Import · ${space.title}`,
    html`${wayToSpace(place, parts)}
      <h1>Import pages</h1>
      ${saidOn(parts)}
      <p class="work-note">Imported pages are added after the existing ones. Nothing is replaced.</p>
      <section aria-label="From files">
        <h2>From files</h2>
        <form
          method="post"
          action="${place.link(`${path}/~/imports/files`)}"
          enctype="multipart/form-data"
          class="fields review-place"
        >
          ${hidden({ form })} ${destination(parts)}
          <label class="field">
            <span
              >Markdown, HTML, Word (.docx), or a zip of them: at most ${most.files}, together
              ${sizeInWords(most.bytes)}</span
            >
            <input type="file" name="files" accept=".md,.mdx,.markdown,.txt,.html,.htm,.docx,.zip" multiple required />
          </label>
          <p class="aside">
            This includes exports of Notion and Confluence, and projects of Docusaurus, MkDocs, VitePress, Hugo, Jekyll,
            Mintlify and others.
          </p>
          <div class="review-buttons"><button class="btn primary">Import files</button></div>
        </form>
      </section>
      <section aria-label="From a website">
        <h2>From a website</h2>
        <form method="post" action="${place.link(`${path}/~/imports/website`)}" class="fields review-place">
          ${hidden({ form })} ${destination(parts)}
          <label class="field">
            <span>Address: all pages there and below are imported</span>
            <input
              name="address"
              type="url"
              value="${address ?? ''}"
              maxlength="2048"
              placeholder="https://"
              required
            />
          </label>
          <div class="review-buttons"><button class="btn">Import website</button></div>
        </form>
      </section>`,
  )
}

const destination = ({ mayMain }: ImportParts): HtmlValue =>
  mayMain &&
  html`<label class="field">
    <span>Import into</span>
    <select name="into">
      <option value="change">A new change request, to review it first</option>
      <option value="main">The main content, directly</option>
    </select>
  </label>`

interface RunParts extends Said {
  path: string
  organization: OrganizationRow
  space: SpaceRow
  run: ImportRun
  /** Path of the change request that it goes into. */
  changePath: string | undefined
  form: string
  mayCancel: boolean
}

const tones = {
  pending: 'info',
  'in-progress': 'info',
  completed: 'success',
  failed: 'danger',
  cancelled: 'warning',
} as const

const words = {
  pending: 'waiting',
  'in-progress': 'under way',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
} as const

const isUnderWay = ({ status }: Pick<ImportRun, 'status'>) => status === 'pending' || status === 'in-progress'

/** The page of an import: its progress and its result. Reloads itself while the import is under way. */
export function importRunPage(place: Place, parts: RunParts): Html {
  const { path, space, run, form } = parts
  return frame(
    place,
    `Import · ${space.title}`,
    html`${wayToSpace(place, parts)}
      <h1>Import</h1>
      ${saidOn(parts)}
      <p class="review-standing"><span class="tag" data-tone="${tones[run.status]}">${words[run.status]}</span></p>
      ${outcome(place, parts)}
      ${
        isUnderWay(run) &&
        parts.mayCancel &&
        buttonForm(place, { action: `${path}/~/imports/${run.id}/cancel`, fields: { form }, label: 'Cancel' })
      }
      ${run.skipped.length > 0 && leftOut(run.skipped)}`,
    [],
    isUnderWay(run) ? loadingAnew(run.created_at) : undefined,
  )
}

function readSoFar({ found, done }: RunParts['run']): string {
  if (found === 0) return 'Looking for the first pages.'
  return done < found
    ? `${done} of ${found} pages read.`
    : 'All pages have been read. Now their files are fetched, and then everything is written.'
}

function outcome(place: Place, { path, run, changePath }: RunParts): Html {
  if (isUnderWay(run))
    return html`<p class="work-note" role="status">
      ${readSoFar(run)} You may leave this page: it goes on as long as you are signed in.
    </p>`
  if (run.status === 'cancelled') return html`<p>Nothing was changed.${leftEmpty(place, changePath)}</p>`
  if (run.status === 'failed')
    return html`<p>${run.reason ?? 'Something went wrong.'} Nothing was changed.${leftEmpty(place, changePath)}</p>
      <p><a class="btn" href="${place.link(`${path}/~/import`)}">Try again</a></p>`
  const many = run.imported === 1 ? 'One page has' : `${run.imported} pages have`
  return html`<p class="work-note">
      ${many} come${changePath === undefined ? '.' : ', into a change request: review it, then merge it.'}
    </p>
    <p>
      <a class="btn primary" href="${place.link(changePath ?? path)}"
        >${changePath === undefined ? 'To the space' : 'To the change request'}</a
      >
    </p>`
}

/** The change request was created together with the import. */
const leftEmpty = (place: Place, changePath: string | undefined): HtmlValue =>
  changePath !== undefined &&
  html` Nothing came into <a href="${place.link(changePath)}">its change request</a>: archive it if you do not need it.`
