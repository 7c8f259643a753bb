import type { Conflict } from '../../content/merge/conflicts.ts'
import type { Db } from '../../db/connect.ts'
import { nothing, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Line } from '../../revisions/lines.ts'

type Branch = Pick<Line, 'organizationId' | 'id'>

const columns = sql`c.id, c.kind, c.entry, c.field, c.base, c.ours, c.theirs`

/** Lists the conflicts of a branch that nobody has settled yet. */
export async function listOpenConflicts(
  db: Db,
  { organizationId, id }: Branch,
  page: { limit: number | null; after?: string | undefined } = { limit: null },
): Promise<Conflict[]> {
  return db.all(
    sql<Conflict>`
    select ${columns} from conflicts c
    where c.organization_id = ${organizationId} and c.line_id = ${id} and c.to_seq is null
      ${page.after === undefined ? nothing : sql`and c.id > ${page.after}::uuid`}
    order by c.id limit ${page.limit}::int`,
  )
}

/** Lists only those about these entries: there may be very many others, each with everything that was at stake. */
export async function listOpenConflictsOf(
  db: Db,
  { organizationId, id }: Branch,
  entries: readonly string[],
): Promise<Conflict[]> {
  return db.all(
    sql<Conflict>`
    select ${columns} from conflicts c
    where c.organization_id = ${organizationId} and c.line_id = ${id} and c.to_seq is null
      and c.entry = any (${entries}::uuid[]) order by c.id`,
  )
}

/** Whether an entry has open conflicts that it did not have in an earlier revision of the branch. */
export async function hasNewConflict(
  db: Db,
  { organizationId, id }: Branch,
  entry: string,
  since: number,
): Promise<boolean> {
  const found = await db.find(sql`
    select from conflicts
    where organization_id = ${organizationId} and line_id = ${id} and to_seq is null
      and entry = ${entry} and from_seq > ${since} limit 1`)
  return found !== undefined
}

/** Returns the entry that an open conflict is about. */
export async function findConflictedEntry(
  db: Db,
  { organizationId, id }: Branch,
  conflictId: string,
): Promise<string | undefined> {
  const found = await db.find(sql<{ entry: string }>`
    select entry from conflicts
    where organization_id = ${organizationId} and line_id = ${id} and to_seq is null and id = ${conflictId}::uuid`)
  return found?.entry
}

export async function countOpenConflicts(db: Db, { organizationId, id }: Branch): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from conflicts where organization_id = ${organizationId} and line_id = ${id} and to_seq is null`)
  return count
}

/** Stores the conflicts left by the revision that is the current head of `branch`. */
export async function insertConflicts(tx: Transaction, branch: Line, conflicts: readonly Conflict[]): Promise<void> {
  if (conflicts.length === 0) return
  await tx.run(sql`
    insert into conflicts (organization_id, line_id, id, entry, kind, field, base, ours, theirs, from_seq)
    select ${branch.organizationId}, ${branch.id}, c.id, c.entry, c.kind, c.field, c.base, c.ours, c.theirs,
      ${branch.head.seq}
    from jsonb_to_recordset(${JSON.stringify(conflicts)}::jsonb)
      c (id uuid, entry uuid, kind text, field text, base jsonb, ours jsonb, theirs jsonb)`)
}

/** Marks conflicts as settled by the revision `seq` of the branch. */
export function closeConflicts(tx: Transaction, branch: Branch, ids: string[], seq: number): void {
  if (ids.length === 0) return
  tx.runLater(sql`
    update conflicts set to_seq = ${seq}
    where organization_id = ${branch.organizationId} and line_id = ${branch.id} and id = any (${ids}::uuid[])
      and to_seq is null`)
}
