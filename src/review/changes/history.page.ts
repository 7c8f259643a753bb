import { pathWith } from '../../account/answer.ts'
import { buttonForm, moment } from '../../account/parts.ts'
import { subjectOf } from '../../change-requests/subject.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { LoadedChanges } from '../../pages/changes.ts'
import type { RevisionWithCounts } from '../../pages/queries.ts'
import { frame } from '../../workspace/frame.ts'
import { type Part, partLinks } from '../../workspace/paging.ts'
import { counted } from '../../workspace/rows.ts'
import type { Said } from '../../workspace/said.ts'
import { wayToSpace } from '../../workspace/spaces/way-to-space.ts'
import { saidOn } from '../../workspace/top.ts'
import { type WhereChanged, changesShown } from './changes.page.ts'
import type { FreshTexts } from './fresh-texts.ts'

export interface OfSpace extends Said {
  organization: OrganizationRow
  space: SpaceRow
  /** The path of the space. */
  path: string
}

/** Shows the history of the main content of a space: who changed what, the newest first. */
export function historyPage(place: Place, parts: OfSpace & Listed): Html {
  const { space, path } = parts
  return frame(
    place,
    `History · ${space.title}`,
    html`${wayToSpace(place, parts)}
      <h1>History</h1>
      ${revisionsListed(place, 'Changes to the main content', `${path}/~/history`, parts, (row) => html`${byAndWhen(row)} · ${countsOf(row)}`)}`,
  )
}

/** Some revisions, and the one that was chosen for comparison, if any. */
export interface Listed {
  revisions: Part<RevisionWithCounts>
  chosen: RevisionWithCounts | undefined
}

/** Lists revisions. Each links to its changes, below `path`. */
export const revisionsListed = (
  place: Place,
  name: string,
  path: string,
  { revisions, chosen }: Listed,
  more: (row: RevisionWithCounts) => Html,
): Html =>
  html`${chosen && choosing(place, path, chosen)}
    <section aria-label="${name}" class="review-closed">
      <ul class="rows" role="list">
        ${revisions.rows.map(
          (row) =>
            html`<li>
              <span class="row-main">
                <a href="${place.link(`${path}/${row.id}`)}"><strong>${titleOf(row)}</strong></a>
                <span class="row-more">${more(row)}</span>
              </span>
              ${revisions.count > 1 && comparing(place, path, row, chosen)}
            </li>`,
        )}
      </ul>
      ${partLinks(place, revisions)}
    </section>`

/** One revision is chosen first, then the other, in any order. */
function comparing(place: Place, path: string, row: RevisionWithCounts, chosen: RevisionWithCounts | undefined): Html {
  if (row.id === chosen?.id) return html`<span class="tag" data-tone="info">chosen</span>`
  const [href, label] = chosen
    ? [pathOfBoth(path, [chosen, row]), 'Compare with this one']
    : [pathWith(path, { with: row.id }), 'Compare']
  const name = `${label}: ${titleOf(row)}, ${row.created_at.toISOString().slice(0, 16).replace('T', ' ')}`
  return html`<a class="btn quiet" href="${place.link(href)}" aria-label="${name}">${label}</a>`
}

const choosing = (place: Place, path: string, chosen: RevisionWithCounts): Html =>
  html`<p class="say" data-tone="info">
    Choose what to compare with “${titleOf(chosen)}”, ${byAndWhen(chosen)}.
    <a href="${place.link(path)}">Choose none</a>
  </p>`

export const compareAnother = (place: Place, path: string, { id }: RevisionWithCounts): Html =>
  html`<a href="${place.link(pathWith(path, { with: id }))}">Compare with another revision</a>`

/** The changes are always shown from the older to the newer one, whichever was chosen first. */
export const pathOfBoth = (path: string, both: readonly [RevisionWithCounts, RevisionWithCounts]): string => {
  const [older, newer] = inOrder(both)
  return `${path}/${newer.id}/since/${older.id}`
}

export const inOrder = ([one, other]: readonly [RevisionWithCounts, RevisionWithCounts]) =>
  one.seq <= other.seq ? ([one, other] as const) : ([other, one] as const)

export interface RevisionParts extends OfSpace {
  revision: RevisionWithCounts
  changes: LoadedChanges
  fresh: FreshTexts
  openFile: (file: Entry) => string
  mayRevert: boolean
  form: string
}

/** Shows one change of the main content, and how to undo it. */
export function revisionPage(place: Place, parts: RevisionParts): Html {
  const { space, path, revision, changes, fresh } = parts
  const title = titleOf(revision)
  return frame(
    place,
    `${title} · ${space.title}`,
    html`${wayToSpace(place, parts, html` › <a href="${place.link(`${path}/~/history`)}">History</a>`)}
      <h1>${title}</h1>
      <p class="review-standing">
        ${byAndWhen(revision)}${requestOf(place, parts)} · ${compareAnother(place, `${path}/~/history`, revision)}
      </p>
      ${saidOn(parts)} ${undoing(place, parts)}
      <section aria-label="Changes" class="review-changes" id="changes">
        ${changes.changes.length === 0 && html`<p class="none">It changed nothing.</p>`}
        ${changesShown(place, changes, fresh, `${path}/~/history/${revision.id}`, whereIn(place, parts))}
      </section>`,
  )
}

function whereIn(place: Place, { path, revision, openFile }: RevisionParts): WhereChanged {
  const history = (page: Entry) => place.link(`${path}/~/pages/${page.entry}/history`)
  return { ...whereRead(place, path, revision), open: openFile, history }
}

/** Links to pages as they are in a revision, and as they were in the one before it. */
export function whereRead(
  place: Place,
  path: string,
  { id, parents: [former] }: Pick<RevisionWithCounts, 'id' | 'parents'>,
): WhereChanged {
  const readIn = (id: string) => (at: string) => place.link(`${path}/~/revisions/${id}/${encodeURI(at)}`)
  return { read: readIn(id), ...(former !== undefined && { readFormer: readIn(former) }) }
}

const kinds = {
  edits: 'Edited in the main content',
  merge: 'Merged',
  rollback: 'Undone',
  update: 'Updated from the main content',
  computed: 'Generated from a specification',
} as const

export function titleOf({ type, git, number, subject, seq }: RevisionWithCounts): string {
  if (number !== null) return subjectOf({ subject, number })
  if (seq === 1) return 'Created'
  return git === null ? kinds[type] : 'Imported from Git'
}

/** Deleted users are not named. The person who merged a change is not always its author. */
export const byAndWhen = ({ author, created_at, type }: RevisionWithCounts): Html =>
  html`${author && `${type === 'merge' ? 'merged by' : 'by'} ${author.display_name}, `}${moment(created_at)}`

function countsOf({ pages, files, reusable_contents, variables }: RevisionWithCounts): string {
  const all = [
    [pages, 'page', 'pages'],
    [files, 'file', 'files'],
    [reusable_contents, 'reusable content', 'reusable contents'],
    [variables, 'variable', 'variables'],
  ] as const
  const changed = all.filter(([count]) => count > 0).map(([count, one, many]) => counted(count, one, many))
  return changed.length === 0 ? 'nothing changed' : changed.join(', ')
}

export const requestOf = (
  place: Place,
  { path, revision: { number } }: Pick<RevisionParts, 'path' | 'revision'>,
): HtmlValue =>
  number !== null && html` · <a href="${place.link(`${path}/~/changes/${number}`)}">Change request #${number}</a>`

function undoing(place: Place, { path, revision, mayRevert, form }: RevisionParts): HtmlValue {
  if (!mayRevert) return undefined
  return html`<div class="review-tools">
    ${buttonForm(place, {
      action: `${path}/~/history/${revision.id}/revert`,
      fields: { form },
      label: 'Undo in a change request',
    })}
  </div>`
}
