import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Count, OfSite, PageRead, Remark, TextAsked } from './tally.ts'
import { others } from './texts.ts'

/**
 * The most different search texts, and the most different missing paths, per site and day. Prevents visitors from
 * filling the database with requests.
 */
export const mostTexts = 1_000

/** The most remarks that are stored per site and day. */
export const mostRemarks = 100

/**
 * Adds the counts of this node to those of the others. All nodes go through the rows in the same order, so that they
 * cannot deadlock. Counts of a site that has been deleted are not written.
 */
export async function addViews(db: Db, counts: Count<PageRead>[]): Promise<void> {
  await db.run(sql`
    insert into site_page_views as kept (organization_id, site_id, day, space_id, page_id, views)
    select organization_id, site_id, day, space_id, page_id, sum(times)
    from unnest(${organizationsOf(counts)}::uuid[], ${sitesOf(counts)}::uuid[], ${daysOf(counts)}::date[],
      ${spacesOf(counts)}::uuid[], ${pagesOf(counts)}::uuid[], ${timesOf(counts)}::bigint[])
      as given (organization_id, site_id, day, space_id, page_id, times)
    where ${isThere}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (organization_id, site_id, day, space_id, page_id) do update set views = kept.views + excluded.views`)
}

/** `unfound` is the number of unhelpful ratings here. */
export async function addRatings(db: Db, counts: Count<PageRead>[]): Promise<void> {
  await db.run(sql`
    insert into site_page_ratings as kept (organization_id, site_id, day, space_id, page_id, helpful, unhelpful)
    select organization_id, site_id, day, space_id, page_id, sum(times - unfound), sum(unfound)
    from unnest(${organizationsOf(counts)}::uuid[], ${sitesOf(counts)}::uuid[], ${daysOf(counts)}::date[],
      ${spacesOf(counts)}::uuid[], ${pagesOf(counts)}::uuid[], ${timesOf(counts)}::bigint[], ${unfoundOf(counts)}::bigint[])
      as given (organization_id, site_id, day, space_id, page_id, times, unfound)
    where ${isThere}
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (organization_id, site_id, day, space_id, page_id) do update
      set helpful = kept.helpful + excluded.helpful, unhelpful = kept.unhelpful + excluded.unhelpful`)
}

/** Keeps only the first remarks of a day. Nodes that write at the same moment may add a few more. */
export async function addRemarks(db: Db, counts: Count<Remark>[]): Promise<void> {
  const ids = counts.map(({ about }) => about.id)
  const texts = counts.map(({ about }) => about.text)
  await db.run(sql`
    with given as materialized (
      select * from unnest(${organizationsOf(counts)}::uuid[], ${sitesOf(counts)}::uuid[], ${daysOf(counts)}::date[],
        ${ids}::uuid[], ${spacesOf(counts)}::uuid[], ${pagesOf(counts)}::uuid[], ${texts}::text[])
        as given (organization_id, site_id, day, id, space_id, page_id, text)
      where ${isThere}),
    had as materialized (
      select d.organization_id, d.site_id, d.day, (select count(*) from site_page_remarks t
        where t.organization_id = d.organization_id and t.site_id = d.site_id and t.day = d.day) as remarks
      from (select distinct organization_id, site_id, day from given) d),
    placed as (
      select g.*, had.remarks + row_number() over (partition by g.organization_id, g.site_id, g.day order by g.id) as place
      from given g join had using (organization_id, site_id, day))
    insert into site_page_remarks (organization_id, site_id, day, id, space_id, page_id, text)
    select organization_id, site_id, day, id, space_id, page_id, text from placed where place <= ${mostRemarks}
    order by 1, 2, 3, 4
    on conflict do nothing`)
}

export async function addSearches(db: Db, counts: Count<TextAsked>[]): Promise<void> {
  await db.run(sql`
    with ${withRoom(counts, sql`site_searches`, sql`words`)}
    insert into site_searches as kept (organization_id, site_id, day, words, searches, unfound)
    select organization_id, site_id, day, kept_as, sum(times), sum(unfound) from placed
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, site_id, day, words) do update
      set searches = kept.searches + excluded.searches, unfound = kept.unfound + excluded.unfound`)
}

export async function addMissingPaths(db: Db, counts: Count<TextAsked>[]): Promise<void> {
  await db.run(sql`
    with ${withRoom(counts, sql`site_missing_paths`, sql`path`)}
    insert into site_missing_paths as kept (organization_id, site_id, day, path, requests)
    select organization_id, site_id, day, kept_as, sum(times) from placed
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, site_id, day, path) do update set requests = kept.requests + excluded.requests`)
}

/**
 * SQL for `placed`: the given counts, each with the text that it is stored under. If the site has no room for another
 * text on that day, this is `others`.
 */
function withRoom(counts: Count<TextAsked>[], table: Statement, column: Statement): Statement {
  const texts = counts.map(({ about }) => about.text)
  return sql`given as materialized (
      select * from unnest(${organizationsOf(counts)}::uuid[], ${sitesOf(counts)}::uuid[], ${daysOf(counts)}::date[],
        ${texts}::text[], ${timesOf(counts)}::bigint[], ${unfoundOf(counts)}::bigint[])
        as given (organization_id, site_id, day, text, times, unfound)
      where ${isThere}),
    had as materialized (
      select d.organization_id, d.site_id, d.day, (select count(*) from ${table} t where t.organization_id = d.organization_id
        and t.site_id = d.site_id and t.day = d.day and t.${column} <> ${others}) as texts
      from (select distinct organization_id, site_id, day from given) d),
    looked_up as (
      select given.*, text = ${others} or exists (select from ${table} t where t.organization_id = given.organization_id
        and t.site_id = given.site_id and t.day = given.day and t.${column} = given.text) as is_known
      from given),
    placed as (
      select l.*, case when is_known or had.texts + row_number() over (
          partition by l.organization_id, l.site_id, l.day, is_known order by times desc, text) <= ${mostTexts}
        then text else ${others} end as kept_as
      from looked_up l join had using (organization_id, site_id, day))`
}

const isThere = sql`exists (select from sites s where s.organization_id = given.organization_id and s.id = given.site_id)`

const organizationsOf = (counts: Count<OfSite>[]) => counts.map(({ about }) => about.organizationId)
const sitesOf = (counts: Count<OfSite>[]) => counts.map(({ about }) => about.siteId)
const daysOf = (counts: Count<OfSite>[]) => counts.map(({ day }) => day)
const spacesOf = (counts: Count<PageRead>[]) => counts.map(({ about }) => about.spaceId)
const pagesOf = (counts: Count<PageRead>[]) => counts.map(({ about }) => about.pageId)
const timesOf = (counts: Count<OfSite>[]) => counts.map(({ times }) => times)
const unfoundOf = (counts: Count<OfSite>[]) => counts.map(({ unfound }) => unfound)
