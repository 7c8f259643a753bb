import { countComments } from '../comments/counters.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { newId } from '../ids.ts'
import type { CommentLine } from './export.ts'
import { type ExportedPerson, insertRows } from './queries.ts'

/** Restores the comments on a space, with replies, reactions and counts. */
export async function restoreComments(
  tx: Transaction,
  { organizationId, spaceId, revisionId }: { organizationId: string; spaceId: string; revisionId: string },
  { comments, people }: { comments: CommentLine[]; people: ExportedPerson[] },
): Promise<number> {
  if (comments.length === 0) return 0
  const who = await findPeople(tx, organizationId, people)
  const taken = await tx.all(sql<{ id: string }>`
    select id from comments where organization_id = ${organizationId}
      and id = any (${comments.map(({ comment }) => comment['id'] as string)}::uuid[])`)
  const used = new Set(taken.map(({ id }) => id))
  const ids = new Map(comments.map(({ comment: { id } }) => [id, used.has(id as string) ? newId() : id]))
  const answers = Map.groupBy(comments, ({ comment }) => comment['parent_id'])
  const rows = comments.map(({ comment }) => {
    const author = who.of(comment['author_id'] as string)
    return {
      ...comment,
      id: ids.get(comment['id']),
      parent_id: ids.get(comment['parent_id']) ?? null,
      space_id: spaceId,
      change_request_id: null,
      author_id: author.id,
      markdown: author.isKnown ? comment['markdown'] : `**${author.name}** wrote:\n\n${comment['markdown'] as string}`,
      resolved_by: comment['resolved_by'] === null ? null : who.of(comment['resolved_by'] as string).id,
      revision_id: revisionId,
      review_id: null,
      replies: answers.get(comment['id'])?.length ?? 0,
    }
  })
  await insertRows(tx, 'comments', organizationId, rows)
  const reactions = comments
    .flatMap((each) => each.reactions)
    .filter(({ user_id }) => who.of(user_id as string).isKnown)
  await insertRows(
    tx,
    'comment_reactions',
    organizationId,
    reactions.map((each) => ({
      ...each,
      space_id: spaceId,
      comment_id: ids.get(each['comment_id']),
      user_id: who.of(each['user_id'] as string).id,
    })),
  )
  const roots = rows.filter(({ parent_id }) => parent_id === null)
  const resolved = roots.filter(({ resolved_by }) => resolved_by !== null).length
  const place = { organizationId, spaceId, changeRequestId: null, userId: who.standIn }
  countComments(tx, place as Parameters<typeof countComments>[1], { open: roots.length - resolved, resolved })
  await tx.run(sql`
    insert into commenters (organization_id, space_id, user_id, count)
    select organization_id, space_id, author_id, count(*) from comments
    where organization_id = ${organizationId} and space_id = ${spaceId} group by 1, 2, 3`)
  return rows.length
}

/**
 * Finds the members that people of an archive are here, by id or by an address that is known to be theirs. For people
 * who are not members, an administrator stands in, and the text says so: an archive can claim anything about anybody.
 */
async function findPeople(tx: Transaction, organizationId: string, people: ExportedPerson[]) {
  const emails = people.map(({ email }) => email.toLowerCase())
  const users = await tx.all(sql<{ id: string; email: string }>`
    select u.id, lower(u.email) as email from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and (u.id = any (${people.map(({ id }) => id)}::uuid[])
      or lower(u.email) = any (${emails}::text[]) and (u.email_verified or u.home_organization_id is not null))`)
  const { user_id: standIn } = await tx.one(sql<{ user_id: string }>`
    select user_id from members where organization_id = ${organizationId} and role = 'admin' order by joined_at, user_id limit 1`)
  const byEmail = new Map(users.map(({ id, email }) => [email, id]))
  const ids = new Set(users.map(({ id }) => id))
  const byId = new Map(people.map((person) => [person.id, person]))
  return {
    standIn,
    of(id: string) {
      const person = byId.get(id)
      const here = person && (ids.has(id) ? id : byEmail.get(person.email.toLowerCase()))
      return { id: here ?? standIn, isKnown: here !== undefined, name: person?.displayName ?? 'Somebody' }
    },
  }
}
