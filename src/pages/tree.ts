import { type Placed, byPosition } from '../content/positions.ts'
import { type Entry, type Row, top } from '../content/merge/entry.ts'

/** The pages of a revision as a tree. Never changed once made: others may be reading it. */
export class PageTree {
  readonly byId: ReadonlyMap<string, Entry>
  readonly #children: ReadonlyMap<string, readonly Entry[]>
  /** What was made of top-level pages with all below them, the way it was last asked for. */
  #made: { as: string; byRoot: Map<string, Buffer> } = { as: '', byRoot: new Map() }

  private constructor(byId: ReadonlyMap<string, Entry>, children: ReadonlyMap<string, readonly Entry[]>) {
    this.byId = byId
    this.#children = children
  }

  static of(entries: readonly Entry[]): PageTree {
    const children = Map.groupBy(entries, ({ parent }) => parent)
    for (const siblings of children.values()) siblings.sort(inOrder)
    return new PageTree(new Map(entries.map((entry) => [entry.entry, entry])), children)
  }

  /** In their order. */
  childrenOf(parent: string): readonly Entry[] {
    return this.#children.get(parent) ?? []
  }

  get roots(): readonly Entry[] {
    return this.childrenOf(top)
  }

  /** The slugs from the top down to a page. */
  pathOf(entry: Entry): string {
    const slugs = [entry.slug!]
    for (let up = this.byId.get(entry.parent); up; up = this.byId.get(up.parent)) slugs.unshift(up.slug!)
    return slugs.join('/')
  }

  /**
   * A top-level page and all below it as bytes. `as` says all that they depend on beside the pages. They are kept, and
   * handed on to the trees made from this one for as long as nothing below that page changes.
   */
  bytesOf(root: Entry, as: string, make: () => Buffer): Buffer {
    if (this.#made.as !== as) this.#made = { as, byRoot: new Map() }
    const { byRoot } = this.#made
    const bytes = byRoot.get(root.entry) ?? make()
    byRoot.set(root.entry, bytes)
    return bytes
  }

  /** The tree after some pages changed: costs what changed, and a copy of its maps. */
  with(rows: readonly Row[]): PageTree {
    const byId = new Map(this.byId)
    const children = new Map(this.#children)
    const touched = new Set<string>()
    for (const row of rows) {
      const before = byId.get(row.entry)
      if (before) touched.add(before.parent)
      if (row.state === 0) {
        touched.add(row.parent)
        byId.set(row.entry, row)
      } else byId.delete(row.entry)
    }
    const changed = new Set(rows.map(({ entry }) => entry))
    const arrived = Map.groupBy(
      rows.filter((row): row is Entry => row.state === 0),
      ({ parent }) => parent,
    )
    for (const parent of touched) {
      const stayed = (children.get(parent) ?? []).filter(({ entry }) => !changed.has(entry))
      children.set(parent, [...stayed, ...(arrived.get(parent) ?? [])].toSorted(inOrder))
    }
    const after = new PageTree(byId, children)
    after.#takeBytes(this, changed)
    return after
  }

  #takeBytes(before: PageTree, changed: ReadonlySet<string>): void {
    const byRoot = new Map(before.#made.byRoot)
    for (const id of changed) {
      byRoot.delete(before.#rootOf(id))
      byRoot.delete(this.#rootOf(id))
    }
    this.#made = { as: before.#made.as, byRoot }
  }

  #rootOf(id: string): string {
    let root = id
    for (let entry = this.byId.get(id); entry; entry = this.byId.get(entry.parent)) root = entry.entry
    return root
  }
}

/** Every page has a position: the column is empty for other kinds only. */
function inOrder(a: Entry, b: Entry): number {
  return byPosition(a as Placed, b as Placed)
}
