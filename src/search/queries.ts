import { contentRoles } from '../access/content.ts'
import { type Database, type Db, send } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Position } from '../http/paging.ts'
import { top } from '../revisions/entries.ts'
import { type Node, type Sought, lexemesIn, queryText } from './nodes.ts'
import { type Scope, isWithin, withTables } from './scope.ts'
import { isFound, isTitled, leastScore, scoreOf } from './score.ts'
import { alikeInOrder, mostTitled, named } from './titles.queries.ts'

/** Upper limit for lists and counts. */
export const mostItems = 1_000

/** This many rows are ranked one by one to find the best. */
const mostRanked = 1_000
/**
 * Up to this many rows are counted. Counting takes most of the time, and this many rows nearly always belong to more
 * pages than a list has.
 */
export const mostCounted = 4_000

export interface VisibleSpace {
  id: string
  title: string
  /** The dictionaries that its rows are made with. */
  lexicons: string[]
}

/** All spaces of an organization that this member may see. */
export async function listVisibleSpaces(db: Db, organizationId: string, userId: string): Promise<VisibleSpace[]> {
  return db.remember('rights', `visible spaces ${organizationId} ${userId}`, () =>
    db.all(
      sql<VisibleSpace>`
      with recursive ${contentRoles(organizationId, userId)}
      select r.id, s.title, coalesce((select array_append(x.former, x.lexicon) from search_spaces x
        where x.organization_id = ${organizationId} and x.space_id = r.id), '{}') as lexicons
      from space_roles r join spaces s on s.organization_id = ${organizationId} and s.id = r.id
      where r.role is not null and s.deleted_at is null order by r.id`.asSlow(),
    ),
  )
}

/**
 * Uses a connection of its own, since it may take a while. It is still planned only once, since there is only one good
 * plan.
 */
export async function ask<Row>(db: Database, statement: Statement<Row>): Promise<Row[]> {
  return db.withClient(async (client) => (await send(client, statement)).rows as Row[])
}

export interface Ranked {
  /** The number of matches, up to `mostItems`. */
  count: number
  /** Contains one more row than was asked for, if there is one. */
  rows: { space_id: string; page_id: string; score: number }[]
}

/** Ranks the pages that match a query, best first. */
export async function rankPages(
  db: Database,
  scope: Scope,
  sought: Sought,
  limit: number,
  after?: Position,
): Promise<Ranked> {
  const behind = after ? sql`where (-score, page_id) > (${-Number(after[0])}::float8, ${after[1]}::uuid)` : nothing
  const rank = (most: number | null) =>
    ask(
      db,
      sql<RankedRow>`
      with recursive ${withTables(scope)} ${found(scope, sought, most)},
      pages as materialized (
        select space_id, page_id, max(score) as score from found group by 1, 2 order by score desc, page_id
        limit ${mostItems}),
      ${alikeInOrder(scope, sought)},
      shown as (select * from in_order ${behind} order by score desc, page_id limit ${limit + 1})
      select totals.*, shown.* from (
        select (select count(*) from pages) as count, (select count(*) from first) as looked) totals
      left join shown on true order by score desc, page_id`,
    )
  const rows = await rank(mostCounted)
  const { count, looked } = rows[0]!
  // This many sections belong to so few pages that the term is rare enough to examine all of them.
  if (looked === mostCounted && !scope.isShort && count < mostItems) return asRanked(await rank(null))
  return asRanked(rows)
}

type RankedRow = { count: number; looked: number; space_id: string; page_id: string | null; score: number }

function asRanked(rows: RankedRow[]): Ranked {
  const pages = rows.filter((row): row is RankedRow & { page_id: string } => row.page_id !== null)
  return { count: rows[0]!.count, rows: pages }
}

/**
 * Defines `first (space_id, page_id, at, number)`: matching rows, in no order, up to a limit. And `found (space_id,
 * page_id, score)`: the same rows, the first of them ranked, with the best of all. They are materialized so that the
 * plan is for all rows: when planned for the first few rows only, the whole table was read.
 */
export function found(scope: Scope, sought: Sought, most: number | null): Statement {
  const { node } = sought
  const matching = (what: Statement, condition: Statement) => sql`
    select s.space_id, s.page_id, ${what} from search_sections s where ${isWithin(scope)} and ${condition}`
  if (scope.isShort) {
    return sql`first as materialized (${matching(sql`${scoreOf(node)} as score`, isFound(node))}),
      ${named(scope, sought)},
      found as (select * from first union all select * from named)`
  }
  return sql`matching as materialized (${matching(sql`s.ctid as at`, isFound(node))}),
    first as materialized (select *, row_number() over () as number from matching limit ${most}::int8),
    titled as materialized (${matching(
      sql`${scoreOf(node)} as score`,
      sql`(select count(*) from first) > ${mostRanked} and ${isTitled(node)}`,
    )}),
    ${named(scope, sought)},
    found as (
      select f.space_id, f.page_id, ranked.score from first f cross join lateral (
        select ${scoreOf(node)} as score from search_sections s where s.ctid = f.at offset 0) ranked
      where f.number <= ${mostRanked}
      union all
      select space_id, page_id, ${leastScore} from first where number > ${mostRanked}
      union all
      (select * from titled limit ${mostTitled})
      union all
      select * from named)`
}

export interface FoundSection {
  space_id: string
  page_id: string
  anchor: string
  heading: string
  body: string
}

/** Lists the sections of these pages that match in their own heading or body, the best of each page first. */
export async function listSections(
  db: Database,
  { organizationId, tables, where }: Omit<Scope, 'spaceIds'>,
  pages: Ranked['rows'],
  node: Node,
  perPage: number,
): Promise<FoundSection[]> {
  if (pages.length === 0) return []
  const own = lexemesIn(node).map((lexeme) => queryText(lexeme, 'BD'))
  return ask(
    db,
    sql<FoundSection>`
    ${tables ? sql`with ${tables}` : nothing}
    select p.space_id, p.page_id, x.anchor, x.heading, x.body
    from unnest(${pages.map(({ space_id }) => space_id)}::uuid[], ${pages.map(({ page_id }) => page_id)}::uuid[])
      p (space_id, page_id)
    cross join lateral (
      select s.anchor, s.heading, s.body, ${scoreOf(node)} as score from search_sections s
      where s.organization_id = ${organizationId} and s.space_id = p.space_id and s.page_id = p.page_id
        and s.words @@ ${queryText(node)}::tsquery and s.words @@ ${own.join(' | ')}::tsquery
        ${where ? sql`and ${where}` : nothing}
      order by score desc, s.anchor, s.part limit ${perPage}) x`,
  )
}

export interface FoundPage {
  space_id: string
  page_id: string
  title: string
  path: string
}

/**
 * Returns the current titles and paths of the pages on main. Lines are looked up by key (hence the limit) instead of
 * reading all of them.
 */
export async function listFoundPages(db: Db, organizationId: string, pages: Ranked['rows']): Promise<FoundPage[]> {
  if (pages.length === 0) return []
  return db.all(
    sql<FoundPage>`
    with recursive up (space_id, line_id, page_id, title, parent, path) as (
      select p.space_id, h.line_id, h.entry, h.data ->> 'title', h.parent, h.slug
      from unnest(${pages.map(({ space_id }) => space_id)}::uuid[], ${pages.map(({ page_id }) => page_id)}::uuid[])
        p (space_id, page_id)
      cross join lateral (select organization_id, id from lines
        where organization_id = ${organizationId} and space_id = p.space_id and main_id is null limit 1) l
      join heads h on h.organization_id = l.organization_id and h.line_id = l.id and h.entry = p.page_id and h.state = 0
      union all
      select up.space_id, up.line_id, up.page_id, up.title, h.parent, h.slug || '/' || up.path from up
      join heads h on h.organization_id = ${organizationId} and h.line_id = up.line_id and h.entry = up.parent)
    select space_id, page_id, title, path from up where parent = ${top}`,
  )
}
