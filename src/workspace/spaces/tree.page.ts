import { type IconName, type Place, icon } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { iconOf } from './space-name.ts'
import type { Branch } from './tree.ts'

/** How many items are shown. Nobody looks through more, and the content of a collection is also on its own page. */
const mostShown = 500
/** Deeper items are indented no further, because lines have limited room. */
const deepest = 6

/** The icons that the page has to include. */
export const iconsOfTree: IconName[] = ['book', 'folder']

/** Lists spaces below their collections. `count` is the number of all items, including those that are not shown. */
export function treeOf(
  place: Place,
  home: string,
  { branches, count, none }: { branches: readonly Branch[]; count: number; none: string },
): Html {
  if (branches.length === 0) return html`<p class="none">${none}</p>`
  const shown = branches.slice(0, mostShown)
  const more = count - shown.length
  return html`<ul class="review-tree" role="list">
      ${shown.map((branch) => item(place, home, branch))}
    </ul>
    ${more > 0 && html`<p class="none">And ${more.toLocaleString('en')} more: open a collection, or use the API.</p>`}`
}

function item(place: Place, home: string, { row, depth }: Branch): Html {
  const isSpace = row.type === 'space'
  const path = place.link(`${home}/${isSpace ? 's' : 'c'}/${row.id}`)
  return html`<li data-depth="${Math.min(depth, deepest)}">
    <span class="review-title">
      ${iconOf(row) || icon(isSpace ? 'book' : 'folder')}<a href="${path}"><strong>${row.title}</strong></a>
    </span>
    ${!isSpace && html`<span class="tag" data-tone="plain">collection</span>`}
  </li>`
}

/** The options for choosing a collection. Options cannot be styled, so blanks show the depth of each. */
export const collectionChoices = (branches: readonly Branch[], chosen: string): Html[] =>
  branches.map(
    ({ row, depth }) =>
      html`<option value="${row.id}" ${row.id === chosen && html`selected`}>
        ${'\u2003'.repeat(Math.min(depth, deepest)) + row.title}
      </option>`,
  )
