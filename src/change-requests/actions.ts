import { recordChange } from '../changes/record.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import { type Line, findMainLine, startBranch } from '../revisions/lines.ts'
import { countMove } from './counters.ts'
import {
  type ChangeRequest,
  type Status,
  findChangeRequest,
  insertChangeRequest,
  updateChangeRequest,
} from './queries.ts'

export interface Draft {
  subject: string
  description: string | null
}

/** Creates a branch off main as it is now, and the change request for it. */
export async function createChangeRequest(
  tx: Transaction,
  space: Pick<SpaceRow, 'organization_id' | 'id'>,
  draft: Draft,
): Promise<ChangeRequest> {
  const main = await findMainLine(tx, space.organization_id, space.id)
  const branch = await startBranch(tx, main)
  return openChangeRequest(tx, main, branch, draft)
}

/** Creates the change request for a branch that was just started. */
export async function openChangeRequest(
  tx: Transaction,
  main: Line,
  branch: Line,
  draft: Draft,
): Promise<ChangeRequest> {
  const { organizationId, spaceId } = main
  const id = newId()
  await insertChangeRequest(tx, {
    organizationId,
    spaceId,
    id,
    lineId: branch.id,
    ...draft,
    createdBy: tx.by.actorId,
    revisionInitial: main.head.id,
  })
  countMove(tx, { organization_id: organizationId, space_id: spaceId }, undefined, 'draft')
  recordChange(tx, { ...about(organizationId, id), action: 'change-request.created' })
  return (await findChangeRequest(tx, organizationId, spaceId, id))!
}

/** Requires the change request to be locked. Setting a field to the value it already has is not a change. */
export async function changeChangeRequest(
  tx: Transaction,
  row: ChangeRequest,
  asked: { status?: Exclude<Status, 'merged'>; subject?: string; description?: string | null },
): Promise<ChangeRequest> {
  const keys = (['status', 'subject', 'description'] as const).filter(
    (key) => asked[key] !== undefined && asked[key] !== row[key],
  )
  if (keys.length === 0) return row
  const changes = Object.fromEntries(keys.map((key) => [key, asked[key]]))
  await updateChangeRequest(tx, row, changes)
  if (asked.status) countMove(tx, row, row.status, asked.status)
  recordChange(tx, {
    ...about(row.organization_id, row.id),
    action: 'change-request.updated',
    fields: keys,
    ...(keys.includes('status') && { details: { status: asked.status! } }),
  })
  return (await findChangeRequest(tx, row.organization_id, row.space_id, row.id))!
}

export const about = (organizationId: string, id: string) => ({
  organizationId,
  target: { type: 'change-request', id },
})
