import { type Placed, byPosition } from '../content/positions.ts'
import { type Entry, type Row, top } from '../content/merge/entry.ts'

/** The pages of a revision as a tree. Never changed once made: others may be reading it. */
export class PageTree {
  readonly byId: ReadonlyMap<string, Entry>
  readonly #children: ReadonlyMap<string, readonly Entry[]>

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

  /** The tree after some pages changed: costs what changed, and a copy of two maps. */
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
    return new PageTree(byId, children)
  }
}

/** Every page has a position: the column is empty for other kinds only. */
function inOrder(a: Entry, b: Entry): number {
  return byPosition(a as Placed, b as Placed)
}
