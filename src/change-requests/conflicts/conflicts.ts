import type { Conflict } from '../../content/merge/conflicts.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { Db } from '../../db/connect.ts'
import type { Page } from '../../http/paging.ts'
import { listEntries } from '../../revisions/entries.ts'
import { findLine } from '../../revisions/lines.ts'
import type { Revision } from '../../revisions/revision.ts'
import { countOpenConflicts, listOpenConflicts } from './conflicts.queries.ts'
import { baseOf, branchOutcome } from '../merging/outcome.ts'
import { type ChangeRequest, mainHeadOf } from '../queries.ts'

export interface ListedConflict {
  state: 'open' | 'expected'
  conflict: Conflict
  /** The entry it is about, as it is or was. */
  entry: Entry | undefined
}

/** Lists the open conflicts that an update left, then those that a merge would have now; each part by id. */
export async function listConflicts(db: Db, row: ChangeRequest, page: Page) {
  const branch = await findLine(db, row.organization_id, row.line_id)
  const main = mainHeadOf(row)
  const [expected, openCount] = await Promise.all([
    row.status === 'merged' ? [] : expectedConflicts(db, branch.head, main),
    countOpenConflicts(db, branch),
  ])

  const [state, id] = (page.after ?? ['open', undefined]) as [ListedConflict['state'], string | undefined]
  const atMost = page.limit + 1
  const open = state === 'open' ? await listOpenConflicts(db, branch, { limit: atMost, after: id }) : []
  const following = state === 'open' ? expected : expected.filter((conflict) => conflict.id > id!)
  const listed = [
    ...open.map((conflict) => ({ state: 'open' as const, conflict })),
    ...following.map((conflict) => ({ state: 'expected' as const, conflict })),
  ].slice(0, atMost)

  const entries = await findAnywhere(
    db,
    [branch.head, main, baseOf(branch.head)],
    listed.map(({ conflict }) => conflict.entry),
  )
  const rows = listed.map(({ state, conflict }): ListedConflict => ({
    state,
    conflict,
    entry: entries.get(conflict.entry),
  }))
  return { rows, count: openCount + expected.length }
}

async function expectedConflicts(db: Db, branch: Revision, main: Revision): Promise<Conflict[]> {
  if (branch.seq === 0) return []
  const { conflicts } = await branchOutcome(db, branch, main)
  return conflicts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Returns each entry from the first of these revisions that has it: one side of a conflict may have deleted it. */
async function findAnywhere(db: Db, revisions: Revision[], ids: string[]): Promise<Map<string, Entry>> {
  const found = await Promise.all(revisions.map((revision) => listEntries(db, revision, [...new Set(ids)])))
  return new Map(found.toReversed().flatMap((entries) => entries.map((entry) => [entry.entry, entry] as const)))
}
