import type { Entry } from '../../content/merge/entry.ts'
import { pathWith } from '../../account/answer.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { LoadedChanges } from '../../pages/changes.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { RevisionWithCounts } from '../../pages/queries.ts'
import { frame } from '../../workspace/frame.ts'
import { wayToSpace } from '../../workspace/spaces/way-to-space.ts'
import { changesShown } from './changes.page.ts'
import type { FreshTexts } from './fresh-texts.ts'
import { type OfSpace, byAndWhen, pathOfBoth, titleOf, whereRead } from './history.page.ts'
import { historyOf } from './page-history.page.ts'

/** Two revisions of the main content, the older one first. */
export type Both = readonly [older: RevisionWithCounts, newer: RevisionWithCounts]

interface Compared extends OfSpace {
  both: Both
  changes: LoadedChanges
  fresh: FreshTexts
  openFile: (file: Entry) => string
}

/** Shows what changed in a space from one revision to another. */
export function comparePage(place: Place, parts: Compared): Html {
  const { path } = parts
  const history = (page: Entry) => place.link(`${path}/~/pages/${page.entry}/history`)
  const list = `${path}/~/history`
  return compared(place, parts, {
    name: 'Comparison',
    list,
    above: html` › <a href="${place.link(list)}">History</a>`,
    history,
  })
}

/** The same for one page. */
export function comparePageVersions(place: Place, parts: Compared & { page: Entry }): Html {
  const { title } = pageData(parts.page)
  const list = historyOf(parts)
  const above = html` › <a href="${place.link(list)}">History of “${title}”</a>`
  return compared(place, parts, { name: `Comparison of “${title}”`, list, above })
}

function compared(
  place: Place,
  parts: Compared,
  at: { name: string; list: string; above: HtmlValue; history?: (page: Entry) => string },
): Html {
  const { space, path, both, changes, fresh, openFile } = parts
  const [older, newer] = both
  const where = {
    ...whereRead(place, path, { id: newer.id, parents: [older.id] }),
    open: openFile,
    ...(at.history && { history: at.history }),
  }
  return frame(
    place,
    `${at.name} · ${space.title}`,
    html`${wayToSpace(place, parts, at.above)}
      <h1>${at.name}</h1>
      <dl class="review-both">
        ${revisionOf(place, at.list, 'From', older)} ${revisionOf(place, at.list, 'To', newer)}
      </dl>
      <section aria-label="Changes" class="review-changes" id="changes">
        ${changes.changes.length === 0 && html`<p class="none">Nothing changed between them.</p>`}
        ${changesShown(place, changes, fresh, pathOfBoth(at.list, both), where)}
      </section>`,
  )
}

const revisionOf = (place: Place, list: string, name: string, row: RevisionWithCounts): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>
      <a href="${place.link(`${list}/${row.id}`)}">${titleOf(row)}</a>, ${byAndWhen(row)} ·
      <a href="${place.link(pathWith(list, { with: row.id }))}" aria-label="Compare with another one: ${titleOf(row)}"
        >Compare with another one</a
      >
    </dd>
  </div>`
