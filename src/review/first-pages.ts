import type { Entry } from '../content/merge/entry.ts'
import type { PageTree } from '../pages/tree.ts'

/** Pages in their order, with how deep each stands; and how many more there are. */
export interface ListedPages {
  shown: { page: Entry; depth: number }[]
  more: number
}

/** More than anybody looks through. */
const mostPages = 300

/** `without`: leaves a page out, and all below it. */
export function firstPages(tree: PageTree, { most = mostPages, without }: { most?: number; without?: Entry } = {}) {
  const shown: ListedPages['shown'] = []
  const walk = (siblings: readonly Entry[], depth: number): void => {
    for (const page of siblings) {
      if (page.entry === without?.entry) continue
      if (shown.length === most) return
      shown.push({ page, depth })
      walk(tree.childrenOf(page.entry), depth + 1)
    }
  }
  walk(tree.roots, 0)
  const left = without ? pagesWithin(tree, without).length : 0
  return { shown, more: tree.byId.size - left - shown.length } satisfies ListedPages
}

/** What is chosen can be chosen, however many there are: else a browser takes the first one instead. */
export function withChosen(pages: ListedPages, page: Entry | undefined): ListedPages {
  if (!page || pages.more === 0 || pages.shown.some((each) => each.page === page)) return pages
  return { shown: [...pages.shown, { page, depth: 0 }], more: pages.more - 1 }
}

/** A page and all below it. However deep that is: each is looked at in its turn. */
export function pagesWithin(tree: PageTree, page: Entry): Entry[] {
  const found: Entry[] = []
  const next = [page]
  for (let each = next.pop(); each; each = next.pop()) {
    found.push(each)
    for (const child of tree.childrenOf(each.entry).toReversed()) next.push(child)
  }
  return found
}
