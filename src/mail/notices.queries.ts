import { takingPartIn } from '../change-requests/taking-part.queries.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { MailKind } from './kinds.ts'

/**
 * Finds the address of a user to notify, unless they do not want this kind of mail, or have no active account any more.
 * An unverified address is only a claim, and may belong to a stranger. The addresses of single sign-on users are
 * vouched for by their organization.
 */
export async function findReader(db: Db, userId: string, kind: MailKind): Promise<{ email: string } | undefined> {
  return db.find(sql<{ email: string }>`
    select email from users u where u.id = ${userId} and not u.disabled
      and (u.email_verified or u.home_organization_id is not null)
      and ${isWanted(sql`u.id`, sql`${kind}`)}`)
}

const isWanted = (userId: Statement, kind: Statement) =>
  sql`not exists (select from muted_mail x where x.user_id = ${userId} and x.kind = ${kind})`

export interface InviteNotice {
  secret_sealed: Buffer
  organization: string
  inviter: string | null
}

export async function findInviteNotice(db: Db, organizationId: string, id: string): Promise<InviteNotice | undefined> {
  return db.find(sql<InviteNotice>`
    select i.secret_sealed, o.title as organization, u.display_name as inviter from invites i
    join organizations o on o.id = i.organization_id left join users u on u.id = i.created_by
    where i.organization_id = ${organizationId} and i.id = ${id} and (i.expires_at is null or i.expires_at > now())`)
}

export interface ReviewNotice {
  space_id: string
  space: string
  number: number
  subject: string
  asker: string | null
}

/** Finds something only while the user is still asked for a review, and the change request can still be reviewed. */
export async function findReviewNotice(
  db: Db,
  organizationId: string,
  { changeRequestId, userId }: { changeRequestId: string; userId: string },
): Promise<ReviewNotice | undefined> {
  return db.find(sql<ReviewNotice>`
    select c.space_id, s.title as space, c.number, c.subject, u.display_name as asker
    from requested_reviewers r
    join change_requests c on c.organization_id = r.organization_id and c.id = r.change_request_id
    join spaces s on s.organization_id = c.organization_id and s.id = c.space_id and s.deleted_at is null
    left join users u on u.id = r.requested_by
    where r.organization_id = ${organizationId} and r.change_request_id = ${changeRequestId} and r.user_id = ${userId}
      and c.status in ('draft', 'open')`)
}

export interface MergeNotice {
  space_id: string
  space: string
  number: number
  subject: string
  merger: string | null
}

export async function findMergeNotice(db: Db, organizationId: string, id: string): Promise<MergeNotice | undefined> {
  return db.find(sql<MergeNotice>`
    select c.space_id, s.title as space, c.number, c.subject, u.display_name as merger from change_requests c
    join spaces s on s.organization_id = c.organization_id and s.id = c.space_id and s.deleted_at is null
    left join users u on u.id = c.merged_by
    where c.organization_id = ${organizationId} and c.id = ${id} and c.status = 'merged'`)
}

/** A comment, a reply or a review, as it is reported in a mail. */
export interface SaidNotice {
  space_id: string
  space: string
  number: number | null
  subject: string | null
  author: string
  /** Empty for a review without a comment. */
  markdown: string
  verdict: 'approved' | 'changes-requested' | null
  /** The comment itself, or the one that it replies to. None for a review without a comment. */
  comment: string | null
}

/** Lists those of the comments, replies and reviews that still exist, in chronological order. */
export async function listSaid(db: Db, organizationId: string, ids: string[]): Promise<SaidNotice[]> {
  return db.all(sql<SaidNotice>`
    with said as (
      select c.id, c.space_id, c.change_request_id, c.author_id, c.markdown, null as verdict, c.posted_at as said_at,
        coalesce(c.parent_id, c.id) as comment
      from comments c where c.organization_id = ${organizationId} and c.id = any (${ids}::uuid[])
      union all
      select v.id, r.space_id, r.id, v.reviewer_id, coalesce(c.markdown, ''), v.status, v.created_at, c.id
      from reviews v join change_requests r on r.organization_id = v.organization_id and r.id = v.change_request_id
      left join comments c on c.organization_id = v.organization_id and c.review_id = v.id
      where v.organization_id = ${organizationId} and v.id = any (${ids}::uuid[]))
    select said.space_id, s.title as space, r.number, r.subject, u.display_name as author, said.markdown, said.verdict,
      said.comment
    from said join spaces s on s.organization_id = ${organizationId} and s.id = said.space_id and s.deleted_at is null
    join users u on u.id = said.author_id
    left join change_requests r on r.organization_id = ${organizationId} and r.id = said.change_request_id
    order by said.said_at, said.id`)
}

export interface WebhookNotice {
  title: string
  reason: string
  organization: string
}

/** Finds something only while the webhook is still turned off, and for an administrator of its organization. */
export async function findWebhookNotice(
  db: Db,
  organizationId: string,
  { webhookId, userId }: { webhookId: string; userId: string },
): Promise<WebhookNotice | undefined> {
  return db.find(sql<WebhookNotice>`
    select w.title, w.disabled_reason as reason, o.title as organization
    from webhooks w join organizations o on o.id = w.organization_id
    join members m on m.organization_id = w.organization_id and m.user_id = ${userId}
    where w.organization_id = ${organizationId} and w.id = ${webhookId} and w.deleted_at is null and not w.active
      and w.disabled_reason is not null and m.role = 'admin' and not m.disabled`)
}

export interface FollowingNotice {
  space: string
  problem: string
}

/** Finds something only while the sync still fails, and for the user who set it up. */
export async function findFollowingNotice(
  db: Db,
  organizationId: string,
  { spaceId, userId }: { spaceId: string; userId: string },
): Promise<FollowingNotice | undefined> {
  return db.find(sql<FollowingNotice>`
    select s.title as space, f.problem from git_following f
    join spaces s on s.organization_id = f.organization_id and s.id = f.space_id and s.deleted_at is null
    where f.organization_id = ${organizationId} and f.space_id = ${spaceId} and f.asked_by = ${userId}
      and f.problem is not null`)
}

export async function listAdministrators(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db.all(sql<{ user_id: string }>`
    select user_id from members where organization_id = ${organizationId} and role = 'admin' and not disabled`)
  return rows.map(({ user_id }) => user_id)
}

/** A user who is to be notified of a comment, a reply or a review. */
export interface Listener {
  user_id: string
  kind: MailKind
  /** The id of the comment, reply or review. */
  said: string
  /** What belongs together: a change request, or on a space, a comment with its replies. */
  thread: string
}

/**
 * Lists the users to notify of a comment or a reply: those who wrote in the same thread, and the creator of the change
 * request. Each is listed once, with a kind of mail that they want. The author is left out.
 */
export async function listListeners(db: Db, organizationId: string, commentId: string): Promise<Listener[]> {
  return db.all(sql<Listener>`
    with said as (
      select c.id, c.parent_id, c.author_id, c.change_request_id,
        coalesce(c.change_request_id, c.parent_id, c.id) as thread
      from comments c where c.organization_id = ${organizationId} and c.id = ${commentId}),
    listening as (
      select said.id, said.thread, said.author_id, c.author_id as user_id, 'reply' as kind from said
      join comments c on c.organization_id = ${organizationId} and (c.id = said.parent_id or c.parent_id = said.parent_id)
      union all
      select said.id, said.thread, said.author_id, r.created_by, 'comment' from said
      join change_requests r on r.organization_id = ${organizationId} and r.id = said.change_request_id)
    select id as said, thread, user_id, max(kind) as kind from listening
    where user_id is not null and user_id <> author_id and ${isWanted(sql`listening.user_id`, sql`listening.kind`)}
    group by id, thread, user_id`)
}

/** Lists the user to notify of a review: the creator of the change request, unless they reviewed it themselves. */
export async function listListenersToReview(db: Db, organizationId: string, reviewId: string): Promise<Listener[]> {
  return db.all(sql<Listener>`
    select v.id as said, r.id as thread, r.created_by as user_id, 'comment' as kind
    from reviews v join change_requests r on r.organization_id = v.organization_id and r.id = v.change_request_id
    where v.organization_id = ${organizationId} and v.id = ${reviewId} and r.created_by <> v.reviewer_id`)
}

/** The text of a comment, a reply or a review, for notifying the mentioned users. */
export interface Words {
  markdown: string
  author_id: string
  thread: string
}

export async function findWords(
  db: Db,
  organizationId: string,
  { comment, review }: { comment?: string | undefined; review?: string | undefined },
): Promise<Words | undefined> {
  const named = review === undefined ? sql`c.id = ${comment}` : sql`c.review_id = ${review}`
  return db.find(sql<Words>`
    select c.markdown, c.author_id, coalesce(c.change_request_id, c.parent_id, c.id) as thread
    from comments c where c.organization_id = ${organizationId} and ${named}`)
}

/** Returns the members among these users who want to be notified of mentions. */
export async function listToldOfMentions(db: Db, organizationId: string, userIds: string[]): Promise<string[]> {
  const rows = await db.all(sql<{ user_id: string }>`
    select m.user_id from members m where m.organization_id = ${organizationId} and m.user_id = any (${userIds}::uuid[])
      and ${isWanted(sql`m.user_id`, sql`'mention'`)}`)
  return rows.map(({ user_id }) => user_id)
}

/**
 * Lists the users to notify when a change request is merged: all participants, and the watchers of its space, except
 * the user who merged it.
 */
export async function listListenersToMerge(db: Db, organizationId: string, changeRequestId: string): Promise<string[]> {
  const rows = await db.all(sql<{ user_id: string }>`
    with merged as (
      select r.space_id, r.merged_by from change_requests r
      where r.organization_id = ${organizationId} and r.id = ${changeRequestId}),
    listening as (
      select p.user_id from ${takingPartIn(organizationId, changeRequestId)} p
      union select w.user_id from merged join watched_spaces w
        on w.organization_id = ${organizationId} and w.space_id = merged.space_id)
    select listening.user_id from listening, merged where listening.user_id is distinct from merged.merged_by`)
  return rows.map(({ user_id }) => user_id)
}
