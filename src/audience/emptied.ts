import { type Entry, top } from '../content/merge/entry.ts'
import type { Database } from '../db/connect.ts'
import { pageData } from '../pages/entry-data.ts'
import type { Revision } from '../revisions/revision.ts'
import { listUnconditional } from './emptied.queries.ts'
import type { PageCache } from './page-cache.ts'
import { type SpacePages, isPageShown } from './pages.ts'
import type { SiteSnapshot } from './snapshots/snapshot.ts'
import { seesVariant } from './snapshots/structure.ts'
import type { Visitor } from './visitors/visitor.ts'

const mostKept = 100_000

/**
 * Finds the variants of a site in which conditions hide every page from a visitor. For this visitor these variants do
 * not exist: they are in no menu, in no list, and at no address. A variant without any written pages does not count as
 * one: it stays.
 */
export class Emptied {
  readonly #db: Database
  readonly #pages: PageCache
  /** For each line, the ways of the revision that was looked at last. */
  readonly #ways = new Map<string, Ways>()

  constructor(db: Database, pages: PageCache) {
    this.#db = db
    this.#pages = pages
  }

  /** Returns the visitor with their emptied variants. Needs no look at any page once the ways are known. */
  withoutEmptied(snapshot: SiteSnapshot, visitor: Visitor): Visitor | Promise<Visitor> {
    const { emptied: _, ...whole } = visitor
    // Without claims, everything with a condition is hidden from everybody, and its author knows that.
    if (visitor.scope === undefined) return whole
    const doubtful = [...snapshot.variants.values()].filter(
      (variant) => this.#known(variant.head)?.isOpen !== true && seesVariant(variant, whole),
    )
    const known = doubtful.flatMap(({ head }) => this.#known(head) ?? [])
    const unknown = doubtful.filter(({ head }) => !this.#known(head))
    if (unknown.length === 0) return without(known, whole)
    const looking = this.#lookAt(unknown.map(({ head }) => head))
    return looking.then((looked) => without([...known, ...looked], whole))
  }

  #known(head: Revision): Ways | undefined {
    const ways = this.#ways.get(head.lineId)
    return ways?.revision === head.id ? ways : undefined
  }

  /**
   * Most spaces have no conditions, and their trees are not read for this. A single one is probably that of the
   * requested page, which is read in any case.
   */
  async #lookAt(heads: readonly Revision[]): Promise<Ways[]> {
    const open = heads.length > 1 ? await listUnconditional(this.#db, heads) : new Set<string>()
    return Promise.all(
      heads.map(async (head) =>
        this.#keep(head, open.has(head.id) ? openTo(head) : waysIn(await this.#pages.get(head))),
      ),
    )
  }

  #keep(head: Revision, ways: Ways): Ways {
    if (this.#ways.size >= mostKept) this.#ways.clear()
    this.#ways.set(head.lineId, ways)
    return ways
  }
}

/**
 * The conditions on the ways to the pages of a revision. Most revisions have a page without any condition, and if all
 * pages have one, it is often the same. So only few are evaluated per reader, however many pages there are.
 */
interface Ways {
  revision: string
  /** Whether every visitor sees a page. */
  isOpen: boolean
  /**
   * Each way leads to a page: the entries with a condition, from the top down. A visitor who sees all entries of one
   * way sees a page.
   */
  each: readonly (readonly Entry[])[]
  variables: SpacePages['variables']
}

const openTo = ({ id }: Revision): Ways => ({ revision: id, isOpen: true, each: [], variables: {} })

function waysIn({ at, tree, variables }: SpacePages): Ways {
  const each = new Map<string, readonly Entry[]>()
  const walk = (parent: string, above: readonly Entry[]): void => {
    for (const child of tree.childrenOf(parent)) {
      const way = pageData(child).condition === undefined ? above : [...above, child]
      // Pages below this one can only have more conditions.
      if (isText(child)) each.set(JSON.stringify(way.map(asked)), way)
      else walk(child.entry, way)
    }
  }
  walk(top, [])
  const isOpen = each.size === 0 || each.has('[]')
  return { revision: at.id, isOpen, each: isOpen ? [] : [...each.values()], variables }
}

/** The condition of a page, and the variables of the page that it may use. */
function asked(page: Entry) {
  const { condition, variables } = pageData(page)
  return [condition, variables]
}

/** Whether a page contains text, in a menu or not. A computed page is replaced by pages made from a specification. */
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
