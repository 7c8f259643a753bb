import type { Caller } from '../access/caller.ts'
import { refuseClosed } from '../change-requests/access.ts'
import { about } from '../change-requests/actions.ts'
import { addContribution } from '../change-requests/contributors.queries.ts'
import { type ChangeRequest, findChangeRequest, findToEdit, touchUnlessClosed } from '../change-requests/queries.ts'
import { recordChange } from '../changes/record.ts'
import type { Db } from '../db/connect.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { failpoint } from '../failpoints.ts'
import { conflict, notFound } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { type Line, lockLine } from '../revisions/lines.ts'
import type { Opened } from '../revisions/opened.ts'
import type { BlobStore } from '../storage/store.ts'
import { type Batch, beginBatch } from './batch.ts'
import { type Plan, planOf, writePlan } from './commit.ts'
import type { Draft } from './draft.ts'
import { applyChange } from './operations.ts'
import type { Prepared } from './prepare.ts'
import { findSpaceToEdit, stillLive } from './queries.ts'
import { ChangePath } from './refusals.ts'
import type { Change } from './schema.ts'
import type { Target } from './write-batch.ts'

/** A batch, and everything needed to write it. */
export interface Edit {
  prepared: Prepared
  caller: Caller
  store: BlobStore
  /** The base URL of this installation. */
  url: string
  /** Refuses a request that expects another revision of the line than this one. */
  requireHead(line: Line): void
}

export interface Edited {
  batch: Batch
  line: Line
}

type Uploads = Batch['uploads']

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

/**
 * The content of a change request as the target of a batch. The path names the change request by its id or its number.
 */
export function contentOfChangeRequest(space: Space, name: string): Target<Edited & { changeRequest: ChangeRequest }> {
  const { organization_id: organizationId, id: spaceId } = space
  const find = async (db: Db) => {
    const found = await findChangeRequest(db, organizationId, spaceId, name)
    if (!found) throw notFound('change request')
    return found
  }
  return {
    organizationId,
    turn: `${spaceId} ${name}`,
    refuse: async (db) => refuseClosed(await find(db)),
    holdLine: async (tx) => lockLine(tx, organizationId, (await find(tx)).line_id),
    workOut: (db, edit, uploads) => editChangeRequest(db, space, name, edit, uploads),
  }
}

async function editChangeRequest(db: Db, space: Space, name: string, edit: Edit, uploads: Uploads) {
  const { changeRequest, plan } = await planForChangeRequest(db, space, name, edit, uploads)
  const { batch } = plan

  return async (tx: Transaction) => {
    if (plan.isEmpty) return { batch, line: plan.line, changeRequest }
    tx.leaveMain()
    const { line, written } = await writePlan(tx, plan, touchUnlessClosed(changeRequest))
    addContribution(tx, changeRequest, 'edit')
    recordChange(tx, {
      ...about(space.organization_id, changeRequest.id),
      action: 'change-request.content-updated',
      details: { revision: line.head.id },
    })
    failpoint('editing.before-commit')
    await tx.end()
    const { updated_at } = await written
    const { id: head_id, seq: head_seq } = line.head
    return { batch, line, changeRequest: { ...changeRequest, updated_at, head_id, head_seq } }
  }
}

/** Computes what a batch would make of a change request, by the same rules. Nothing is written. */
export async function draftChangeRequest(db: Db, space: Space, name: string, edit: Edit): Promise<Draft> {
  const { plan } = await planForChangeRequest(db, space, name, edit, new Map())
  return plan.batch.draft
}

async function planForChangeRequest(db: Db, space: Space, name: string, edit: Edit, uploads: Uploads) {
  const found = await findToEdit(db, space.organization_id, space.id, name, namedBy(edit))
  if (!found) throw notFound('change request')
  const { changeRequest, branch } = found
  refuseClosed(changeRequest)
  return { changeRequest, plan: await applyBatch(db, branch, edit, uploads) }
}

/** The main content of a space as the target of a batch. */
export function contentOfSpace(space: SpaceRow, mainId: string): Target<Edited> {
  return {
    organizationId: space.organization_id,
    turn: mainId,
    refuse: async () => refuseLocked(space),
    holdLine: (tx) => lockLine(tx, space.organization_id, mainId),
    workOut: (db, edit, uploads) => editSpace(db, space, edit, uploads),
  }
}

async function editSpace(db: Db, { organization_id: organizationId, id }: Space, edit: Edit, uploads: Uploads) {
  const found = await findSpaceToEdit(db, organizationId, id, namedBy(edit))
  if (!found) throw notFound('space')
  refuseLocked(found)
  const plan = await applyBatch(db, found.main, edit, uploads)
  const { batch } = plan

  return async (tx: Transaction) => {
    if (plan.isEmpty) return { batch, line: plan.line }
    tx.leaveRights()
    const { line } = await writePlan(tx, plan, stillLive(organizationId, id))
    recordChange(tx, {
      organizationId,
      target: { type: 'space', id },
      action: 'space.content-updated',
      details: { revision: line.head.id },
    })
    failpoint('editing.before-commit')
    await tx.end()
    return { batch, line }
  }
}

function refuseLocked({ edit_mode }: Pick<SpaceRow, 'edit_mode'>): void {
  if (edit_mode === 'locked') throw conflict('This space is locked. Change its content in a change request.')
}

async function applyBatch(db: Db, opened: Opened, edit: Edit, uploads: Uploads): Promise<Plan> {
  const { prepared, caller } = edit
  // The stored answer that was to be repeated has just expired, and nothing was prepared to run the request a second
  // time.
  if (prepared.changes.length === 0)
    throw conflict('The first response has just expired. Send this request with a new key.')
  edit.requireHead(opened.line)
  const batch = beginBatch(opened, { db, caller, url: edit.url, files: filesOf(prepared), uploads })
  for (const [index, change] of prepared.changes.entries()) {
    const path = new ChangePath(index)
    await applyChange(change, { batch, path, index, document: prepared.documents.get(index) })
  }
  return planOf(batch, opened)
}

function filesOf({ files, kept }: Prepared): Batch['files'] {
  return kept ? new Map([...files, ...[...kept].map(([key, blob]) => [key, { blob }] as const)]) : files
}

/** The ids that the changes name, to be read all at once. */
function namedBy({ prepared }: Edit): string[] {
  return [...new Set(prepared.changes.flatMap(idsIn))]
}

function idsIn(change: Change): string[] {
  const { page, into, file, reusableContent } = change as Partial<Record<string, string | null>>
  return [page, into, file, reusableContent].filter((id) => typeof id === 'string' && isId(id)) as string[]
}
