import { recordChange } from '../changes/record.ts'
import { about, changeChangeRequest, openChangeRequest } from '../change-requests/actions.ts'
import { lockUnmerged } from '../change-requests/access.ts'
import { insertConflicts } from '../change-requests/conflicts/conflicts.queries.ts'
import { addContribution } from '../change-requests/contributors.queries.ts'
import { outcomeOf } from '../change-requests/merging/outcome.ts'
import { findChangeRequest } from '../change-requests/queries.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Line, commit, findLine, startBranch } from '../revisions/lines.ts'
import type { ImportPlan } from './plan-import.ts'
import type { GitSync } from './queries.ts'
import { requireSpecsSeen } from './specs-seen.ts'
import { rowsBetween } from './state.ts'
import { type Content, type Written, bothAt, usedBy } from './writing.ts'

type Proposal = ImportPlan & { sync: GitSync }

/**
 * Imports a repository as a change request: a three-way merge of what changed there since it was last part of main,
 * into the current main. Both sides are kept; where that is impossible, the change request starts with conflicts, as a
 * revert does. The content of the repository itself is kept on a line of its own, which is the base for the next
 * import.
 */
export async function proposeImport(
  tx: Transaction,
  plan: Proposal,
  content: Content & { subject: string },
): Promise<Written> {
  const { main, head, merged } = plan
  const { entries, bodies } = content
  const base = merged ?? { at: main.head, entries: head }
  const mirror = await writeMirror(tx, plan, content)
  const outcome = await outcomeOf(tx, {
    overlay: rowsBetween(base.entries, entries),
    base: base.at,
    main: main.head,
    revisions: { ours: mirror.head.id, theirs: main.head.id },
  })
  // Together, both sides may show a specification although neither side did.
  await requireSpecsSeen(tx, main, tx.by.actorId, { rows: [], bodies: outcome.bodies })
  await putAside(tx, plan.sync)
  const oid = content.commit?.oid ?? null
  const pointers = { seen_line: mirror.id, seen_seq: mirror.head.seq, seen_oid: oid }
  const stays = { merged_line: base.at.lineId, merged_seq: base.at.seq, merged_oid: merged?.oid ?? null }
  if (outcome.rows.length === 0 && outcome.conflicts.length === 0) {
    // Main already contains everything. A page that was deleted there and edited here does not count as that: it stays
    // until somebody decides.
    const both = bothAt({ id: mirror.id, seq: mirror.head.seq }, oid)
    return { made: { revision: main.head.id }, changes: 0, pointers: both }
  }
  const branch = await commit(tx, await startBranch(tx, main), {
    type: 'edits',
    parents: [main.head.id],
    rows: outcome.rows,
    bodies: new Map([...usedBy(outcome.rows, bodies), ...outcome.bodies]),
    git: content.commit,
  })
  await insertConflicts(tx, branch, outcome.conflicts)
  const made = await openChangeRequest(tx, main, branch, { subject: content.subject, description: null })
  addContribution(tx, made, 'edit')
  const details = { revision: branch.head.id }
  recordChange(tx, { ...about(main.organizationId, made.id), action: 'change-request.content-updated', details })
  const request = { change_request_id: made.id, change_request_head: branch.head.id }
  return {
    made: { changeRequest: { id: made.id, number: made.number } },
    changes: new Set([...outcome.rows, ...outcome.conflicts].map(({ entry }) => entry)).size,
    pointers: { ...(merged && stays), ...pointers, ...request },
  }
}

/**
 * Writes the line that holds the content of the repository, and nothing else. It branches off where the two sides
 * diverged.
 */
async function writeMirror(tx: Transaction, plan: Proposal, { entries, bodies, commit: git }: Content): Promise<Line> {
  const { main, head, merged, seen } = plan
  const onMirror = seen && seen.at.lineId !== main.id
  const line = onMirror
    ? await findLine(tx, main.organizationId, seen.at.lineId)
    : await startBranch(tx, merged ? { ...main, head: merged.at } : main)
  const before = seen?.entries ?? merged?.entries ?? head
  const rows = rowsBetween(before, entries)
  if (onMirror && rows.length === 0) return line
  return commit(tx, line, { type: 'edits', parents: [line.head.id], rows, bodies: usedBy(rows, bodies), git })
}

/** Archives the previous change request if nobody has touched it: what it proposed is part of the new import. */
export async function putAside(tx: Transaction, sync: GitSync): Promise<void> {
  const { organization_id, space_id, change_request_id, change_request_head, request_status, request_head } = sync
  const isOpen = request_status === 'draft' || request_status === 'open'
  if (change_request_id === null || !isOpen || request_head !== change_request_head) return
  const found = await findChangeRequest(tx, organization_id, space_id, change_request_id)
  if (!found) return
  const { changeRequest } = await lockUnmerged(tx, found)
  await changeChangeRequest(tx, changeRequest, { status: 'archived' })
}
