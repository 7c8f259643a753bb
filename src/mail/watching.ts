import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { recordChosenMail } from './preferences.ts'

type Space = Pick<SpaceRow, 'organization_id' | 'id'>

/** Whether a user is notified of merges and edits in a space without having taken part in them. */
export async function isWatching(db: Db, space: Space, userId: string): Promise<boolean> {
  return (await db.find(sql`select from watched_spaces where ${isThat(space, userId)}`)) !== undefined
}

/** Starts or ends watching. */
export async function watch(tx: Transaction, space: Space, userId: string, wanted: boolean): Promise<void> {
  const changed = await tx.run(
    wanted
      ? sql`insert into watched_spaces (organization_id, space_id, user_id, told_to)
          select l.organization_id, l.space_id, ${userId}, l.head_seq from lines l
          where l.organization_id = ${space.organization_id} and l.space_id = ${space.id} and l.main_id is null
          on conflict do nothing`
      : sql`delete from watched_spaces where ${isThat(space, userId)}`,
  )
  if (changed > 0) recordChosenMail(tx, userId)
}

const isThat = ({ organization_id, id }: Space, userId: string) =>
  sql`organization_id = ${organization_id} and space_id = ${id} and user_id = ${userId}`

/** Called when spaces move to another organization: their watchers stay in the old one. */
export async function endWatching(tx: Transaction, organizationId: string, spaceIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from watched_spaces where organization_id = ${organizationId} and space_id = any (${[...spaceIds]}::uuid[])`)
}
