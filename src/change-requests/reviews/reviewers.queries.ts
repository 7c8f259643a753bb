import { listSpaceRoles, memberRoles } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { roles as allRoles } from '../../access/roles.ts'
import type { Db } from '../../db/connect.ts'
import { sql } from '../../db/sql.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import { type Page, behind } from '../../http/paging.ts'
import type { Person } from '../../users/present.ts'
import { asPerson } from '../../users/queries.ts'
import type { ChangeRequest } from '../queries.ts'

export interface ReviewerRow {
  user_id: string
  revision_id: string
  created_at: Date
  person: Person
  requested_by: Person | null
}

const columns = sql`a.user_id, a.revision_id, a.created_at, ${asPerson(sql`u`)} as person,
  ${asPerson(sql`q`)} as requested_by`

const joined = sql`requested_reviewers a join users u on u.id = a.user_id left join users q on q.id = a.requested_by`

const of = ({ organization_id, id }: ChangeRequest) =>
  sql`a.organization_id = ${organization_id} and a.change_request_id = ${id}`

/** Lists the requested reviewers who may still review: nobody waits for people who have left. */
export async function listRequestedReviewers(db: Db, row: ChangeRequest, page: Page) {
  const asked = await db.all(
    sql<{ user_id: string }>`select a.user_id from requested_reviewers a where ${of(row)}`.asSlow(),
  )
  const space = { organization_id: row.organization_id, id: row.space_id }
  const able = await listAble(
    db,
    space,
    asked.map(({ user_id }) => user_id),
  )
  const after = behind(page, sql`a.created_at, a.user_id`, 'asc')
  const rows = await db.all(
    sql<ReviewerRow>`select ${columns} from ${joined} where ${of(row)} and a.user_id = any (${[...able]}::uuid[]) ${after}
      order by a.created_at, a.user_id limit ${page.limit + 1}`.asSlow(),
  )
  return { rows, count: able.size }
}

/** Returns those of these people who may review in a space. */
export async function listAble(
  db: Db,
  space: Pick<SpaceRow, 'organization_id' | 'id'>,
  userIds: string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const roles = await listSpaceRoles(db, space, userIds)
  return new Set(userIds.filter((userId) => spaceRights(roles.get(userId) ?? null).review))
}

/** The maximum number of members whose roles in a space are computed. */
const mostMembers = 1_000

/** Lists everyone who may review in a space, by name; undefined if there are more than `most`, or very many members. */
export async function listPossibleReviewers(
  db: Db,
  space: Pick<SpaceRow, 'organization_id' | 'id'>,
  most: number,
): Promise<Person[] | undefined> {
  const { organization_id, id } = space
  const members = await db.all(
    sql`select from members where organization_id = ${organization_id} limit ${mostMembers + 1}`.asSlow(),
  )
  if (members.length > mostMembers) return undefined
  const able = allRoles.filter((role) => spaceRights(role).review)
  const people = await db.all(
    sql<Person>`
    with recursive ${memberRoles(organization_id, id)}
    select u.id, u.email, u.display_name, u.photo_url
    from member_roles r join users u on u.id = r.user_id and not u.disabled
    where r.role = any (${able}::text[]) order by lower(u.display_name), u.id limit ${most + 1}`.asSlow(),
  )
  return people.length > most ? undefined : people
}

export async function findRequestedReviewers(db: Db, row: ChangeRequest, userIds: string[]): Promise<ReviewerRow[]> {
  return db.all(sql<ReviewerRow>`
    select ${columns} from ${joined} where ${of(row)} and a.user_id = any (${userIds}::uuid[])
    order by a.created_at, a.user_id`)
}

/** A reviewer who is asked again is asked for the current revision. */
export async function upsertRequestedReviewers(tx: Transaction, row: ChangeRequest, userIds: string[]): Promise<void> {
  await tx.run(sql`
    insert into requested_reviewers (organization_id, change_request_id, user_id, requested_by, revision_id)
    select ${row.organization_id}, ${row.id}, id, ${tx.by.actorId}, ${row.head_id} from unnest(${userIds}::uuid[]) id
    on conflict (organization_id, change_request_id, user_id) do update set
      requested_by = excluded.requested_by, revision_id = excluded.revision_id`)
}

export async function deleteRequestedReviewer(tx: Transaction, row: ChangeRequest, userId: string): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from requested_reviewers
    where organization_id = ${row.organization_id} and change_request_id = ${row.id} and user_id = ${userId}`)
  return deleted === 1
}
