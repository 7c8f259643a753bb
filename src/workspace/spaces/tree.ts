import type { TreeRow } from '../../collections/queries.ts'
import { byPosition } from '../../content/positions.ts'

/** Of the tree of an organization, no more is read for a page. */
export const mostRows = 5000

/** Something in the tree of an organization, and how deep it stands there. */
export interface Branch {
  row: TreeRow
  depth: number
}

const order = (a: TreeRow, b: TreeRow) =>
  byPosition({ entry: a.id, position: a.position }, { entry: b.id, position: b.position })

/**
 * What is in a collection, or at the top, and all below that, in the order people gave. `without` leaves a collection out,
 * and all in it. However deep it goes: each is looked at in its turn.
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
