import { type Statement, nothing, sql } from '../db/sql.ts'
import { top } from '../revisions/entries.ts'
import { type Sought, queryText, whole } from './nodes.ts'
import { type Scope, isWithin } from './scope.ts'
import { isFound, written } from './score.ts'

/** If very many rows match, this many whose titles and headings match are ranked as well: people look for these. */
export const mostTitled = 500

/**
 * Defines `named (space_id, page_id, score)`: the pages whose title is exactly the query. They come before all others.
 * Since they all have the same title, their length means nothing: the page nearest to the top comes first, then the
 * order is that of the requested spaces and, within a space, that of the contents. Pages without a row (generated from
 * a specification, or only in a draft) come after them. Everything is looked up by key, hence the limits.
 */
export function named(scope: Scope, { node, name }: Sought): Statement {
  const { organizationId, spaceIds } = scope
  return sql`all_named as materialized (
      select s.space_id, s.page_id, 0::float8 ${written(node)} as score from search_sections s
      where ${isWithin(scope)} and ${isFound(whole(name))}),
    named_pages as materialized (
      select space_id, page_id, max(score) as score from (select * from all_named limit ${mostTitled}) x group by 1, 2),
    ${climbed(sql`above`, sql`named_pages`, organizationId)},
    named as materialized (
      select space_id, page_id, score + ${nameScore} + ${orderScore} / row_number() over (order by parent is null,
        cardinality(way), array_position(${spaceIds}::uuid[], space_id), way, page_id) as score
      from above where parent = ${top} or parent is null)`
}

/**
 * Defines `name (space_id, page_id, score, line_id, parent, way)`: `pages (space_id, page_id, score)`, and the same for
 * each page above them. Those at the top have the positions on the whole way down to the page.
 */
const climbed = (name: Statement, pages: Statement, organizationId: string): Statement => sql`
    ${name} (space_id, page_id, score, line_id, parent, way) as (
      select n.*, l.id, h.parent, array[h.position] from ${pages} n
      cross join lateral (${mainOf(organizationId)}) l
      left join lateral (select parent, position from heads
        where organization_id = ${organizationId} and line_id = l.id and entry = n.page_id and state = 0 limit 1) h on true
      union all
      select a.space_id, a.page_id, a.score, a.line_id, h.parent, h.position || a.way from ${name} a
      cross join lateral (select parent, position from heads
        where organization_id = ${organizationId} and line_id = a.line_id and entry = a.parent limit 1) h)`

/** The main line of the space of `n`. */
const mainOf = (organizationId: string) => sql`
  select id from lines where organization_id = ${organizationId} and space_id = n.space_id and main_id is null limit 1`

/** Further down the list, pages with the same title stay in the order of their scores. */
const mostAlike = 50

/**
 * Defines `in_order (space_id, page_id, score)`: `pages`, in which those with the same title follow each other if the
 * whole query is in that title. As with `named`, their length means nothing, so that the order stays the same while the
 * reader types the rest of the title. Only titles that occur several times cost more than a look at each.
 */
export function alikeInOrder({ organizationId, spaceIds, where, isShort }: Scope, { node }: Sought): Statement {
  if (isShort) return sql`in_order as (select * from pages)`
  const asked = 'any' in node && node.by ? node.by : node
  return sql`with_titles as materialized (
      select n.*, h.title from (
        select * from pages where score < ${nameScore} order by score desc, page_id limit ${mostAlike}) n
      cross join lateral (${mainOf(organizationId)}) l
      cross join lateral (select data ->> 'title' as title from heads
        where organization_id = ${organizationId} and line_id = l.id and entry = n.page_id and state = 0 limit 1) h),
    with_others as materialized (
      select * from (select *, count(*) over (partition by title) as times from with_titles) x where times > 1),
    alike as materialized (
      select o.*, m.extra, max(o.score) over (partition by o.title, m.extra) as best from with_others o
      cross join lateral (
        select max(0::float8 ${written(node)}) as extra,
          bool_or(ts_filter(s.words, '{a}') @@ ${queryText(asked)}::tsquery) as is_titled
        from search_sections s
        where s.organization_id = ${organizationId} and s.space_id = o.space_id and s.page_id = o.page_id
          and ${isFound(node)} ${where ? sql`and ${where}` : nothing} offset 0) m
      where m.is_titled),
    ${climbed(sql`above_alike`, sql`(select space_id, page_id, score from alike)`, organizationId)},
    sorted as materialized (
      select space_id, page_id, a.best * (1 - ${alikeStep} * row_number() over (partition by a.title, a.extra
        order by cardinality(w.way), array_position(${spaceIds}::uuid[], space_id), w.way, page_id)) as score
      from alike a join above_alike w using (space_id, page_id) where w.parent = ${top}),
    in_order as (
      select p.space_id, p.page_id, coalesce(x.score, p.score) as score
      from pages p left join sorted x using (space_id, page_id))`
}

/** Worth more than any number of words. */
const nameScore = sql`1000::float8`

/** Less than any other difference between pages. */
const orderScore = sql`0.01::float8`

/** The part of its score by which a page ranks below the page before it that has the same title. */
const alikeStep = sql`1e-9::float8`
