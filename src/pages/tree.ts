import { type Placed, byPosition } from '../content/positions.ts'
import { type Entry, type Row, isHere, top } from '../content/merge/entry.ts'

/** The pages of a revision as a tree. Immutable, because it is shared. */
export class PageTree {
  readonly byId: ReadonlyMap<string, Entry>
  readonly #children: ReadonlyMap<string, readonly Entry[]>
  /** The bytes of top-level pages with everything below them, for the parameters that were used last. */
  #made: { as: string; byRoot: Map<string, Buffer> } = { as: '', byRoot: new Map() }

  private constructor(byId: ReadonlyMap<string, Entry>, children: ReadonlyMap<string, readonly Entry[]>) {
    this.byId = byId
    this.#children = children
  }

  static of(entries: readonly Entry[]): PageTree {
    const byId = new Map<string, Entry>()
    const children = new Map<string, Entry[]>()
    for (const entry of entries) {
      byId.set(entry.entry, entry)
      const siblings = children.get(entry.parent)
      if (siblings) siblings.push(entry)
      else children.set(entry.parent, [entry])
    }
    for (const siblings of children.values()) siblings.sort(inOrder)
    return new PageTree(byId, children)
  }

  /** Returns the pages below a parent, in order. */
  childrenOf(parent: string): readonly Entry[] {
    return this.#children.get(parent) ?? []
  }

  get roots(): readonly Entry[] {
    return this.childrenOf(top)
  }

  /** Returns the page at a path of slugs, from the top down. */
  at(slugs: readonly string[]): Entry | undefined {
    let found: Entry | undefined
    for (const slug of slugs) {
      found = this.childrenOf(found?.entry ?? top).find((child) => child.slug === slug)
      if (!found) return undefined
    }
    return found
  }

  /** Returns the path of a page: the slugs from the top down. */
  pathOf(entry: Entry): string {
    const slugs = [entry.slug!]
    for (let up = this.byId.get(entry.parent); up; up = this.byId.get(up.parent)) slugs.unshift(up.slug!)
    return slugs.join('/')
  }

  /**
   * Returns `{"pages": […]}`: each top-level page with everything below it, as written by `make`. `as` identifies
   * everything that the text depends on besides the pages. The written parts are cached as slices of the returned
   * bytes, and passed on to trees derived from this one for as long as nothing below that page changes.
   */
  write(as: string, make: (root: Entry) => string): Buffer {
    const known = this.#made.as === as ? this.#made.byRoot : new Map<string, Buffer>()
    const parts = this.roots.map((root) => known.get(root.entry) ?? make(root))
    const sizes = parts.map((part) => Buffer.byteLength(part))
    const bytes = joined(parts)
    const byRoot = new Map<string, Buffer>()
    let at = opening.length
    for (const [i, { entry }] of this.roots.entries()) {
      byRoot.set(entry, bytes.subarray(at, at + sizes[i]!))
      at += sizes[i]! + 1
    }
    this.#made = { as, byRoot }
    return bytes
  }

  /** Returns the tree after some pages changed. The cost is that of the changes and of copying its maps. */
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
    const arrived = Map.groupBy(rows.filter(isHere), ({ parent }) => parent)
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

const [opening, closing] = ['{"pages":[', ']}']

/** If no part is cached as bytes, everything is converted at once. */
function joined(parts: readonly (string | Buffer)[]): Buffer {
  if (parts.every((part) => typeof part === 'string')) return Buffer.from(opening + parts.join(',') + closing)
  const pieces = parts.flatMap((part, i) => (i === 0 ? [part] : [',', part]))
  return Buffer.concat(
    [opening, ...pieces, closing].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  )
}

/** Every page has a position: the column is empty for other kinds only. */
function inOrder(a: Entry, b: Entry): number {
  return byPosition(a as Placed, b as Placed)
}
