import { type Entry, top } from '../content/merge/entry.ts'
import { pageData } from '../pages/entry-data.ts'
import type { Revision } from '../revisions/revision.ts'
import type { PageCache } from './page-cache.ts'
import { type SpacePages, isPageShown } from './pages.ts'
import type { SiteSnapshot } from './snapshots/snapshot.ts'
import { seesVariant } from './snapshots/structure.ts'
import type { Visitor } from './visitors/visitor.ts'

const mostKept = 100_000

/**
 * Which variants of a site have no page for a visitor, since conditions hide every one. To them these are not there: in
 * no menu, in no list, at no address. A variant that nobody has written a page in is not meant: it stands where it is.
 */
export class Emptied {
  readonly #pages: PageCache
  /** Of each line, those of the revision that was looked at last. */
  readonly #ways = new Map<string, Ways>()

  constructor(pages: PageCache) {
    this.#pages = pages
  }

  /** The visitor as the site sees them. Without a look at any page, once the ways to them are known. */
  withoutEmptied(snapshot: SiteSnapshot, visitor: Visitor): Visitor | Promise<Visitor> {
    const { emptied: _, ...whole } = visitor
    // Where no claims count, what has a condition is shown to nobody at all, and its author knows.
    if (visitor.scope === undefined) return whole
    const doubtful = [...snapshot.variants.values()].filter(
      (variant) => this.#known(variant.head)?.isOpen !== true && seesVariant(variant, whole),
    )
    const known = doubtful.flatMap(({ head }) => this.#known(head) ?? [])
    const unknown = doubtful.filter(({ head }) => !this.#known(head))
    if (unknown.length === 0) return without(known, whole)
    const looking = Promise.all(unknown.map(({ head }) => this.#look(head)))
    return looking.then((looked) => without([...known, ...looked], whole))
  }

  #known(head: Revision): Ways | undefined {
    const ways = this.#ways.get(head.lineId)
    return ways?.revision === head.id ? ways : undefined
  }

  async #look(head: Revision): Promise<Ways> {
    const ways = waysIn(await this.#pages.get(head))
    if (this.#ways.size >= mostKept) this.#ways.clear()
    this.#ways.set(head.lineId, ways)
    return ways
  }
}

/**
 * Which conditions lead to the pages of a revision. Most revisions have a page without any, and where all have one, it is
 * often the same: so few are asked for each reader, however many pages there are.
 */
interface Ways {
  revision: string
  /** Whether nobody finds it emptied, whoever they are. */
  isOpen: boolean
  /** Each to some page: what has a condition, from the top down. Whoever sees all of one sees a page. */
  each: readonly (readonly Entry[])[]
  variables: SpacePages['variables']
}

function waysIn({ at, tree, variables }: SpacePages): Ways {
  const each = new Map<string, readonly Entry[]>()
  const walk = (parent: string, above: readonly Entry[]): void => {
    for (const child of tree.childrenOf(parent)) {
      const way = pageData(child).condition === undefined ? above : [...above, child]
      // Below a page there are only such that ask for more than it does.
      if (isText(child)) each.set(JSON.stringify(way.map(asked)), way)
      else walk(child.entry, way)
    }
  }
  walk(top, [])
  const isOpen = each.size === 0 || each.has('[]')
  return { revision: at.id, isOpen, each: isOpen ? [] : [...each.values()], variables }
}

/** What its condition is, and what of the page it may ask for. */
function asked(page: Entry) {
  const { condition, variables } = pageData(page)
  return [condition, variables]
}

/** Something to read, in a menu or not. Of a specification, pages are made where this one stands. */
function isText(page: Entry): boolean {
  const { type } = pageData(page)
  return type === 'document' || type === 'computed'
}

function without(ways: readonly Ways[], visitor: Visitor): Visitor {
  const emptied = ways.filter((each) => isEmptied(each, visitor)).map(({ revision }) => revision)
  return emptied.length === 0 ? visitor : { ...visitor, emptied: new Set(emptied) }
}

const isEmptied = ({ isOpen, each, variables }: Ways, visitor: Visitor) =>
  !isOpen && !each.some((way) => way.every((page) => isPageShown({ variables }, visitor, page)))
