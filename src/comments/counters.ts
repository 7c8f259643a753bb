import { addContribution, withdrawComments } from '../change-requests/contributors.queries.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Place } from './place.ts'

export interface Counts {
  open: number
  resolved: number
}

/** Counts the comments of a place. */
export async function countIn(db: Db, { organizationId, spaceId, changeRequestId }: Place): Promise<Counts> {
  const slots =
    changeRequestId === null
      ? sql`counter_slots where organization_id = ${organizationId} and space_id = ${spaceId}`
      : sql`request_counter_slots where organization_id = ${organizationId} and change_request_id = ${changeRequestId}`
  return db.one(sql<Counts>`
    select coalesce(sum(comments), 0) as open, coalesce(sum(comments_resolved), 0) as resolved from ${slots}`)
}

/**
 * Updates that count. Each connection adds to one of sixteen rows, and a reader sums them up: the total is exact at
 * every moment, and writers hardly wait for each other. A single row may be negative.
 */
export function countComments(tx: Transaction, place: Place, { open, resolved }: Counts): void {
  const { organizationId, spaceId, changeRequestId } = place
  if (changeRequestId === null) {
    tx.runLater(sql`
      insert into counter_slots (organization_id, space_id, slot, comments, comments_resolved)
      values (${organizationId}, ${spaceId}, pg_backend_pid() % 16, ${open}, ${resolved})
      on conflict (organization_id, space_id, slot) do update set
        comments = counter_slots.comments + excluded.comments,
        comments_resolved = counter_slots.comments_resolved + excluded.comments_resolved`)
  } else {
    tx.runLater(sql`
      insert into request_counter_slots (organization_id, change_request_id, slot, comments, comments_resolved)
      values (${organizationId}, ${changeRequestId}, pg_backend_pid() % 16, ${open}, ${resolved})
      on conflict (organization_id, change_request_id, slot) do update set
        comments = request_counter_slots.comments + excluded.comments,
        comments_resolved = request_counter_slots.comments_resolved + excluded.comments_resolved`)
  }
}

/** Records that the author of this write has commented. */
export function addCommenter(tx: Transaction, { organizationId, spaceId, changeRequestId, userId }: Place): void {
  if (changeRequestId !== null) {
    addContribution(tx, { organization_id: organizationId, id: changeRequestId }, 'comment')
    return
  }
  tx.runLater(sql`
    insert into commenters (organization_id, space_id, user_id, count) values (${organizationId}, ${spaceId}, ${userId}, 1)
    on conflict (organization_id, space_id, user_id) do update set count = commenters.count + 1`)
}

/** Withdraws that for deleted comments and replies. `counts` has their number by user. */
export function withdrawCommenters(tx: Transaction, place: Place, counts: ReadonlyMap<string, number>): void {
  const { organizationId, spaceId, changeRequestId } = place
  if (changeRequestId !== null) {
    withdrawComments(tx, { organizationId, changeRequestId }, counts)
    return
  }
  const theirs = sql`organization_id = ${organizationId} and space_id = ${spaceId}`
  tx.runLater(sql`
    update commenters set count = commenters.count - gone.count
    from unnest(${[...counts.keys()]}::uuid[], ${[...counts.values()]}::int[]) gone (user_id, count)
    where ${theirs} and commenters.user_id = gone.user_id`)
  tx.runLater(
    sql`delete from commenters where ${theirs} and user_id = any (${[...counts.keys()]}::uuid[]) and count <= 0`,
  )
}
