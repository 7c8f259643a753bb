import type { Caller } from '../access/caller.ts'
import { type SpaceAccess, accessSpace } from '../access/content.ts'
import { recordChange } from '../changes/record.ts'
import { accessPlace, lockTree, positionAfter } from '../collections/tree.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { upsertMemberGrants } from '../grants/queries.ts'
import { newId } from '../ids.ts'
import { copiedLinks, settleCopy } from '../links/lifecycle.queries.ts'
import { copiedSections } from '../search/indexing/lifecycle.queries.ts'
import { firstCharacters } from '../shortened.ts'
import { about } from './actions.ts'
import { insertSpace } from './queries.ts'

const maxTitle = 50
const maxMs = 120_000

/**
 * Copies a space that the caller may read. The copy goes next to it, where the caller must be allowed to create spaces.
 * `name` distinguishes the titles of the two.
 */
export async function copySpace(
  tx: Transaction,
  caller: Caller,
  spaceId: string,
  name = 'copy',
): Promise<Pick<SpaceRow, 'id' | 'title'>> {
  const { organization_id } = (await accessSpace(tx, caller, spaceId, 'view')).space
  await lockTree(tx, organization_id)
  const { space } = await accessToCopy(tx, caller, spaceId)
  return duplicateSpace(tx, space, { name, creatorId: caller.user.id })
}

export async function accessToCopy(db: Db, caller: Caller, spaceId: string): Promise<SpaceAccess> {
  const access = await accessSpace(db, caller, spaceId, 'view')
  const { organization_id: organizationId, collection_id: id } = access.space
  await accessPlace(db, caller, { organizationId, id }, access.organizationRole)
  return access
}

/**
 * Places the copy right behind the original. Copies the current content, the files and the settings, but not the
 * history, comments, change requests and grants. Entries keep their ids, so that links by id keep working. Requires the
 * tree to be locked.
 */
async function duplicateSpace(
  tx: Transaction,
  row: SpaceRow,
  { name, creatorId }: { name: string; creatorId: string },
): Promise<Pick<SpaceRow, 'id' | 'title'>> {
  const { organization_id: organizationId } = row
  const id = newId()
  const title = firstCharacters(`${row.title} (${name})`, maxTitle).trimEnd()
  await tx.allow(maxMs)
  const parent = { organizationId, id: row.collection_id }
  await insertSpace(tx, {
    ...row,
    id,
    title,
    position: await positionAfter(tx, parent, row.id, id),
    created_by: creatorId,
  })
  await copyMain(tx, organizationId, row.id, id)
  await upsertMemberGrants(tx, { organizationId, type: 'space', id }, [creatorId], 'admin')
  recordChange(tx, { ...about(organizationId, id), action: 'space.created' })
  return { id, title }
}

/** A single statement, so that it sees main between two commits and never in the middle of one. */
async function copyMain(tx: Transaction, organizationId: string, fromSpaceId: string, toSpaceId: string) {
  const lineId = newId()
  const revisionId = newId()
  const copy = { organizationId, fromSpaceId, toSpaceId, toLineId: lineId }
  await tx.run(
    sql`
    with line as (
      insert into lines (organization_id, id, space_id, head_seq, head_id)
      values (${organizationId}, ${lineId}, ${toSpaceId}, 1, ${revisionId}) returning 1),
    revision as (
      insert into revisions (organization_id, line_id, seq, id, parents, type, author_id)
      select ${organizationId}, ${lineId}, 1, ${revisionId}, '{}', 'edits', ${tx.by.actorId}::uuid from line),
    copied as (
      insert into entries (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data)
      select ${organizationId}, ${lineId}, e.entry, 1, e.kind, 0, e.parent, e.slug, e.position, e.doc, e.refs, e.data
      from line, lines l join heads e on e.organization_id = l.organization_id and e.line_id = l.id and e.state = 0
      where l.organization_id = ${organizationId} and l.space_id = ${fromSpaceId} and l.main_id is null
      returning *),
    ${copiedLinks(copy)},
    ${copiedSections(organizationId, fromSpaceId, toSpaceId)},
    git_files_copied as (
      insert into git_files (organization_id, space_id, path, oid, blob, executable, of_content)
      select organization_id, ${toSpaceId}, path, oid, blob, executable, of_content from git_files
      where organization_id = ${organizationId} and space_id = ${fromSpaceId})
    insert into heads (organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data)
    select organization_id, line_id, entry, from_seq, kind, state, parent, slug, position, doc, refs, data from copied`.asSlow(),
  )
  await settleCopy(tx, copy)
}
