import type { Caller } from '../access/caller.ts'
import { about } from '../change-requests/actions.ts'
import { lockUnmerged } from '../change-requests/access.ts'
import { addContribution } from '../change-requests/contributors.queries.ts'
import { type ChangeRequest, touchChangeRequest } from '../change-requests/queries.ts'
import { recordChange } from '../changes/record.ts'
import { sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { lockUploads } from '../files/uploads.queries.ts'
import { conflict, notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { type Line, lockLine } from '../revisions/lines.ts'
import type { BlobStore } from '../storage/store.ts'
import type { Batch } from './batch.ts'
import { commitBatch } from './commit.ts'
import { Draft } from './draft.ts'
import { applyChange } from './operations.ts'
import type { Prepared } from './prepare.ts'
import { ChangePath } from './refusals.ts'
import type { Change } from './schema.ts'

/** A batch, and all it takes to write it. */
export interface Edit {
  prepared: Prepared
  caller: Caller
  store: BlobStore
  /** Called once the line is held: whoever asked for another state than this one is refused. */
  requireHead(line: Line): void
}

export interface Edited {
  batch: Batch
  line: Line
}

/** Changes the content of a change request, all of the batch or none. */
export async function editChangeRequest(
  tx: Transaction,
  row: ChangeRequest,
  edit: Edit,
): Promise<Edited & { changeRequest: ChangeRequest }> {
  const uploads = await holdUploads(tx, row.organization_id, edit)
  const { changeRequest, branch } = await lockUnmerged(tx, row)
  refuseArchived(changeRequest)
  const edited = await applyBatch(tx, branch, edit, uploads)
  if (edited.line === branch) return { ...edited, changeRequest }

  tx.leaveRights()
  addContribution(tx, row, 'edit')
  recordChange(tx, { ...about(row.organization_id, row.id), action: 'change-request.content-updated' })
  const updated_at = await touchChangeRequest(tx, row)
  return { ...edited, changeRequest: { ...changeRequest, updated_at, head_id: edited.line.head.id } }
}

export function refuseArchived({ status }: Pick<ChangeRequest, 'status'>): void {
  if (status === 'merged') throw conflict('This change request is merged: it cannot change any more.')
  if (status === 'archived') throw conflict('This change request is archived. Open it again to change its content.')
}

/** Changes the content of a space itself. */
export async function editSpace(tx: Transaction, space: SpaceRow, mainId: string, edit: Edit): Promise<Edited> {
  const { organization_id: organizationId, id } = space
  const uploads = await holdUploads(tx, organizationId, edit)
  const [main, current] = await Promise.all([
    lockLine(tx, organizationId, mainId),
    // Read once the line is held: locking a space waits for those who write, and they for it.
    tx.find(sql<Pick<SpaceRow, 'edit_mode'>>`
      select edit_mode from spaces where organization_id = ${organizationId} and id = ${id} and deleted_at is null`),
  ])
  if (!current) throw notFound('space')
  refuseLocked(current)
  const edited = await applyBatch(tx, main, edit, uploads)
  if (edited.line === main) return edited

  tx.leaveRights()
  tx.runLater(sql`update spaces set updated_at = now() where organization_id = ${organizationId} and id = ${id}`)
  recordChange(tx, { organizationId, target: { type: 'space', id }, action: 'space.content-updated' })
  return edited
}

export function refuseLocked({ edit_mode }: Pick<SpaceRow, 'edit_mode'>): void {
  if (edit_mode === 'locked') throw conflict('This space is locked: change its content in a change request.')
}

async function holdUploads(tx: Transaction, organizationId: string, { prepared }: Edit): Promise<Batch['uploads']> {
  const keys = prepared.changes
    .flatMap((change) => (change.operation === 'insert_files' ? change.files : []))
    .flatMap(({ key }) => (key !== undefined && isId(key) ? [key] : []))
  return new Map((await lockUploads(tx, organizationId, keys)).map((upload) => [upload.key, upload]))
}

async function applyBatch(tx: Transaction, line: Line, edit: Edit, uploads: Batch['uploads']): Promise<Edited> {
  const { prepared, caller } = edit
  // The answer that was to be repeated is gone, this very moment; nothing was prepared for a second effect.
  if (prepared.changes.length === 0)
    throw conflict('The first answer has just been forgotten. Send this with a new key.')
  edit.requireHead(line)
  const { organizationId, spaceId, head } = line
  const batch: Batch = {
    tx,
    draft: new Draft(tx, head),
    caller,
    organizationId,
    spaceId,
    base: head.base && { ...head, ...head.base, base: undefined },
    now: new Date().toISOString(),
    files: prepared.files,
    uploads,
    refs: new Map(),
    touched: new Map(),
  }
  await batch.draft.load(prepared.changes.flatMap(idsIn))
  for (const [index, change] of prepared.changes.entries()) {
    const path = new ChangePath(index)
    await applyChange(change, { batch, path, index, document: prepared.documents.get(index) })
  }
  return { batch, line: await commitBatch(batch, line, edit.store) }
}

/** What a change names, to be read all at once. */
function idsIn(change: Change): string[] {
  const { page, into, file, reusableContent } = change as Partial<Record<string, string | null>>
  return [page, into, file, reusableContent].filter((id) => typeof id === 'string' && isId(id)) as string[]
}
