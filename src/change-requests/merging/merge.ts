import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../changes/record.ts'
import type { Db } from '../../db/connect.ts'
import type { Transaction } from '../../db/transaction.ts'
import { followWritten } from '../../derived/follow.ts'
import { readAhead } from '../../derived/read-ahead.ts'
import { failpoint } from '../../failpoints.ts'
import { conflict, notFound } from '../../http/errors.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { changeLine } from '../../revisions/change-line.ts'
import { listOverlay } from '../../revisions/entries.ts'
import { sendCommit } from '../../revisions/lines.ts'
import { lockBothLines } from '../access.ts'
import { about } from '../actions.ts'
import { addContribution } from '../contributors.queries.ts'
import { countMove } from '../counters.ts'
import { requireLevels } from './levels.ts'
import { type ToMerge, findToMerge, mergeUnlessChanged } from './merge.queries.ts'
import { requireMergeRules } from './merge-rules.ts'
import { type BranchOutcome, branchOutcome } from './outcome.ts'
import { requireSpecsSeen } from './specs-seen.ts'
import { type ChangeRequest, branchHeadOf, mainHeadOf } from '../queries.ts'

export interface MergeAnswer {
  /** Main's revision: the new one, or the current one if conflicts prevented the merge. */
  revision: string
  result: 'merge' | 'conflicts'
}

export interface Merging {
  mergerId: string
  /** Refuses the request if the caller asked for another state of the change request than this one. */
  requireHead: (row: ChangeRequest) => void
  /** Notifies people about the merge once it is committed. */
  mail: Pick<Mailer, 'tell'>
}

/** For more pages, reading them twice would cost more than waiting for them. */
const mostAhead = 100

/** Merges change requests into a main line one after the other. */
export function mergeInTurn(request: FastifyRequest, seen: ChangeRequest, merging: Merging): Promise<MergeAnswer> {
  return changeLine(request, seen.main_id, {
    workOut: (db) => mergeChangeRequest(db, seen, merging),
    hold: (tx) => lockBothLines(tx, seen),
    prepare: (db) => readBranchAhead(db, seen),
  })
}

/** Parses the bodies of a branch ahead of the merge. This stays useful even if main changes in the meantime. */
async function readBranchAhead(db: Db, seen: ChangeRequest): Promise<void> {
  const rows = await listOverlay(db, branchHeadOf(seen))
  if (rows.length <= mostAhead) await readAhead(db, mainOf(seen), { rows, bodies: new Map() })
}

/**
 * Works out what the merge of a change request does, without locks, and returns how to write it. The write succeeds
 * only if both lines are still where they were read and the change request is unchanged, including its reviews. So main
 * is locked as briefly as possible. Everything is one transaction: readers see main before or after, never in between.
 */
async function mergeChangeRequest(
  db: Db,
  seen: ChangeRequest,
  { mergerId, requireHead, mail }: Merging,
): Promise<(tx: Transaction) => Promise<MergeAnswer>> {
  const [row, overlay] = await Promise.all([findToMerge(db, seen), listOverlay(db, branchHeadOf(seen))])
  if (!row) throw notFound('change request')
  failpoint('merge.read')
  requireHead(row)
  if (row.status === 'merged') throw conflict('This change request is already merged.')
  if (row.status === 'archived') throw conflict('This change request is archived. Reopen it to merge it.')
  await requireMergeRules(db, row.rules, { row, reviews: row.reviews ?? [], mergerId })

  const isSame = row.head_seq === seen.head_seq
  const outcome = await branchOutcome(db, branchHeadOf(row), mainHeadOf(row), isSame ? overlay : undefined)
  failpoint('merge.worked-out')
  if (row.has_conflicts || outcome.conflicts.length > 0) {
    return async () => ({ revision: row.main_head_id, result: 'conflicts' })
  }
  await requireLevels(db, mainHeadOf(row), outcome)
  await requireSpecsSeen(db, branchOf(row), mergerId, outcome)
  await readAhead(db, mainOf(row), outcome)
  return (tx) => writeMerge(tx, row, outcome, mail)
}

async function writeMerge(
  tx: Transaction,
  row: ToMerge,
  { rows, bodies }: BranchOutcome,
  mail: Merging['mail'],
): Promise<MergeAnswer> {
  tx.leaveRights()
  const { organization_id: organizationId } = row
  const main = mainOf(row)
  const { line: merged, written } = sendCommit(
    tx,
    main,
    {
      type: 'merge',
      // The head of a branch without its own revisions is a revision of main: it is listed only once.
      parents: [...new Set([row.main_head_id, row.head_id])],
      rows,
      bodies,
      mergedFrom: row.id,
      branch: branchHeadOf(row),
    },
    mergeUnlessChanged(row, tx.by.actorId),
  )
  failpoint('merge.written')
  await followWritten(tx, written, { before: main, after: merged, rows, bodies })
  failpoint('merge.followed')
  addContribution(tx, row, 'edit')
  countMove(tx, row, row.status, 'merged')
  recordChange(tx, { ...about(organizationId, row.id), action: 'change-request.merged' })
  mail.tell(tx, { kind: 'said', organizationId, about: { merged: row.id } })
  failpoint('merge.counted')
  tx.afterCommit(() => failpoint('merge.committed'))
  await tx.end()
  return { revision: merged.head.id, result: 'merge' }
}

const branchOf = ({ organization_id, line_id, space_id }: ChangeRequest) => ({
  organizationId: organization_id,
  id: line_id,
  spaceId: space_id,
})

const mainOf = (row: ChangeRequest) => ({
  organizationId: row.organization_id,
  id: row.main_id,
  spaceId: row.space_id,
  head: mainHeadOf(row),
})
