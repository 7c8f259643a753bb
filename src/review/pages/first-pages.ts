import type { Entry } from '../../content/merge/entry.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'

/** Pages in order, each with its depth, and how many more there are. */
export interface ListedPages {
  shown: { page: Entry; depth: number }[]
  more: number
}

/** The pages that the user sees, what they searched for, and the number of all pages. */
export interface SoughtPages extends ListedPages {
  sought: string
  all: number
  /** Where the user was in the list: the id of a page, or any other value for no particular page. */
  at?: string | undefined
}

/** More than anyone looks through. */
const mostPages = 300

/** `without`: a page to leave out, with everything below it. */
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

/** Returns all pages, or those whose titles contain the words. The latter are listed flat, whatever their place. */
export function pagesSought(tree: PageTree, sought: string): SoughtPages {
  const all = tree.byId.size
  if (sought === '') return { ...firstPages(tree), sought, all }
  const words = comparable(sought).split(/\s+/)
  const isSought = (page: Entry) => {
    const title = comparable(pageData(page).title)
    return words.every((word) => title.includes(word))
  }
  const found = tree.roots.flatMap((root) => pagesWithin(tree, root)).filter(isSought)
  const shown = found.slice(0, mostPages).map((page) => ({ page, depth: 0 }))
  return { shown, more: found.length - shown.length, sought, all }
}

const comparable = (text: string) => text.normalize('NFC').toLowerCase()

/**
 * Adds the chosen page if the list was cut off before it. Otherwise the browser would select the first page instead.
 */
export function withChosen(pages: ListedPages, page: Entry | undefined): ListedPages {
  if (!page || pages.more === 0 || pages.shown.some((each) => each.page === page)) return pages
  return { shown: [...pages.shown, { page, depth: 0 }], more: pages.more - 1 }
}

/** Returns a page and everything below it. A loop instead of recursion, so that the depth does not matter. */
export function pagesWithin(tree: PageTree, page: Entry): Entry[] {
  const found: Entry[] = []
  const next = [page]
  for (let each = next.pop(); each; each = next.pop()) {
    found.push(each)
    for (const child of tree.childrenOf(each.entry).toReversed()) next.push(child)
  }
  return found
}
