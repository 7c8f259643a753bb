import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { MergeRules } from '../../db/tables.ts'
import { rulesInForce } from '../../spaces/queries.ts'
import type { Person } from '../../users/present.ts'
import { type ChangeRequest, all, joined } from '../queries.ts'
import { type LatestReview, latestReviews } from '../reviews/reviews.queries.ts'

/** A change request with everything that decides whether it may be merged, as of one moment. */
export type ToMerge = ChangeRequest & {
  /** Differs after any change to the change request. A review is also a change. */
  version: string
  rules: MergeRules
  reviews: LatestReview[] | null
  has_conflicts: boolean
}

export async function findToMerge(
  db: Db,
  { organization_id, id }: Pick<ChangeRequest, 'organization_id' | 'id'>,
): Promise<ToMerge | undefined> {
  return db.find(sql<ToMerge>`
    select ${all}, r.xmin::text as version,
      ${rulesInForce} as rules,
      (select json_agg(v) from (${latestReviews({ organization_id, id })}) v) as reviews,
      exists (select from conflicts c
        where c.organization_id = r.organization_id and c.line_id = r.line_id and c.to_seq is null) as has_conflicts
    from ${joined}
    cross join lateral (select s.merge_rules from spaces s
      where s.organization_id = r.organization_id and s.id = r.space_id limit 1) s
    join organizations o on o.id = r.organization_id
    where r.organization_id = ${organization_id} and r.id = ${id}`)
}

/** Returns who merged it: undefined if it was merged before this was recorded, or if their account is gone. */
export async function findMerger(
  db: Db,
  { organization_id, id }: Pick<ChangeRequest, 'organization_id' | 'id'>,
): Promise<Person | undefined> {
  return db.find(sql<Person>`
    select u.id, u.email, u.display_name, u.photo_url from change_requests r join users u on u.id = r.merged_by
    where r.organization_id = ${organization_id} and r.id = ${id}`)
}

/**
 * What a merge depends on, and does (`sendCommit`): if the change request is still as it was read, marks it as merged.
 */
export function mergeUnlessChanged({ organization_id, id, version }: ToMerge, mergerId: string | null) {
  return sql`
    update change_requests r set status = 'merged', revision_merged = line.head_id, merged_by = ${mergerId},
      updated_at = now()
    from line where r.organization_id = ${organization_id} and r.id = ${id} and r.xmin = ${version}::text::xid
    returning 1`
}
