import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { page } from '../revisions/entries.ts'

/** The edits that a watcher of a space has not been notified of: the revisions of main after `from`, up to `to`. */
export interface Untold {
  organization_id: string
  space_id: string
  user_id: string
  from: number
  to: number
}

/**
 * Whether a revision is a direct edit of main that changed something to read. Merges have a mail of their own. Exports
 * to Git also write revisions, but these only record the file of each page.
 */
const isNews = sql`r.type in ('edits', 'rollback') and r.merged_from is null and exists (
  select from entries e left join lateral (
    select p.state, p.parent, p.slug, p.position, p.doc, p.data from entries p
    where p.organization_id = e.organization_id and p.line_id = e.line_id and p.entry = e.entry and p.from_seq < e.from_seq
    order by p.from_seq desc limit 1) before on true
  where e.organization_id = r.organization_id and e.line_id = r.line_id and e.from_seq = r.seq
    and (e.state, e.parent, e.slug, e.position, e.doc, e.data - 'git') is distinct from
      (before.state, before.parent, before.slug, before.position, before.doc, before.data - 'git'))`

/**
 * Takes the watchers who are to be notified: each at most once an hour for a space, and no sooner than `gatherMinutes`
 * after the first edit. Watchers without any news are only marked as up to date. They are included in `count`.
 */
export async function takeUntold(
  tx: Transaction,
  { gatherMinutes, limit }: { gatherMinutes: number; limit: number },
): Promise<{ count: number; untold: Untold[] }> {
  const rows = await tx.all(
    sql<Untold & { is_news: boolean }>`
    with behind as (
      select w.organization_id, w.space_id, w.user_id, coalesce(w.told_to, l.head_seq) as told_to, l.id as line_id, l.head_seq
      from watched_spaces w join lines l
        on l.organization_id = w.organization_id and l.space_id = w.space_id and l.main_id is null
      where w.told_to is distinct from l.head_seq and coalesce(w.told_at < now() - interval '1 hour', true)
      for update of w skip locked),
    looked as (
      select b.*, (select min(r.created_at) from revisions r
        where r.organization_id = b.organization_id and r.line_id = b.line_id and r.seq > b.told_to
          and r.seq <= b.head_seq and ${isNews} and r.author_id is distinct from b.user_id) as since
      from behind b),
    ready as (
      select * from looked
      where coalesce(since <= now() - make_interval(mins => ${gatherMinutes}), true) limit ${limit})
    update watched_spaces w
    set told_to = ready.head_seq, told_at = case when ready.since is null then w.told_at else now() end
    from ready
    where w.organization_id = ready.organization_id and w.space_id = ready.space_id and w.user_id = ready.user_id
    returning w.organization_id, w.space_id, w.user_id, ready.told_to as "from", ready.head_seq as "to",
      ready.since is not null as is_news`.asSlow(),
  )
  return { count: rows.length, untold: rows.filter(({ is_news }) => is_news) }
}

export interface EditsNotice {
  space: string
  /** The names of the writers, the latest first. */
  writers: string[]
  /** Current titles of the changed pages, the number of changed pages, and the number of deleted ones. */
  titles: string[]
  pages: number
  deleted: number
}

const mostNamed = 5

export async function findEditsNotice(
  db: Db,
  { organization_id: organizationId, space_id: spaceId, user_id: userId, from, to }: Untold,
): Promise<EditsNotice | undefined> {
  return db.find(
    sql<EditsNotice>`
    with edits as (
      select r.line_id, r.seq, r.author_id from lines l join revisions r
        on r.organization_id = l.organization_id and r.line_id = l.id and r.seq > ${from} and r.seq <= ${to}
      where l.organization_id = ${organizationId} and l.space_id = ${spaceId} and l.main_id is null
        and ${isNews} and r.author_id is distinct from ${userId}),
    changed as (
      select e.entry, max(e.from_seq) as seq from edits join entries e
        on e.organization_id = ${organizationId} and e.line_id = edits.line_id and e.from_seq = edits.seq
      where e.kind = ${page} group by e.entry),
    named as (
      select c.seq, h.data ->> 'title' as title from changed c join heads h
        on h.organization_id = ${organizationId} and h.line_id = (select line_id from edits limit 1) and h.entry = c.entry
      where h.state = 0)
    select s.title as space,
      array(select u.display_name from (select author_id, max(seq) as seq from edits group by author_id) a
        join users u on u.id = a.author_id order by a.seq desc limit ${mostNamed}) as writers,
      array(select title from named order by seq desc, title limit ${mostNamed}) as titles,
      (select count(*) from named)::int as pages, ((select count(*) from changed) - (select count(*) from named))::int as deleted
    from spaces s
    where s.organization_id = ${organizationId} and s.id = ${spaceId} and s.deleted_at is null
      and exists (select from edits)`.asSlow(),
  )
}
