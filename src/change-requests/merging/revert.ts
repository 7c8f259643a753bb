import { revertOverlay } from '../../content/merge/rows.ts'
import { recordChange } from '../../changes/record.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict } from '../../http/errors.ts'
import { listEntries, listWritten } from '../../revisions/entries.ts'
import { commit, findMainLine, startBranch } from '../../revisions/lines.ts'
import { type RevisionRow, asRevision } from '../../revisions/revision.ts'
import { about, openChangeRequest } from '../actions.ts'
import { insertConflicts } from '../conflicts/conflicts.queries.ts'
import { addContribution } from '../contributors.queries.ts'
import { requireLevels } from './levels.ts'
import { outcomeOf } from './outcome.ts'
import { requireSpecsSeen } from './specs-seen.ts'
import { type ChangeRequest, findChangeRequest } from '../queries.ts'

/**
 * Creates a change request that undoes one revision of main and keeps everything that came after it: the three-way
 * merge of the state before that revision into main as it is now, with that revision as the base. What cannot be undone
 * without losing later work becomes a conflict, as in an update.
 */
export async function revertRevision(tx: Transaction, row: RevisionRow): Promise<ChangeRequest> {
  if (row.main_id !== null)
    throw conflict('This is a revision of a change request. Only revisions of the main content can be reverted.')
  if (row.seq === 1) throw conflict('This is the first revision of the space. There is nothing to revert to.')

  const reverted = asRevision(row)
  const main = await findMainLine(tx, row.organization_id, row.space_id)
  const written = await listWritten(tx, reverted)
  const ids = written.map(({ entry }) => entry)
  const before = new Map(
    (await listEntries(tx, { ...reverted, seq: reverted.seq - 1 }, ids)).map((entry) => [entry.entry, entry]),
  )
  const branch = await startBranch(tx, main)
  const outcome = await outcomeOf(tx, {
    overlay: revertOverlay(written, (entry) => before.get(entry) ?? null),
    base: reverted,
    main: main.head,
    revisions: { ours: branch.id, theirs: main.head.id },
  })
  await requireLevels(tx, main.head, outcome)
  await requireSpecsSeen(tx, main, tx.by.actorId, outcome)
  const { rows, bodies, conflicts } = outcome
  const undone = await commit(tx, branch, { type: 'rollback', parents: [main.head.id], rows, bodies })
  await insertConflicts(tx, undone, conflicts)
  const made = await openChangeRequest(tx, main, undone, { subject: await subjectFor(tx, row), description: null })
  addContribution(tx, made, 'edit')
  recordChange(tx, { ...about(row.organization_id, made.id), action: 'change-request.reverts' })
  return made
}

async function subjectFor(tx: Transaction, row: RevisionRow): Promise<string> {
  const merged =
    row.merged_from === null
      ? undefined
      : await findChangeRequest(tx, row.organization_id, row.space_id, row.merged_from)
  const what = merged?.subject ? `“${merged.subject}”` : `the changes of ${row.created_at.toISOString().slice(0, 10)}`
  const subject = [...`Revert ${what}`]
  return subject.length <= 100 ? subject.join('') : `${subject.slice(0, 98).join('')}…”`
}
