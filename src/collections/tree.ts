import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { findCollectionFor, findSpaceFor } from '../access/content.ts'
import { collectionRights } from '../access/rights.ts'
import { type Role, reaches } from '../access/roles.ts'
import { type Placed, byPosition, placeAt } from '../content/positions.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { forbidden, invalid } from '../http/errors.ts'
import { Nullable, Tagged } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { isId } from '../ids.ts'

/**
 * The parent of collections and spaces, which have one common order below it: a collection, or the top of the
 * organization.
 */
export interface Parent {
  organizationId: string
  /** null: the top. */
  id: string | null
}

type Neighbour = Static<typeof Neighbour>
const Neighbour = Tagged('type', [
  Type.Object({ type: Type.Literal('space'), space: Type.String() }),
  Type.Object({ type: Type.Literal('collection'), collection: Type.String() }),
])

export const Move = Type.Object({
  parent: Type.Optional(
    Nullable(
      Type.String({
        description: 'The parent collection, or null for the top level. If omitted, the parent stays the same.',
      }),
    ),
  ),
  position: Type.Optional(
    Type.Object(
      { before: Type.Optional(Neighbour), after: Type.Optional(Neighbour) },
      {
        description:
          'The position below that parent: `before` one item, `after` one, or between the two. Default: last.',
      },
    ),
  ),
})

export type Move = Static<typeof Move>
type Place = NonNullable<Move['position']>

/**
 * Requires that the caller may put something into `body.parent`, or at the top of the organization in which they have
 * `role`.
 */
export async function accessParent(
  db: Db,
  caller: Caller,
  { organizationId, id }: Parent,
  role: Role | null,
): Promise<void> {
  if (id === null) {
    if (!reaches(role, 'create')) throw forbidden('create content at the top of this organization')
    return
  }
  const found = isId(id) ? await findCollectionFor(db, caller, id) : undefined
  if (found?.collection.organization_id !== organizationId) {
    throw invalid('body.parent', 'exists', 'there is no such collection here, or you may not see it')
  }
  if (!collectionRights(found.role).create) throw forbidden('create content in this collection')
}

/**
 * The same for the current place of something. The caller named no collection, so the error reveals nothing about a
 * hidden one.
 */
export async function accessPlace(db: Db, caller: Caller, { id }: Parent, role: Role | null): Promise<void> {
  const own = id === null ? role : ((await findCollectionFor(db, caller, id))?.role ?? null)
  if (!reaches(own, 'create')) throw forbidden('create content where it is')
}

/** Requires that the caller may move something: to the parent they name, else within its current one. */
export async function accessDestination(
  db: Db,
  caller: Caller,
  move: Move,
  { organizationId, id }: Parent,
  role: Role | null,
): Promise<void> {
  if (move.parent === undefined) await accessPlace(db, caller, { organizationId, id }, role)
  else await accessParent(db, caller, { organizationId, id: move.parent }, role)
  await accessNeighbours(db, caller, move.position)
}

/**
 * Requires that the neighbours are visible to this caller. Whether they are below that parent is checked when the
 * position is computed.
 */
async function accessNeighbours(db: Db, caller: Caller, position: Place = {}): Promise<void> {
  for (const side of ['before', 'after'] as const) {
    const neighbour = position[side]
    if (neighbour && !(await isVisible(db, caller, neighbour))) throw noSibling(neighbour, side)
  }
}

async function isVisible(db: Db, caller: Caller, neighbour: Neighbour): Promise<boolean> {
  const id = neighbour.type === 'space' ? neighbour.space : neighbour.collection
  if (!isId(id)) return false
  if (neighbour.type === 'collection') return (await findCollectionFor(db, caller, id)) !== undefined
  return (await findSpaceFor(db, caller, id)) !== undefined
}

/**
 * Everything that moves something in the tree of an organization waits for its turn here: two moves that are fine alone
 * could form a cycle, or end at the same position. An advisory lock, since people who leave the organization wait for a
 * lock on its row.
 */
export async function lockTree(tx: Transaction, ...organizationIds: string[]): Promise<void> {
  // Several always in the same order, so that two transfers in opposite directions do not block each other.
  for (const id of organizationIds.toSorted()) {
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`tree of ${id}`}, 0))`)
  }
}

/** Returns a position key after everything that is there. */
export async function lastPosition(db: Db, parent: Parent, id: string): Promise<string> {
  return (await lastPositions(db, parent, [id])).get(id)!
}

/** Returns position keys after everything that is there, for several items in this order, by their ids. */
export async function lastPositions(db: Db, parent: Parent, ids: readonly string[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>()
  let last: Placed | undefined = (await listSiblings(db, parent, 1))[0]
  for (const entry of ids) {
    last = { entry, position: placeAt(last ? [last] : [], last ? 1 : 0, entry).position }
    keys.set(entry, last.position)
  }
  return keys
}

/** Returns a position key right after an item below this parent. Requires the tree to be locked. */
export async function positionAfter(tx: Transaction, parent: Parent, neighbour: string, id: string): Promise<string> {
  const siblings = await listSiblings(tx, parent)
  return place(tx, parent, siblings, siblings.findIndex(({ entry }) => entry === neighbour) + 1, id)
}

/**
 * Returns a position key for the place that the caller named: next to an item, or between two. If it is already there,
 * it keeps its key. Requires the tree to be locked.
 */
export async function positionAt(tx: Transaction, parent: Parent, wanted: Place, id: string): Promise<string> {
  const all = await listSiblings(tx, parent)
  const siblings = all.filter(({ entry }) => entry !== id)
  const before = wanted.before && indexOf(siblings, wanted.before, 'before')
  const after = wanted.after && indexOf(siblings, wanted.after, 'after')
  if (before !== undefined && after !== undefined && after >= before) {
    throw invalid('body.position', 'order', '`after` must come before `before`')
  }
  const index = before ?? (after === undefined ? siblings.length : after + 1)
  const there = all[index]
  if (there?.entry === id) return there.position
  return place(tx, parent, siblings, index, id)
}

function indexOf(siblings: readonly Sibling[], neighbour: Neighbour, side: keyof Place): number {
  const named = neighbour.type === 'space' ? neighbour.space : neighbour.collection
  const index = siblings.findIndex(({ entry, type }) => entry === named && type === neighbour.type)
  if (index === -1) throw noSibling(neighbour, side)
  return index
}

const noSibling = ({ type }: Neighbour, side: keyof Place) =>
  invalid(`body.position.${side}.${type}`, 'sibling', 'must be below the same parent')

async function place(tx: Transaction, parent: Parent, siblings: Sibling[], index: number, id: string): Promise<string> {
  const { position, rekeyed } = placeAt(siblings, index, id)
  for (const moved of rekeyed) {
    tx.runLater(sql`update spaces set position = ${moved.position}
      where organization_id = ${parent.organizationId} and id = ${moved.entry}`)
    tx.runLater(sql`update collections set position = ${moved.position}
      where organization_id = ${parent.organizationId} and id = ${moved.entry}`)
  }
  return position
}

/** Two forms, since an index serves each of them, but not `is not distinct from`. */
export const isIn = (column: Statement, id: string | null) =>
  id === null ? sql`${column} is null` : sql`${column} = ${id}`

type Sibling = Placed & { type: 'space' | 'collection' }

/** Lists siblings in order; with `last`, only that many at the end. Spaces in the trash keep their place. */
async function listSiblings(db: Db, { organizationId, id }: Parent, last = 100_000): Promise<Sibling[]> {
  const rows = await db.all(
    sql<Sibling>`
    select id as entry, position, type from (
      (select id, position, 'space' as type from spaces
        where organization_id = ${organizationId} and ${isIn(sql`collection_id`, id)}
        order by position desc, id desc limit ${last})
      union all
      (select id, position, 'collection' from collections
        where organization_id = ${organizationId} and ${isIn(sql`parent_id`, id)}
        order by position desc, id desc limit ${last})) x
    order by position desc, id desc limit ${last}`.asSlow(),
  )
  return rows.toSorted(byPosition)
}
