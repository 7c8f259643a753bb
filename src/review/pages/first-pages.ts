import type { Entry } from '../../content/merge/entry.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'

/** Pages in their order, with how deep each stands; and how many more there are. */
export interface ListedPages {
  shown: { page: Entry; depth: number }[]
  more: number
}

/** Those that somebody looks at, and what they looked for among how many. */
export interface SoughtPages extends ListedPages {
  sought: string
  all: number
  /** Where they were in the list: at a page, by its id, or anywhere. */
  at?: string | undefined
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

/** All of them, or those that have the words in their titles: these stand for themselves, wherever they are. */
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
