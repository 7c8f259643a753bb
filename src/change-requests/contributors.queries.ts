import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { ChangeRequestRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Page } from '../http/paging.ts'
import type { Person } from '../users/present.ts'
import { asPerson } from '../users/queries.ts'

export interface ContributorRow {
  user_id: string
  action: 'edit' | 'comment'
  count: number
  updated_at: Date
  person: Person
}

/** Records the author of this write as a contributor. */
export function addContribution(
  tx: Transaction,
  { organization_id, id }: Pick<ChangeRequestRow, 'organization_id' | 'id'>,
  action: ContributorRow['action'],
): void {
  if (tx.by.actorId === null) return
  tx.runLater(sql`
    insert into contributors (organization_id, change_request_id, user_id, action)
    values (${organization_id}, ${id}, ${tx.by.actorId}, ${action})
    on conflict (organization_id, change_request_id, user_id, action) do update set
      count = contributors.count + 1, updated_at = now()`)
}

/** Withdraws the contributions of comments that were deleted. `counts` has their number by user. */
export function withdrawComments(
  tx: Transaction,
  { organizationId, changeRequestId }: { organizationId: string; changeRequestId: string },
  counts: ReadonlyMap<string, number>,
): void {
  const theirs = sql`organization_id = ${organizationId} and change_request_id = ${changeRequestId} and action = 'comment'`
  tx.runLater(sql`
    update contributors set count = contributors.count - gone.count
    from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::int[]) gone (user_id, count)
    where ${theirs} and contributors.user_id = gone.user_id`)
  tx.runLater(sql`
    delete from contributors where ${theirs} and user_id = any (${[...counts.keys()]}::uuid[]) and count <= 0`)
}

export async function listContributors(db: Db, { organization_id, id }: ChangeRequestRow, page: Page) {
  const matching = sql`from contributors c join users u on u.id = c.user_id
    where c.organization_id = ${organization_id} and c.change_request_id = ${id}`
  const behind = page.after
    ? sql`and (c.user_id, c.action) > (${page.after[0]}::uuid, ${page.after[1]}::text)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ContributorRow>`
      select c.user_id, c.action, c.count, c.updated_at, ${asPerson(sql`u`)} as person ${matching} ${behind}
      order by c.user_id, c.action limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}
