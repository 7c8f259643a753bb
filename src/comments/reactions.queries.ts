import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { CommentRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Person } from '../users/present.ts'
import { asPerson } from '../users/queries.ts'
import { emojiName } from './emoji.ts'

/** Everyone who gave one emoji to one comment. If there are very many, only the first are named. */
export interface Reaction {
  comment_id: string
  emoji: string
  count: number
  users: { user: Person; reacted_at: string }[]
}

const mostNamed = 100

/**
 * Lists the reactions to each comment in the order in which they were first given. People are looked up one by one: the
 * statement is planned once for any number of comments, and a plain join would scan all users.
 */
export async function listReactions(db: Db, organizationId: string, commentIds: string[]): Promise<Reaction[]> {
  if (commentIds.length === 0) return []
  return db.all(sql<Reaction>`
    select r.comment_id, (array_agg(r.emoji order by r.turn))[1] as emoji, count(*),
      jsonb_agg(jsonb_build_object('user', ${asPerson(sql`u`)}, 'reacted_at', r.reacted_at) order by r.turn)
        filter (where r.turn <= ${mostNamed}::int) as users
    from (select *, row_number() over (partition by comment_id, name order by reacted_at, user_id) as turn
      from comment_reactions where organization_id = ${organizationId} and comment_id = any (${commentIds}::uuid[])) r
    left join lateral (select * from users where id = r.user_id and r.turn <= ${mostNamed}::int limit 1) u on true
    group by r.comment_id, r.name order by min(r.reacted_at), r.name`)
}

type Key = Pick<CommentRow, 'organization_id' | 'space_id' | 'id'>

/** Returns how many of them are new. */
export async function insertReactions(tx: Transaction, row: Key, userId: string, emoji: string[]): Promise<number> {
  return tx.run(sql`
    insert into comment_reactions (organization_id, space_id, comment_id, name, user_id, emoji)
    select ${row.organization_id}, ${row.space_id}, ${row.id}, given.name, ${userId}, given.emoji
    from unnest(${emoji.map(emojiName)}::text[], ${emoji}::text[]) given (name, emoji) on conflict do nothing`)
}

/** Returns how many of them existed. */
export async function deleteReactions(tx: Transaction, row: Key, userId: string, emoji: string[]): Promise<number> {
  return tx.run(sql`
    delete from comment_reactions where organization_id = ${row.organization_id} and comment_id = ${row.id}
      and user_id = ${userId} and name = any (${emoji.map(emojiName)}::text[])`)
}

export async function countReactionsBy(tx: Transaction, row: Key, userId: string): Promise<number> {
  const { count } = await tx.one(sql<{ count: number }>`
    select count(*) from comment_reactions
    where organization_id = ${row.organization_id} and comment_id = ${row.id} and user_id = ${userId}`)
  return count
}
