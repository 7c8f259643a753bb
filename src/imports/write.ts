import type { Caller } from '../access/caller.ts'
import { about as aboutRequest } from '../change-requests/actions.ts'
import { addContribution } from '../change-requests/contributors.queries.ts'
import { type ChangeRequest, findToEdit, touchUnlessClosed } from '../change-requests/queries.ts'
import { recordChange } from '../changes/record.ts'
import type { Db } from '../db/connect.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Plan, writePlan } from '../editing/commit.ts'
import { findSpaceToEdit, stillLive, stillThere } from '../editing/queries.ts'
import { failpoint } from '../failpoints.ts'
import { notFound } from '../http/errors.ts'
import { type Line, lockLine } from '../revisions/lines.ts'
import { planPages } from './plan.ts'
import type { PreparedImport } from './prepare.ts'
import { type CheckedTarget, type Target, accessTarget } from './target.ts'

export interface Importing {
  caller: Caller
  /** The address of this installation. */
  url: string
  requireHead(line: Line): void
}

/** Longer than a usual statement may take, because it writes all pages of a site. */
const writeMs = 120_000

/** Works out what to write, with the current rights. The returned function writes it if nothing has changed since. */
export async function workOut(
  db: Db,
  target: Target,
  prepared: PreparedImport,
  importing: Importing,
): Promise<(tx: Transaction) => Promise<{ revision: string }>> {
  const checked = await accessTarget(db, importing.caller, target, 'page')
  const { organization_id: organizationId, id: spaceId } = checked.access.space
  const { changeRequest } = checked
  const named = target.pageId === undefined ? [] : [target.pageId]
  const opened = changeRequest
    ? (await findToEdit(db, organizationId, spaceId, changeRequest.id, named))?.branch
    : (await findSpaceToEdit(db, organizationId, spaceId, named))?.main
  if (!opened) throw notFound('space')
  importing.requireHead(opened.line)
  const { caller, url } = importing
  const plan = await planPages(opened, prepared, { db, caller, url, parent: target.pageId })

  return async (tx) => {
    await tx.allow(writeMs)
    const line = changeRequest ? await writeToBranch(tx, plan, changeRequest) : await writeToMain(tx, plan, checked)
    failpoint('import.written')
    tx.afterCommit(() => failpoint('import.committed'))
    return { revision: line.head.id }
  }
}

async function writeToBranch(tx: Transaction, plan: Plan, row: ChangeRequest): Promise<Line> {
  tx.leaveMain()
  const { line, written } = await writePlan(tx, plan, touchUnlessClosed(row))
  addContribution(tx, row, 'edit')
  const details = { revision: line.head.id }
  recordChange(tx, { ...aboutRequest(row.organization_id, row.id), action: 'change-request.content-updated', details })
  await written
  return line
}

async function writeToMain(tx: Transaction, plan: Plan, { access }: CheckedTarget): Promise<Line> {
  const { organization_id: organizationId, id, edit_mode } = access.space
  tx.leaveRights()
  // A caller who may write only while the space is live is refused once it is not.
  const allowed = edit_mode === 'live' ? stillLive(organizationId, id) : stillThere(organizationId, id)
  const { line } = await writePlan(tx, plan, allowed)
  recordChange(tx, {
    organizationId,
    target: { type: 'space', id },
    action: 'space.content-updated',
    details: { revision: line.head.id },
  })
  return line
}

/** Locks the line that is written, until the transaction ends. */
export const holdLine = (tx: Transaction, { head }: CheckedTarget) => lockLine(tx, head.organizationId, head.lineId)
