import { type Statement, sql } from '../db/sql.ts'
import type { Db } from '../db/connect.ts'

/**
 * Selects the `user_id` of everyone who created a change request, was asked to review it, or edited, reviewed or
 * commented on it; each once.
 */
export const takingPartIn = (organizationId: string, changeRequestId: string): Statement => sql`(
  select r.created_by as user_id from change_requests r
  where r.organization_id = ${organizationId} and r.id = ${changeRequestId} and r.created_by is not null
  union
  select a.user_id from requested_reviewers a
  where a.organization_id = ${organizationId} and a.change_request_id = ${changeRequestId}
  union
  select v.reviewer_id from reviews v
  where v.organization_id = ${organizationId} and v.change_request_id = ${changeRequestId}
  union
  select c.user_id from contributors c
  where c.organization_id = ${organizationId} and c.change_request_id = ${changeRequestId})`

export async function listTakingPart(
  db: Db,
  { organization_id, id }: { organization_id: string; id: string },
): Promise<ReadonlySet<string>> {
  const rows = await db.all(
    sql<{ user_id: string }>`select p.user_id from ${takingPartIn(organization_id, id)} p`.asSlow(),
  )
  return new Set(rows.map(({ user_id }) => user_id))
}
