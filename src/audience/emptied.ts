import { top } from '../content/merge/entry.ts'
import { pageData } from '../pages/entry-data.ts'
import type { PageTree } from '../pages/tree.ts'
import type { PageCache } from './page-cache.ts'
import { type SpacePages, isPageShown } from './pages.ts'
import type { SiteSnapshot, Variant } from './snapshots/snapshot.ts'
import { seesVariant } from './snapshots/structure.ts'
import type { Visitor } from './visitors/visitor.ts'

const mostKept = 100_000

/**
 * Which variants of a site have no page for a visitor, since conditions hide every one. To them these are not there: in
 * no menu, in no list, at no address. A variant that nobody has written a page in is not meant: it stands where it is.
 */
export class Emptied {
  readonly #pages: PageCache
  /** Of each line, the newest revision that was looked at and that has something for everybody: almost all have. */
  readonly #open = new Map<string, string>()

  constructor(pages: PageCache) {
    this.#pages = pages
  }

  /** The visitor as the site sees them. Without a look at any page, once it is known that the variants are for all. */
  withoutEmptied(snapshot: SiteSnapshot, visitor: Visitor): Visitor | Promise<Visitor> {
    const { emptied: _, ...whole } = visitor
    // Where no claims count, what has a condition is shown to nobody at all, and its author knows.
    if (visitor.scope === undefined) return whole
    const doubtful = [...snapshot.variants.values()].filter(
      (variant) => !this.#isKnownOpen(variant) && seesVariant(variant, whole),
    )
    return doubtful.length === 0 ? whole : this.#look(doubtful, whole)
  }

  async #look(variants: readonly Variant[], visitor: Visitor): Promise<Visitor> {
    const looked = await Promise.all(
      variants.map(async ({ head }) => {
        const pages = await this.#pages.get(head)
        if (isOpen(pages)) this.#keep(head.lineId, head.id)
        return isEmptied(pages, visitor) ? [head.id] : []
      }),
    )
    const emptied = new Set(looked.flat())
    return emptied.size === 0 ? visitor : { ...visitor, emptied }
  }

  #isKnownOpen = ({ head }: Variant) => this.#open.get(head.lineId) === head.id

  #keep(lineId: string, revisionId: string): void {
    if (this.#open.size >= mostKept) this.#open.clear()
    this.#open.set(lineId, revisionId)
  }
}

/** Of whom nothing is known, and who so sees nothing that has a condition. */
const anybody: Visitor = { scope: undefined, isKnown: false }

/** Whether nobody finds it emptied, whoever they are. */
const isOpen = (pages: SpacePages) => hasPages(pages, anybody) || !hasAnyPage(pages.tree)

const isEmptied = (pages: SpacePages, visitor: Visitor) => !hasPages(pages, visitor) && hasAnyPage(pages.tree)

/** Whether something is left to read, in a menu or not. */
function hasPages(pages: SpacePages, visitor: Visitor, below: string = top): boolean {
  return pages.tree
    .childrenOf(below)
    .some((child) => isPageShown(pages, visitor, child) && (isText(child) || hasPages(pages, visitor, child.entry)))
}

const hasAnyPage = (tree: PageTree) => tree.byId.values().some(isText)

/** Of a specification, pages are made where this one stands. */
function isText(entry: Parameters<typeof pageData>[0]): boolean {
  const { type } = pageData(entry)
  return type === 'document' || type === 'computed'
}
