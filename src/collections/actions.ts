import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import { type Level, findLevelIn } from '../access/levels.ts'
import { mayGive } from '../access/rights.ts'
import type { Role } from '../access/roles.ts'
import { changedFields } from '../changes/changed-fields.ts'
import { recordChange } from '../changes/record.ts'
import type { CollectionRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { upsertMemberGrants } from '../grants/queries.ts'
import { conflict, forbidden } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { takeOutOfCollection } from '../spaces/trash.queries.ts'
import { requireRoom } from './levels.ts'
import { deleteCollection, insertCollection, isEmpty, isWithin, listUntitled, updateCollection } from './queries.ts'
import type { CollectionChanges } from './schema.ts'
import { type Move, type Parent, lastPosition, positionAt } from './tree.ts'

/** Creates a collection in the last place, with its creator as its administrator. */
export async function createCollection(
  tx: Transaction,
  draft: { parent: Parent; title?: string; creatorId: string },
): Promise<string> {
  const { parent, creatorId } = draft
  const { organizationId } = parent
  await requireRoom(tx, parent)
  const id = newId()
  const title = draft.title ?? untitled(await listUntitled(tx, organizationId, parent.id))
  const position = await lastPosition(tx, parent, id)
  await insertCollection(tx, { organizationId, id, parentId: parent.id, title, position })
  await upsertMemberGrants(tx, { organizationId, type: 'collection', id }, [creatorId], 'admin')
  recordChange(tx, { ...about(organizationId, id), action: 'collection.created' })
  return id
}

/** Returns the first free name. */
export function untitled(taken: readonly string[]): string {
  for (let n = 0; ; n++) {
    const title = n === 0 ? 'Untitled' : `Untitled ${n}`
    if (!taken.includes(title)) return title
  }
}

/** Setting a field to the value it already has is not a change. */
export async function changeCollection(
  tx: Transaction,
  row: CollectionRow,
  changes: Static<typeof CollectionChanges>,
  own: Role,
): Promise<void> {
  const { title, description, defaultLevel } = changes
  const parent = { organizationId: row.organization_id, id: row.parent_id }
  const changed = {
    ...row,
    title: title ?? row.title,
    description: description === undefined ? row.description : description || null,
    ...(defaultLevel !== undefined && (await levelFrom(tx, defaultLevel, own, parent))),
  }
  if (isDeepStrictEqual(changed, row)) return
  await updateCollection(tx, changed)
  const fields = changedFields<CollectionRow>(changed, row, columns)
  recordChange(tx, {
    ...about(row.organization_id, row.id),
    action: 'collection.updated',
    fields,
    ...(fields.includes('defaultLevel') && { details: levelSaid(defaultLevel) }),
  })
}

const columns = {
  title: ['title'],
  description: ['description'],
  defaultLevel: ['inherits', 'level'],
} as const satisfies Record<keyof Static<typeof CollectionChanges>, readonly (keyof CollectionRow)[]>

/** What the audit log says about a level: its readers want to see what was opened or closed to whom. */
export const levelSaid = (level: string | null | undefined): Record<string, string> =>
  level === undefined ? {} : { defaultLevel: level ?? 'none' }

/**
 * Returns a level as a row below `parent` stores it. Nobody can give everybody more access than they have themselves,
 * not even by inheriting it.
 */
export async function levelFrom(
  tx: Transaction,
  given: Role | null | 'inherit',
  own: Role,
  parent: Parent,
): Promise<Level> {
  const held: Level =
    given === 'inherit' ? await findLevelIn(tx, parent.organizationId, parent.id) : { inherits: false, level: given }
  if (!held.inherits && !mayGive(own, held.level)) throw forbidden('set a level above your own role')
  return given === 'inherit' ? { inherits: true, level: null } : held
}

/** Requires the tree to be locked. Moving a collection to its current place is not a move. */
export async function moveCollection(tx: Transaction, row: CollectionRow, move: Move): Promise<void> {
  const parentId = move.parent === undefined ? row.parent_id : move.parent
  if (parentId === row.parent_id && !move.position) return
  if (parentId !== null && (await isWithin(tx, row, parentId))) {
    throw conflict('A collection cannot be moved into itself or into a collection that it contains.')
  }
  const parent = { organizationId: row.organization_id, id: parentId }
  if (parentId !== row.parent_id) await requireRoom(tx, parent, row)
  const position = await positionAt(tx, parent, move.position ?? {}, row.id)
  if (parentId === row.parent_id && position === row.position) return
  await updateCollection(tx, { ...row, parent_id: parentId, position })
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'collection.moved' })
}

/** Requires the collection to be locked. Spaces in the trash that were in it will be restored to the top level. */
export async function removeCollection(tx: Transaction, row: CollectionRow): Promise<void> {
  if (!(await isEmpty(tx, row))) {
    throw conflict('This collection is not empty. Move or delete its contents first.')
  }
  await takeOutOfCollection(tx, row, await findLevelIn(tx, row.organization_id, row.id))
  await deleteCollection(tx, row)
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'collection.deleted' })
}

const about = (organizationId: string, id: string) => ({ organizationId, target: { type: 'collection', id } })
