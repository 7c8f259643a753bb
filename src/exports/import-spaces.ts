import { recordChange } from '../changes/record.ts'
import { lastPositions } from '../collections/tree.ts'
import { byPosition } from '../content/positions.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { keepBlob } from '../files/blobs.ts'
import { bodyHash } from '../revisions/bodies.ts'
import { type Row, file, page } from '../revisions/entries.ts'
import { startMainLine } from '../revisions/lines.ts'
import { about } from '../spaces/actions.ts'
import { insertSpace } from '../spaces/queries.ts'
import type { BlobStore } from '../storage/store.ts'
import { restoreComments } from './import-comments.ts'
import { freeId, withNewIds } from './new-ids.ts'
import { type JsonRow, insertRows } from './queries.ts'
import type { ReadSpace } from './read-space.ts'

/** Where an archive is restored to. `ids` maps the old id of everything to its id here. */
export interface Restoring {
  organizationId: string
  ids: Map<string, string>
  /** The positions of the collections and spaces that are in no collection of the archive. */
  top: Map<string, string>
  problems: string[]
}

/**
 * Finds an id and a position for every collection and space. Spaces link to each other, so all ids are known before the
 * first space is written.
 */
export async function findRoom(
  tx: Transaction,
  to: Restoring,
  collections: JsonRow[],
  spaces: readonly ReadSpace[],
): Promise<void> {
  for (const { id } of collections) to.ids.set(id as string, await freeId(tx, sql`collections`, id as string))
  for (const { settings } of spaces) to.ids.set(settings.id, await freeId(tx, sql`spaces`, settings.id))
  to.top = await placesAtTop(tx, to, collections, spaces)
}

/**
 * Collections and spaces whose parent is not restored go to the top: in the order they had, after everything that
 * exists there.
 */
async function placesAtTop(
  tx: Transaction,
  { organizationId, ids }: Restoring,
  collections: JsonRow[],
  spaces: readonly ReadSpace[],
): Promise<Map<string, string>> {
  const placed = [
    ...collections.map((row) => ({ was: row['id'], parent: row['parent_id'], position: row['position'] })),
    ...spaces.map(({ settings: { id, collection, position } }) => ({ was: id, parent: collection, position })),
  ] as { was: string; parent: string | null; position: string }[]
  const atTop = placed.flatMap(({ was, parent, position }) => (ids.has(parent ?? '') ? [] : { entry: was, position }))
  const ordered = atTop.toSorted(byPosition).map(({ entry }) => ids.get(entry)!)
  return lastPositions(tx, { organizationId, id: null }, ordered)
}

/** Restores the collections, with their ids and parents here. */
export async function restoreCollections(tx: Transaction, to: Restoring, collections: JsonRow[]): Promise<void> {
  const rows = collections.map((row) => {
    const id = to.ids.get(row['id'] as string)!
    const parent = to.ids.get(row['parent_id'] as string) ?? null
    return { ...row, id, parent_id: parent, position: to.top.get(id) ?? row['position'] }
  })
  await insertRows(tx, 'collections', to.organizationId, rows)
  for (const { id } of rows) {
    recordChange(tx, {
      action: 'collection.created',
      organizationId: to.organizationId,
      target: { type: 'collection', id },
    })
  }
}

export type RestoredSpace = Awaited<ReturnType<typeof restoreSpace>>

export async function restoreSpace(tx: Transaction, store: BlobStore, to: Restoring, archived: ReadSpace) {
  const space = renamed(archived, to.ids)
  const { organizationId } = to
  const { settings, rows, bodies, incoming } = space
  const id = to.ids.get(settings.id)!
  const collectionId = to.ids.get(settings.collection ?? '') ?? null
  await insertSpace(tx, {
    organization_id: organizationId,
    id,
    collection_id: collectionId,
    title: settings.title,
    emoji: settings.emoji,
    icon: settings.icon,
    edit_mode: settings.editMode,
    language: settings.language,
    inherits: settings.inherits,
    level: settings.level,
    position: to.top.get(id) ?? settings.position,
    // The rules are restored later, once the members are matched.
    merge_rules: { type: 'inherit' },
    created_by: null,
  })
  for (const each of incoming) await keepBlob(tx, store, organizationId, each)
  const line = await startMainLine(tx, organizationId, id, rows, bodies)
  await insertRows(
    tx,
    'former_paths',
    organizationId,
    settings.formerPaths.map((each) => ({ ...each, space_id: id })),
  )
  const comments = await restoreComments(tx, { organizationId, spaceId: id, revisionId: line.head.id }, space)
  recordChange(tx, { ...about(organizationId, id), action: 'space.created' })
  const of = (kind: number) => rows.filter((row) => row.kind === kind).length
  return {
    space: { id, title: settings.title, pages: of(page), files: of(file), comments },
    written: { before: { ...line, head: { ...line.head, seq: 0 } }, after: line, rows, bodies },
  }
}

/** The content of a space, with the ids that spaces and collections of the archive have here. */
function renamed(space: ReadSpace, ids: ReadonlyMap<string, string>): ReadSpace {
  if ([...ids].every(([before, after]) => before === after)) return space
  const bodies = new Map<string, string>()
  const rows = withNewIds(space.rows, ids).map((row): Row => {
    if (row.doc === null) return row
    const body = withNewIds(space.bodies.get(row.doc)!, ids)
    const doc = bodyHash(body)
    bodies.set(doc, body)
    return { ...row, doc }
  })
  const comments = space.comments.map((line) => ({
    ...line,
    comment: { ...line.comment, markdown: withNewIds(line.comment['markdown'], ids) },
  }))
  return { ...space, rows, bodies, comments }
}
