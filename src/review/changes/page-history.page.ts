import { buttonForm } from '../../account/parts.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { LoadedChanges } from '../../pages/changes.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { RevisionWithCounts } from '../../pages/queries.ts'
import { frame } from '../../workspace/frame.ts'
import { wayToSpace } from '../../workspace/spaces/way-to-space.ts'
import { saidOn } from '../../workspace/top.ts'
import { changesShown } from './changes.page.ts'
import type { FreshTexts } from './fresh-texts.ts'
import {
  type Listed,
  type OfSpace,
  byAndWhen,
  compareAnother,
  requestOf,
  revisionsListed,
  titleOf,
  whereRead,
} from './history.page.ts'

export interface OfPage extends OfSpace {
  page: Entry
}

export const historyOf = ({ path, page }: OfPage) => `${path}/~/pages/${page.entry}/history`

interface HistoryParts extends OfPage, Listed {
  /** The address where the page is read. Undefined if it is deleted. */
  at: string | undefined
}

/** Shows the history of one page of the main content, the newest first. */
export function pageHistoryPage(place: Place, parts: HistoryParts): Html {
  const { space, page, at } = parts
  const { title } = pageData(page)
  const now = at !== undefined && html` › <a href="${place.link(at)}">${title}</a>`
  return frame(
    place,
    `History of ${title} · ${space.title}`,
    html`${wayToSpace(place, parts, now)}
      <h1>History of “${title}”</h1>
      ${revisionsListed(place, 'Changes to this page', historyOf(parts), parts, byAndWhen)}`,
  )
}

/**
 * The revision from which a page is restored: the one that is shown, or the one before it. Undefined if there is
 * nothing to restore.
 */
export type Back = { to: string; isFormer: boolean } | undefined

interface VersionParts extends OfPage {
  revision: RevisionWithCounts
  changes: LoadedChanges
  fresh: FreshTexts
  back: Back
  form: string
}

/** Shows what one revision changed about the page, and how to restore the page as it was then. */
export function pageVersionPage(place: Place, parts: VersionParts): Html {
  const { space, path, page, revision, changes, fresh } = parts
  const { title } = pageData(page)
  const all = html` › <a href="${place.link(historyOf(parts))}">History of “${title}”</a>`
  return frame(
    place,
    `${titleOf(revision)} · ${title} · ${space.title}`,
    html`${wayToSpace(place, parts, all)}
      <h1>${titleOf(revision)}</h1>
      <p class="review-standing">
        ${byAndWhen(revision)}${requestOf(place, parts)} ·
        <a href="${place.link(`${path}/~/history/${revision.id}`)}">All changes of this revision</a> ·
        ${compareAnother(place, historyOf(parts), revision)}
      </p>
      ${saidOn(parts)} ${restoring(place, parts)}
      <section aria-label="Changes" class="review-changes" id="changes">
        ${changes.changes.length === 0 && html`<p class="none">It changed nothing visible.</p>`}
        ${changesShown(place, changes, fresh, `${historyOf(parts)}/${revision.id}`, whereRead(place, path, revision))}
      </section>`,
  )
}

function restoring(place: Place, parts: VersionParts): HtmlValue {
  if (!parts.back) return undefined
  return html`<div class="review-tools">
    ${buttonForm(place, {
      action: `${historyOf(parts)}/${parts.revision.id}/restore`,
      fields: { form: parts.form },
      label: `Restore the page as it was ${parts.back.isFormer ? 'before' : 'then'}`,
    })}
  </div>`
}
