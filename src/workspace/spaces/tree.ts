import type { TreeRow } from '../../collections/queries.ts'
import { byPosition } from '../../content/positions.ts'

/** How many rows of the tree of an organization are read for a page. */
export const mostRows = 5000

/** An item in the tree of an organization, and its depth. */
export interface Branch {
  row: TreeRow
  depth: number
}

const order = (a: TreeRow, b: TreeRow) =>
  byPosition({ entry: a.id, position: a.position }, { entry: b.id, position: b.position })

/**
 * Lists everything in a collection, or at the top level, at all depths, in the order that people gave it. `without`
 * leaves out a collection and everything in it. Uses a stack instead of recursion, so any depth works.
 */
export function inOrder(rows: readonly TreeRow[], below: string | null = null, without?: string): Branch[] {
  const within = Map.groupBy(rows, ({ parent }) => parent)
  const next = (parent: string | null, depth: number) =>
    (within.get(parent) ?? []).toSorted(order).toReversed().map((row) => ({ row, depth })) // prettier-ignore
  const found: Branch[] = []
  const left = next(below, 0)
  for (let each = left.pop(); each; each = left.pop()) {
    const { row, depth } = each
    if (row.id === without) continue
    found.push(each)
    if (row.type === 'collection') left.push(...next(row.id, depth + 1))
  }
  return found
}
