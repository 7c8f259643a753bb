import { contentRoles } from '../access/content.ts'
import { type Database, type Db, send } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Position } from '../http/paging.ts'
import { top } from '../revisions/entries.ts'
import { guessRows } from './words/commonness.ts'
import { type Node, type Sought, any, lexemesIn, queryText, whole, writtenIn } from './nodes.ts'

/** Upper limit for lists and counts. */
export const mostItems = 1_000

/** This many rows are ranked one by one to find the best. */
const mostRanked = 1_000
/**
 * If more rows match, this many more are ranked whose titles and headings match, since these are what people look for.
 */
const mostTitled = 500
/**
 * Up to this many rows are counted. Counting takes most of the time, and this many rows nearly always belong to more
 * pages than a list has.
 */
export const mostCounted = 4_000

/** Where to search. The code that creates a scope has checked that the caller may read there. */
export interface Scope {
  organizationId: string
  spaceIds: readonly string[]
  /** Tables that `where` needs, placed after `with recursive`. */
  tables?: Statement
  /** An additional condition for rows of `search_sections s`. */
  where?: Statement
  /**
   * `tables` contains its own `search_sections`, which is short: all matches are ranked, and none is looked up again.
   */
  isShort?: true
}

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

export const place = sql`array[s.organization_id, s.space_id]`

/**
 * A few spaces are looked up one by one. For many, the index finds the rows of this organization, which are then
 * filtered by space. All other conditions are written so that no other index answers them (`is true`), since that would
 * read all rows of the spaces.
 */
export function isWithin({ organizationId, spaceIds, where }: Scope): Statement {
  const few = 10
  const within = spaceIds.length <= few ? spaceIds : [organizationId]
  return sql`${place} && ${within}::uuid[] and (s.organization_id = ${organizationId}) is true
    and (s.space_id in (select unnest(${spaceIds}::uuid[]))) is true ${where ? sql`and ${where}` : nothing}`
}

/** The same for a single space, given as SQL. */
export function isIn({ organizationId, where }: Scope, spaceId: Statement): Statement {
  return sql`${place} @> array[${spaceId}] and (s.organization_id = ${organizationId}) is true
    ${where ? sql`and ${where}` : nothing}`
}

export const withTables = ({ tables }: Scope) => (tables ? sql`${tables},` : nothing)

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
function alikeInOrder({ organizationId, spaceIds, where, isShort }: Scope, { node }: Sought): Statement {
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

/** Whether at least `many` sections match. Reads no rows beyond that. */
export async function isCommon(db: Database, scope: Scope, node: Node, many: number): Promise<boolean> {
  if (scope.spaceIds.length === 0) return false
  const [row] = await ask(
    db,
    sql<{ is_common: boolean }>`
    with recursive ${withTables(scope)} matching as materialized (
      select from search_sections s where ${isWithin(scope)} and ${isFound(node)})
    select count(*) = ${many} as is_common from (select from matching limit ${many}::int8) x`,
  )
  return row!.is_common
}

/** Up to this many spaces are looked into one by one. */
export const mostSpaces = 40

/** All rows of a lexeme are found at once, even if only one is needed. If there are more than this, that is slow. */
const mostFoundAtOnce = 300

/** Lists which of these lexemes occur at all. A common one is looked for space by space, until one has it. */
export async function listThere(db: Database, scope: Scope, lexemes: ReadonlySet<string>): Promise<Set<string>> {
  if (lexemes.size === 0 || scope.spaceIds.length === 0) return new Set()
  const common = await listCommon(db, scope, lexemes)
  const rare = [...lexemes].filter((lexeme) => !common.includes(lexeme))
  const isThere = sql`s.words @@ quote_literal(a.lexeme)::tsquery`
  const rows = await ask(
    db,
    sql<{ lexeme: string }>`
    with recursive ${withTables(scope)} rare (lexeme) as (select unnest(${rare}::text[])),
    common (lexeme) as (select unnest(${common}::text[]))
    select a.lexeme from rare a cross join lateral (
      select from search_sections s where ${isWithin(scope)} and ${isThere} limit 1) x
    union all
    select a.lexeme from common a cross join lateral (
      select from unnest(${scope.spaceIds}::uuid[]) id cross join lateral (
        select from search_sections s where ${isIn(scope, sql`id`)} and ${isThere} limit 1) y limit 1) x`,
  )
  return new Set(rows.map(({ lexeme }) => lexeme))
}

async function listCommon(db: Database, scope: Scope, lexemes: ReadonlySet<string>): Promise<string[]> {
  if (scope.isShort || scope.spaceIds.length > mostSpaces) return []
  const guessed = await Promise.all(
    Array.from(lexemes, async (lexeme) => ({ lexeme, rows: await guessRows(db, whole(lexeme)) })),
  )
  return guessed.filter(({ rows }) => rows > mostFoundAtOnce).map(({ lexeme }) => lexeme)
}

/** Matching all words counts more than having one of them in the title, and less than having two of them there. */
const allScore = sql`0.02::float8`

/** Worth as much as any number of words: `resolving` in a title is not `--resolve`. */
const exactScore = sql`1::float8`

/**
 * Ranks after all words in a title and before all words in a heading: a reader with an error message searches for its
 * exact text.
 */
const verbatimScore = sql`0.05::float8`

/** Worth more than any number of words. */
const nameScore = sql`1000::float8`

/** Less than any other difference between pages. */
const orderScore = sql`0.01::float8`

/** The part of its score by which a page ranks below the page before it that has the same title. */
const alikeStep = sql`1e-9::float8`

export const isFound = (node: Node) => sql`s.words @@ ${queryText(node)}::tsquery`

/** Whether the title of the page and the heading together match the whole query. */
export const isTitled = (node: Node) => sql`ts_filter(s.words, '{a,b}') @@ ${queryText(node)}::tsquery`

/**
 * Ranks by how often the words occur and how close together. A title counts far more than a heading, and a heading far
 * more than a body: the steps are so steep that no number of occurrences makes up for them. Of two titles, the shorter
 * one is better. With cover density, a row costs twenty times as much if a word can be one of twenty, because the
 * server clears 32 KB for each of them and for each row.
 */
export function scoreOf(node: Node): Statement {
  return sql`${rankOf(node)}
    * (0.5::float8 + 0.5::float8 / greatest(1, s.title_length)) + ${leastScore} ${written(node)}`
}

/** The extra score for text that occurs exactly as it was written. */
const written = (node: Node) => sql`
  ${extra(any(writtenIn(node, 'exactly')), exactScore)} ${extra(any(writtenIn(node, 'verbatim')), verbatimScore)}`

const extra = (node: Node | undefined, score: Statement) =>
  node ? sql`+ case when ${isFound(node)} then ${score} else 0 end` : nothing

function rankOf(node: Node): Statement {
  if ('any' in node && node.by) {
    return sql`(${rankOf(node.by)} ${extra(node.by, allScore)})`
  }
  if ('any' in node && node.rather) return best([rankOf(node.rather), rankOf({ any: node.any })])
  const rank = lexemesIn(node).length > 1 ? sql`ts_rank` : sql`ts_rank_cd`
  const each = alternatives(node)
  const together = best(each.map((one) => sql`${rank}(${weights}, s.words, ${queryText(one)}::tsquery, 1)`))
  const apart = any(
    each.flatMap((one) =>
      ('all' in one ? one.all : 'phrase' in one ? one.phrase.map((step) => step.node) : []).filter(isWord),
    ),
  )
  if (!apart) return together
  return sql`(${together} + ${aboutOne} * ts_rank(${weights}, s.words, ${queryText(apart)}::tsquery, 1))`
}

/** Whether the node is a single word, possibly with alternatives. */
const isWord = (node: Node): boolean => 'lexeme' in node || ('any' in node && node.any.every(isWord))

const best = ([first, ...others]: readonly Statement[]) =>
  others.reduce((best, each) => sql`greatest(${best}, ${each})`, first!)

const weights = sql`'{0.0001, 0.0001, 0.05, 1}'`

/**
 * Words that are searched together are ranked by how close together they occur, and a title is far from a body. So each
 * word also adds a score of its own: less than all words in a heading, and more than all in a body. This also applies
 * to the words of a name: of all pages that mention it, the one with one of its words in the title is about it.
 */
const aboutOne = sql`0.01::float8`

/**
 * With more alternatives, as in very many languages at once, ranking would be most of the work, especially for several
 * words.
 */
const mostAlternatives = 8
const mostOfWords = 4

/**
 * Returns the alternatives that are ranked separately. `CURLOPT_URL` is searched as two consecutive words or as one.
 * Ranked together, each word would count alone, and all pages with CURLOPT in their titles would appear to be about it.
 */
function alternatives(node: Node): readonly Node[] {
  if (!('any' in node) || node.isAlike) return [node]
  if (node.any.length === 1) return alternatives(node.any[0]!)
  const flat = node.any.flatMap((each) => ('any' in each ? each.any : [each]))
  const some = [...new Map(flat.map((each) => [queryText(each), each])).values()]
  const isName = some.length <= mostAlternatives && some.some((each) => 'phrase' in each)
  const isOfWords = some.length <= mostOfWords && some.some((each) => 'all' in each)
  return isName || isOfWords ? some : [node]
}

/** More than zero, which is the score of spaces that were not ranked. */
const leastScore = sql`1e-12::float8`

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
