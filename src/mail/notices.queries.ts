import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { MailKind } from './kinds.ts'

/**
 * Somebody who is to be told something, unless they do not want to be, or have no account any more. An address that nobody
 * proved to read is a mere claim, and may be that of a stranger; for those who come by single sign-on, their organization
 * answers for it.
 */
export async function findReader(db: Db, userId: string, kind: MailKind): Promise<{ email: string } | undefined> {
  return db.find(sql<{ email: string }>`
    select email from users u where u.id = ${userId} and not u.disabled
      and (u.email_verified or u.home_organization_id is not null)
      and not exists (select from muted_mail x where x.user_id = u.id and x.kind = ${kind})`)
}

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

/** Only while they are still asked, and there is something to review. */
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

export interface CommentNotice {
  space_id: string
  space: string
  number: number | null
  subject: string | null
  author: string
  markdown: string
}

export async function findCommentNotice(
  db: Db,
  organizationId: string,
  commentId: string,
): Promise<CommentNotice | undefined> {
  return db.find(sql<CommentNotice>`
    select c.space_id, s.title as space, r.number, r.subject, u.display_name as author, c.markdown
    from comments c join spaces s on s.organization_id = c.organization_id and s.id = c.space_id and s.deleted_at is null
    join users u on u.id = c.author_id
    left join change_requests r on r.organization_id = c.organization_id and r.id = c.change_request_id
    where c.organization_id = ${organizationId} and c.id = ${commentId}`)
}

export interface WebhookNotice {
  title: string
  reason: string
  organization: string
}

/** Only while it is still off, and for somebody who administers it. */
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

export async function listAdministrators(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db.all(sql<{ user_id: string }>`
    select user_id from members where organization_id = ${organizationId} and role = 'admin' and not disabled`)
  return rows.map(({ user_id }) => user_id)
}

export interface Listener {
  comment_id: string
  user_id: string
  kind: MailKind
}

/**
 * Who is to hear of what was said: those who said something in the same thread, and whoever made the change request. Each
 * of them once, and not who said it. Where a review was named, it is about what was said with it.
 */
export async function listListeners(
  db: Db,
  organizationId: string,
  said: { commentId: string | null; reviewId: string | null },
): Promise<Listener[]> {
  return db.all(sql<Listener>`
    with said as (
      select c.id, c.parent_id, c.author_id, c.change_request_id from comments c
      where c.organization_id = ${organizationId} and c.id = ${said.commentId}::uuid
      union all
      select c.id, c.parent_id, c.author_id, c.change_request_id from comments c
      where c.organization_id = ${organizationId} and c.review_id = ${said.reviewId}::uuid),
    listening as (
      select said.id, said.author_id, c.author_id as user_id, 'reply' as kind from said
      join comments c on c.organization_id = ${organizationId} and (c.id = said.parent_id or c.parent_id = said.parent_id)
      union all
      select said.id, said.author_id, r.created_by, 'comment' from said
      join change_requests r on r.organization_id = ${organizationId} and r.id = said.change_request_id)
    select id as comment_id, user_id, max(kind) as kind from listening
    where user_id is not null and user_id <> author_id group by id, user_id`)
}
