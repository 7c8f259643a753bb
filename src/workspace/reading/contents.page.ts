import type { Entry } from '../../content/merge/entry.ts'
import { type Place, icon } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'

interface ContentsParts {
  tree: PageTree
  /** The page that is being read. */
  page: Entry
  addressOf: (page: Entry) => string
  /** The path of the space's page, which lists all pages. */
  path: string
}

/** How many siblings are shown at most. Nobody looks through more. */
const mostBeside = 200

/**
 * Lists the pages of a space around the current page: its siblings, the siblings of each of its ancestors, and its
 * children. On narrow screens the list is a drawer, which is a popover and needs no script.
 */
export function contentsOf(place: Place, { tree, page, addressOf, path }: ContentsParts): Html {
  const way = new Set([page])
  let top = page
  for (let up = tree.byId.get(top.parent); up; up = tree.byId.get(up.parent)) way.add((top = up))
  const listOf = (pages: readonly Entry[]): HtmlValue =>
    pages.length > 0 &&
    html`<ul role="list">
      ${nearest(pages, way).map(
        (each) =>
          html`<li>
            <a href="${place.link(addressOf(each))}" ${each === page && html` aria-current="page"`}
              >${pageData(each).title}</a
            >${way.has(each) && listOf(tree.childrenOf(each.entry))}
          </li>`,
      )}
    </ul>`
  return html`<nav class="nav work-contents" id="~contents" popover aria-label="Pages of this space">
    <p>
      <a href="${place.link(path)}#pages">All pages</a>
      <button type="button" class="icon-btn only-narrow" popovertarget="~contents" aria-label="Close">
        ${icon('x')}
      </button>
    </p>
    ${listOf(tree.childrenOf(top.parent))}
  </nav>`
}

/** If there are very many pages, returns those around the one that is on the way to the current page. */
function nearest(pages: readonly Entry[], way: ReadonlySet<Entry>): readonly Entry[] {
  const at = Math.max(
    0,
    pages.findIndex((each) => way.has(each)),
  )
  const from = Math.max(0, Math.min(at - mostBeside / 2, pages.length - mostBeside))
  return pages.slice(from, from + mostBeside)
}
