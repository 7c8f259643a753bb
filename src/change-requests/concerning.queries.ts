import { isOpenTo } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import { roles } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/** A change request that waits for a user's review, or that the user took part in. */
export interface Concerning {
  organization_id: string
  space_id: string
  space_title: string
  number: number
  subject: string
  updated_at: Date
  /** Whether the user was asked for a review, may still write one, and has not reviewed the current revision. */
  asked: boolean
}

const most = 20

const reviewing = roles.filter((role) => spaceRights(role).review)

/**
 * Lists those of one organization that are neither merged nor archived: requested reviews first, then the most recently
 * changed.
 */
export async function listConcerning(db: Db, organizationId: string, userId: string): Promise<Concerning[]> {
  return db.all(
    sql<Concerning>`
    with mine (id) as (
      select change_request_id from requested_reviewers
      where organization_id = ${organizationId} and user_id = ${userId}
      union
      select change_request_id from contributors where organization_id = ${organizationId} and user_id = ${userId})
    select r.organization_id, r.space_id, s.title as space_title, r.number, r.subject, r.updated_at,
      exists (select from requested_reviewers q where q.organization_id = r.organization_id
        and q.change_request_id = r.id and q.user_id = ${userId})
      and not exists (select from reviews v where v.organization_id = r.organization_id and v.change_request_id = r.id
        and v.reviewer_id = ${userId} and v.revision_id = l.head_id)
      and ${isOpenTo(organizationId, userId, sql`r.space_id`, reviewing)} as asked
    from mine
    join change_requests r on r.organization_id = ${organizationId} and r.id = mine.id and r.status in ('draft', 'open')
    join lines l on l.organization_id = r.organization_id and l.id = r.line_id
    join spaces s on s.organization_id = r.organization_id and s.id = r.space_id and s.deleted_at is null
    where ${isOpenTo(organizationId, userId, sql`r.space_id`)}
    order by asked desc, r.updated_at desc, r.id desc limit ${most}`.asSlow(),
  )
}
