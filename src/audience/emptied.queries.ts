import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { page } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'

/**
 * Returns which of these revisions have no page with a condition: their ids. Only the current revisions of main lines
 * can be among them. Each line is looked up by its key, because a join would read the pages of all lines.
 */
export async function listUnconditional(db: Db, revisions: readonly Revision[]): Promise<Set<string>> {
  const heads = revisions.filter(({ base }) => base === undefined)
  const rows = await db.all(
    sql<{ id: string }>`
    select l.head_id as id
    from unnest(${heads.map(({ organizationId }) => organizationId)}::uuid[], ${heads.map(({ lineId }) => lineId)}::uuid[],
      ${heads.map(({ id }) => id)}::uuid[]) held (organization_id, line_id, revision_id)
    cross join lateral (select head_id from lines l
      where l.organization_id = held.organization_id and l.id = held.line_id and l.head_id = held.revision_id limit 1) l
    left join lateral (select true as is_there from heads h
      where h.organization_id = held.organization_id and h.line_id = held.line_id and h.kind = ${page} and h.state = 0
        and h.data ? 'condition' limit 1) conditional on true
    where conditional.is_there is null`.asSlow(),
  )
  return new Set(rows.map(({ id }) => id))
}
