import type { Db } from '../../db/connect.ts'
import { type Statement, nothing, sql } from '../../db/sql.ts'
import type { ChangeRequestRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Page, behind } from '../../http/paging.ts'
import type { Person } from '../../users/present.ts'
import { asPerson } from '../../users/queries.ts'
import type { ChangeRequest } from '../queries.ts'

export interface ReviewRow {
  id: string
  change_request_id: string
  revision_id: string
  reviewer_id: string
  status: 'approved' | 'changes-requested'
  created_at: Date
  updated_at: Date
  reviewer: Person
  requested_by: Person | null
}

export type LatestReview = Pick<ReviewRow, 'reviewer_id' | 'revision_id' | 'status'>

/** Whether the change request is still as the reviewer saw it. */
export const isCurrent = (review: Pick<ReviewRow, 'revision_id'>, { head_id }: ChangeRequest) =>
  review.revision_id === head_id

const columns = sql`v.id, v.change_request_id, v.revision_id, v.reviewer_id, v.status, v.created_at,
  v.updated_at, ${asPerson(sql`u`)} as reviewer, ${asPerson(sql`q`)} as requested_by`

const joined = sql`reviews v join users u on u.id = v.reviewer_id
  left join requested_reviewers a on a.organization_id = v.organization_id
    and a.change_request_id = v.change_request_id and a.user_id = v.reviewer_id
  left join users q on q.id = a.requested_by`

const of = ({ organization_id, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>) =>
  sql`v.organization_id = ${organization_id} and v.change_request_id = ${id}`

export async function findReview(db: Db, row: ChangeRequest, reviewId: string): Promise<ReviewRow | undefined> {
  return db.find(sql<ReviewRow>`select ${columns} from ${joined} where ${of(row)} and v.id = ${reviewId}`)
}

export async function listReviews(db: Db, row: ChangeRequest, filter: { outdated?: boolean }, page: Page) {
  const matching = sql`${of(row)} ${outdatedIs(row, filter.outdated)}`
  const after = behind(page, sql`v.created_at, v.id`, 'desc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ReviewRow>`select ${columns} from ${joined} where ${matching} ${after}
      order by v.created_at desc, v.id desc limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from reviews v where ${matching}`.asSlow()),
  ])
  return { rows, count }
}

function outdatedIs({ head_id }: ChangeRequest, outdated: boolean | undefined): Statement {
  if (outdated === undefined) return nothing
  return outdated ? sql`and v.revision_id <> ${head_id}` : sql`and v.revision_id = ${head_id}`
}

/** The last review of each reviewer, regardless of their current rights. */
export const latestReviews = (row: Pick<ChangeRequestRow, 'organization_id' | 'id'>) => sql<LatestReview>`
  select distinct on (v.reviewer_id) v.reviewer_id, v.revision_id, v.status from reviews v
  where ${of(row)} order by v.reviewer_id, v.created_at desc, v.id desc`

export const listLatestReviews = (db: Db, row: Pick<ChangeRequestRow, 'organization_id' | 'id'>) =>
  db.all(latestReviews(row).asSlow())

export async function insertReview(
  tx: Transaction,
  row: ChangeRequest,
  review: Pick<ReviewRow, 'id' | 'status' | 'reviewer_id'>,
): Promise<void> {
  await tx.run(sql`
    insert into reviews (organization_id, id, change_request_id, revision_id, reviewer_id, status)
    values (${row.organization_id}, ${review.id}, ${row.id}, ${row.head_id}, ${review.reviewer_id}, ${review.status})`)
}
