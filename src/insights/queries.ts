import type { Membership } from '../access/caller.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Page, Position } from '../http/paging.ts'
import { type SiteKey, seenBy } from '../sites/queries.ts'

/** A range of days in the format `2026-11-17`. Both ends are included. */
export interface Span {
  from: string
  to: string
}

export interface DayRow {
  day: string
  views: number
  searches: number
  unfound: number
  missing: number
}

export interface PageViewsRow {
  space_id: string
  page_id: string
  views: number
}

export interface RatingsRow {
  space_id: string
  page_id: string
  helpful: number
  unhelpful: number
}

export interface RemarkRow {
  id: string
  day: string
  space_id: string
  page_id: string
  text: string
}

export interface SearchesRow {
  words: string
  searches: number
  unfound: number
}

export interface MissingRow {
  path: string
  requests: number
}

const within = (site: SiteKey, { from, to }: Span) =>
  sql`organization_id = ${site.organization_id} and site_id = ${site.id} and day between ${from}::date and ${to}::date`

/**
 * Counts of pages whose space is visible to this member and not in the trash. The others are left out of the totals,
 * too.
 */
const seenIn = (table: Statement, member: Membership, site: SiteKey, span: Span) => sql`${seenBy(member)},
  counted as (select c.* from (select * from ${table} where ${within(site, span)}) c
    join spaces t on t.organization_id = c.organization_id and t.id = c.space_id and t.deleted_at is null
    join seen on seen.organization_id = c.organization_id and seen.id = c.space_id)`

/** Lists every day in ascending order, including days without any counts. */
export async function listDays(db: Db, member: Membership, site: SiteKey, span: Span, page: Page) {
  const after = page.after ? sql`where d.day > ${page.after[0]}::date` : nothing
  const rows = await db.all(
    sql<DayRow>`${seenIn(sql`site_page_views`, member, site, span)}
      select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(v.views, 0)::bigint as views,
        coalesce(s.searches, 0)::bigint as searches, coalesce(s.unfound, 0)::bigint as unfound,
        coalesce(m.missing, 0)::bigint as missing
      from (select generate_series(${span.from}::date, ${span.to}::date, interval '1 day')::date as day) d
      left join (select day, sum(views) as views from counted group by day) v using (day)
      left join (select day, sum(searches) as searches, sum(unfound) as unfound from site_searches
        where ${within(site, span)} group by day) s using (day)
      left join (select day, sum(requests) as missing from site_missing_paths
        where ${within(site, span)} group by day) m using (day)
      ${after} order by d.day limit ${page.limit + 1}`.asSlow(),
  )
  return { rows, count: daysIn(span) }
}

export const daysIn = ({ from, to }: Span) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

export const positionOfDay = ({ day }: DayRow): Position => [day]

/** Lists the most viewed pages first. */
export async function listPageViews(db: Db, member: Membership, site: SiteKey, span: Span, page: Page) {
  const totals = sql`${seenIn(sql`site_page_views`, member, site, span)},
    totals as (select space_id, page_id, sum(views)::bigint as views from counted group by 1, 2)`
  const after = page.after
    ? sql`where (views, space_id, page_id) < (${page.after[0]}::bigint, ${page.after[1]}::uuid, ${page.after[2]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<PageViewsRow>`${totals} select space_id, page_id, views from totals ${after}
        order by views desc, space_id desc, page_id desc limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${totals} select count(*) from totals`.asSlow()),
  ])
  return { rows, count }
}

export const positionOfPage = (row: PageViewsRow): Position => [row.views, row.space_id, row.page_id]

/** Lists the pages with the most unhelpful ratings first; among equals, those with the fewest helpful ratings. */
export async function listRatings(db: Db, member: Membership, site: SiteKey, span: Span, page: Page) {
  const totals = sql`${seenIn(sql`site_page_ratings`, member, site, span)},
    totals as (select space_id, page_id, sum(helpful)::bigint as helpful, sum(unhelpful)::bigint as unhelpful
      from counted group by 1, 2)`
  const { after } = page
  const behind = after
    ? sql`where (unhelpful, -helpful, space_id, page_id) <
        (${after[0]}::bigint, -(${after[1]}::bigint), ${after[2]}::uuid, ${after[3]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<RatingsRow>`${totals} select * from totals ${behind}
        order by unhelpful desc, helpful, space_id desc, page_id desc limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${totals} select count(*) from totals`.asSlow()),
  ])
  return { rows, count }
}

export const positionOfRatings = (row: RatingsRow): Position => [row.unhelpful, row.helpful, row.space_id, row.page_id]

/** Lists the newest remarks first. */
export async function listRemarks(db: Db, member: Membership, site: SiteKey, span: Span, page: Page) {
  const seen = seenIn(sql`site_page_remarks`, member, site, span)
  const after = page.after ? sql`where (day, id) < (${page.after[0]}::date, ${page.after[1]}::uuid)` : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<RemarkRow>`${seen} select ${remarkColumns} from counted c ${after}
        order by c.day desc, id desc limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${seen} select count(*) from counted`.asSlow()),
  ])
  return { rows, count }
}

/** Finds a remark that this member may see. */
export const findRemark = (db: Db, member: Membership, site: SiteKey, span: Span, id: string) =>
  db.find(
    sql<RemarkRow>`${seenIn(sql`site_page_remarks`, member, site, span)}
      select ${remarkColumns} from counted c where id = ${id}`.asSlow(),
  )

const remarkColumns = sql`id, to_char(c.day, 'YYYY-MM-DD') as day, space_id, page_id, text`

export async function deleteRemark(db: Db, site: SiteKey, { day, id }: RemarkRow): Promise<void> {
  await db.run(sql`delete from site_page_remarks
    where organization_id = ${site.organization_id} and site_id = ${site.id} and day = ${day}::date and id = ${id}`)
}

export const positionOfRemark = ({ day, id }: RemarkRow): Position => [day, id]

/**
 * Lists the most frequent searches first. With `inVain`, lists only searches without results, the most frequent of
 * these first.
 */
export async function listSearches(db: Db, site: SiteKey, span: Span, inVain: boolean, page: Page) {
  const totals = sql`with totals as (
    select words, sum(searches)::bigint as searches, sum(unfound)::bigint as unfound from site_searches
    where ${within(site, span)} group by 1 ${inVain ? sql`having sum(unfound) > 0` : nothing})`
  return listTexts<SearchesRow>(db, totals, sql`words`, inVain ? sql`unfound` : sql`searches`, page)
}

export const positionOfSearch = (inVain: boolean) => (row: SearchesRow) =>
  [inVain ? row.unfound : row.searches, row.words] satisfies Position

/** Lists the most requested paths first. */
export async function listMissing(db: Db, site: SiteKey, span: Span, page: Page) {
  const totals = sql`with totals as (
    select path, sum(requests)::bigint as requests from site_missing_paths where ${within(site, span)} group by 1)`
  return listTexts<MissingRow>(db, totals, sql`path`, sql`requests`, page)
}

export const positionOfMissing = ({ requests, path }: MissingRow): Position => [requests, path]

async function listTexts<Row>(db: Db, totals: Statement, text: Statement, by: Statement, page: Page) {
  const { after } = page
  const behind = after
    ? sql`where ${by} < ${after[0]}::bigint or (${by} = ${after[0]}::bigint and ${text} > ${after[1]}::text)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<Row>`${totals} select * from totals ${behind} order by ${by} desc, ${text} limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${totals} select count(*) from totals`.asSlow()),
  ])
  return { rows, count }
}
