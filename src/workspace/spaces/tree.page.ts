import { type IconName, type Place, icon } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { iconOf } from './space-name.ts'
import type { Branch } from './tree.ts'

/** More than anybody looks through. What is in a collection stands on its page, too. */
const mostShown = 500
/** Deeper ones are shown as if they stood here: lines have an end. */
const deepest = 6

/** What its page has to draw. */
export const iconsOfTree: IconName[] = ['book', 'folder']

/** Spaces below their collections. `count`: how many things there are, shown and not. */
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

/** Collections to choose from. A list of choices takes no style, so blanks have to say how deep each stands. */
export const collectionChoices = (branches: readonly Branch[], chosen: string): Html[] =>
  branches.map(
    ({ row, depth }) =>
      html`<option value="${row.id}" ${row.id === chosen && html`selected`}>
        ${'\u2003'.repeat(Math.min(depth, deepest)) + row.title}
      </option>`,
  )
