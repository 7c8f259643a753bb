import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { CommentRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Page, behind } from '../http/paging.ts'
import type { Person } from '../users/present.ts'
import { asPerson } from '../users/queries.ts'
import { countIn } from './counters.ts'
import type { Place } from './place.ts'

/** A comment or reply with its author and the person who resolved it. */
export type Comment = CommentRow & { author: Person; resolver: Person | null }

const columns = sql`c.organization_id, c.id, c.space_id, c.change_request_id, c.parent_id, c.author_id, c.markdown,
  c.posted_at, c.edited_at, c.resolved_at, c.revision_id, c.review_id, c.page_id, c.page, c.node, c.node_preview,
  c.node_doc, c.replies, ${asPerson(sql`u`)} as author, ${asPerson(sql`r`)} as resolver`

const withPeople = sql`join users u on u.id = c.author_id left join users r on r.id = c.resolved_by`

const isHere = ({ organizationId, spaceId, changeRequestId }: Place) =>
  sql`c.organization_id = ${organizationId} and c.place_id = ${changeRequestId ?? spaceId}`

/** Names a comment of this place or, with a parent, a reply to that. */
export interface Name {
  id: string
  parentId: string | null
}

const isNamed = (place: Place, { id, parentId }: Name) => sql`${isHere(place)} and c.id = ${id}
  and ${parentId === null ? sql`c.parent_id is null` : sql`c.parent_id = ${parentId}`}`

export async function findComment(db: Db, place: Place, name: Name): Promise<Comment | undefined> {
  return db.find(sql<Comment>`select ${columns} from comments c ${withPeople} where ${isNamed(place, name)}`)
}

/** Locks it until the transaction ends. */
export async function lockComment(tx: Transaction, place: Place, name: Name): Promise<Comment | undefined> {
  const [, row] = await Promise.all([
    tx.run(sql`select from comments c where ${isNamed(place, name)} for no key update`),
    // A separate statement, so that it sees what was committed while waiting for the lock.
    findComment(tx, place, name),
  ])
  return row
}

/** Lists the comments that reviewers wrote along with these reviews. */
export async function listCommentsOfReviews(db: Db, place: Place, reviewIds: string[]): Promise<Comment[]> {
  if (reviewIds.length === 0) return []
  return db.all(sql<Comment>`
    select ${columns} from comments c ${withPeople}
    where c.organization_id = ${place.organizationId} and c.review_id = any (${reviewIds}::uuid[])`)
}

export interface CommentFilter {
  order: 'asc' | 'desc'
  status: 'all' | 'open' | 'resolved'
  pageId: string | undefined
  authors: string[] | undefined
}

const statesOf = { all: [true, false], open: [true], resolved: [false] }

/**
 * Lists one page of the comments of a place, by age. Each state, and each author, has its own range of an index, in
 * which the comments are in order. Of each range, no more is read than the page could show.
 */
export async function listComments(db: Db, place: Place, filter: CommentFilter, page: Page) {
  const direction = filter.order === 'asc' ? sql`asc` : sql`desc`
  const after = behind(page, sql`c.posted_at, c.id`, filter.order)
  const stretches = filter.authors ? sql`, unnest(${filter.authors}::uuid[]) by (author_id)` : nothing
  const ofStretch = sql`c.is_open = state.is_open ${filter.authors ? sql`and c.author_id = by.author_id` : nothing}`
  const [rows, count] = await Promise.all([
    db.all(
      sql<Comment>`
      with picked as materialized (
        select next.* from unnest(${statesOf[filter.status]}::boolean[]) state (is_open) ${stretches}
        cross join lateral (
          select c.id, c.posted_at from comments c
          where ${isHere(place)} and c.parent_id is null ${aboutPage(filter)} and ${ofStretch} ${after}
          order by c.posted_at ${direction}, c.id ${direction} limit ${page.limit + 1}) next
        order by next.posted_at ${direction}, next.id ${direction} limit ${page.limit + 1})
      select ${columns} from picked join comments c on c.organization_id = ${place.organizationId} and c.id = picked.id
      ${withPeople} order by c.posted_at ${direction}, c.id ${direction}`.asSlow(),
    ),
    countMatching(db, place, filter),
  ])
  return { rows, count }
}

/**
 * Lists the last comments about each of these pages: at most `most.ofPage` per page and state, and at most `most.inAll`
 * in total, preferring open ones. Oldest first.
 */
export async function listCommentsOnPages(
  db: Db,
  place: Place,
  pageIds: string[],
  most: { ofPage: number; inAll: number },
): Promise<Comment[]> {
  if (pageIds.length === 0) return []
  return db.all(
    sql<Comment>`
    select ${columns} from (
      select last.* from unnest(${pageIds}::uuid[]) about (page_id)
      cross join unnest(${statesOf.all}::boolean[]) state (is_open)
      cross join lateral (
        select c.* from comments c
        where ${isHere(place)} and c.parent_id is null and c.page_id = about.page_id and c.is_open = state.is_open
        order by c.posted_at desc, c.id desc limit ${most.ofPage}) last
      order by last.is_open desc, last.posted_at desc, last.id desc limit ${most.inAll}) c
    ${withPeople} order by c.posted_at, c.id`.asSlow(),
  )
}

/** The totals of a place, and of each of its states, are counted on writing. */
async function countMatching(db: Db, place: Place, filter: CommentFilter): Promise<number> {
  const { status, pageId, authors } = filter
  if (pageId === undefined && authors === undefined) {
    const { open, resolved } = await countIn(db, place)
    return (status === 'resolved' ? 0 : open) + (status === 'open' ? 0 : resolved)
  }
  const { count } = await db.one(
    sql<{ count: number }>`
    select count(*) from comments c
    where ${isHere(place)} and c.parent_id is null ${aboutPage(filter)}
      and c.is_open = any (${statesOf[status]}::boolean[])
      ${authors ? sql`and c.author_id = any (${authors}::uuid[])` : nothing}`.asSlow(),
  )
  return count
}

const aboutPage = ({ pageId }: CommentFilter): Statement =>
  pageId === undefined ? nothing : sql`and c.page_id = ${pageId}`

/** Lists the replies to a comment, oldest first. Their number is stored with the comment. */
export async function listReplies(db: Db, { organization_id, id }: Comment, page: Page): Promise<Comment[]> {
  const after = behind(page, sql`c.posted_at, c.id`, 'asc')
  return db.all(
    sql<Comment>`
    select ${columns} from comments c ${withPeople}
    where c.organization_id = ${organization_id} and c.parent_id = ${id} ${after}
    order by c.posted_at, c.id limit ${page.limit + 1}`.asSlow(),
  )
}

/** Lists the first replies to each of these comments of a place. */
export async function listRepliesTo(db: Db, place: Place, commentIds: string[], most: number): Promise<Comment[]> {
  if (commentIds.length === 0) return []
  return db.all(
    sql<Comment>`
    select ${columns} from unnest(${commentIds}::uuid[]) parent (id)
    cross join lateral (
      select c.* from comments c where c.organization_id = ${place.organizationId} and c.parent_id = parent.id
      order by c.posted_at, c.id limit ${most}) c
    ${withPeople} order by c.posted_at, c.id`.asSlow(),
  )
}

export type NewComment = Pick<CommentRow, 'id' | 'parent_id' | 'author_id' | 'markdown' | 'revision_id' | 'review_id'> &
  Pick<CommentRow, 'page_id' | 'page' | 'node' | 'node_preview' | 'node_doc'>

export async function insertComment(tx: Transaction, place: Place, row: NewComment): Promise<void> {
  await tx.run(sql`
    insert into comments (organization_id, id, space_id, change_request_id, parent_id, author_id, markdown, revision_id,
      review_id, page_id, page, node, node_preview, node_doc)
    values (${place.organizationId}, ${row.id}, ${place.spaceId}, ${place.changeRequestId}, ${row.parent_id},
      ${row.author_id}, ${row.markdown}, ${row.revision_id}, ${row.review_id}, ${row.page_id}, ${row.page}::jsonb,
      ${row.node}, ${row.node_preview}, ${row.node_doc})`)
}

/** Returns false if the comment is gone. Until the transaction ends, it cannot be deleted. */
export async function countReply(tx: Transaction, place: Place, commentId: string, step: 1 | -1): Promise<boolean> {
  const changed = await tx.run(sql`
    update comments c set replies = c.replies + ${step}::int where ${isNamed(place, { id: commentId, parentId: null })}`)
  return changed === 1
}

export async function updateText(tx: Transaction, { organization_id, id }: Comment, markdown: string): Promise<void> {
  await tx.run(sql`
    update comments set markdown = ${markdown}, edited_at = now()
    where organization_id = ${organization_id} and id = ${id}`)
}

/** `by` is the person who resolves it; null opens it again. */
export async function updateResolved(tx: Transaction, row: Comment, by: string | null): Promise<void> {
  await tx.run(sql`
    update comments set resolved_by = ${by}::uuid, resolved_at = case when ${by}::uuid is not null then now() end
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** Counts what each author has written in a comment and its replies. */
export async function countAuthors(tx: Transaction, row: Comment): Promise<Map<string, number>> {
  const rows = await tx.all(sql<{ author_id: string; count: number }>`
    select author_id, count(*) from (
      select author_id from comments where organization_id = ${row.organization_id} and id = ${row.id}
      union all
      select author_id from comments where organization_id = ${row.organization_id} and parent_id = ${row.id}) said
    group by author_id`)
  return new Map(rows.map(({ author_id, count }) => [author_id, count]))
}

/** Deletes a comment or reply, with its replies and all reactions. */
export async function deleteRow(tx: Transaction, { organization_id, id }: Comment): Promise<void> {
  await tx.run(sql`delete from comments where organization_id = ${organization_id} and id = ${id}`)
}
