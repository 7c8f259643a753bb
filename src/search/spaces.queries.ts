import type { Database } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Position } from '../http/paging.ts'
import { guessRows } from './words/commonness.ts'
import {
  type BySpace,
  type Page,
  type RankedSpaces,
  asked,
  bySpace,
  hasBeginning,
  isVeryCommon,
  pagesOfSpace,
  perSpace,
  rankInSpaces,
  textsOfAsked,
} from './in-spaces.queries.ts'
import { rankManySpaces } from './many-spaces.queries.ts'
import type { Node, Sought } from './nodes.ts'
import { ask } from './queries.ts'
import { type Scope, isWithin, mostSpaces, withTables } from './scope.ts'
import { isFound, isTitled, scoreOf } from './score.ts'
import { named } from './titles.queries.ts'

/**
 * Returns the spaces in which a query matches, the space with the best page first, each with its best pages. If very
 * many rows match, titles and headings are searched first, since they are few and better than everything else. If a
 * space has enough of them, its bodies are skipped, which saves most of the work for a word that a third of them
 * contain.
 */
export async function rankSpaces(
  db: Database,
  scope: Scope,
  sought: Sought,
  limit: number,
  after?: Position,
): Promise<RankedSpaces> {
  if (scope.spaceIds.length > mostSpaces) return rankManySpaces(db, scope, sought, limit, after)

  const found = (await rankAll(db, scope, sought)) ?? (await rankTitlesAndTexts(db, scope, sought))
  const spaces = scope.spaceIds
    .map((id) => ({ id, pages: bestOf(found.get(id) ?? []) }))
    .filter(({ pages }) => pages.length > 0)
    .map(({ id, pages }) => ({ id, pages, score: pages[0]!.score }))
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  const isBehind = ({ id, score }: { id: string; score: number }, [last, lastId]: Position) =>
    score < Number(last) || (score === Number(last) && id > String(lastId))
  const shown = after ? spaces.filter((space) => isBehind(space, after)) : spaces
  const isMuch = spaces.some(({ pages }) => pages.length === pagesOfSpace)
  return { count: spaces.length, isMuch, spaces: shown.slice(0, limit + 1) }
}

/** A page may be in the list twice: by its title, and by the first of its rows that was found. */
function bestOf(pages: readonly Page[]): Page[] {
  const best = new Map<string, Page>()
  for (const page of pages) {
    if (page.score > (best.get(page.page_id)?.score ?? 0)) best.set(page.page_id, page)
  }
  return [...best.values()]
    .toSorted((a, b) => b.score - a.score || (a.page_id < b.page_id ? -1 : 1))
    .slice(0, pagesOfSpace)
}

/** Up to this many rows are all ranked in one statement. */
const mostRare = 1_500

/** Returns undefined if there are too many rows. The estimate can be too low, so this is checked again here. */
async function rankAll(db: Database, scope: Scope, sought: Sought): Promise<BySpace | undefined> {
  const { node } = sought
  if ((await guessRows(db, node)) > mostRare) return undefined
  const rows = await ask(
    db,
    sql<(Page | { page_id: null }) & { looked: number }>`
    with recursive ${withTables(scope)} matching as materialized (
      select s.space_id, s.page_id, ${scoreOf(node)} as score from search_sections s
      where ${isWithin(scope)} and ${isFound(node)}),
    first as materialized (select * from matching limit ${mostRare + 1}),
    ${named(scope, sought)},
    pages as (
      select space_id, page_id, max(score) as score from (select * from first union all select * from named) f
      group by 1, 2),
    best as (
      select *, row_number() over (partition by space_id order by score desc, page_id) as number from pages)
    select looked, space_id, page_id, score from (select count(*) as looked from first) totals
    left join best on number <= ${pagesOfSpace}`,
  )
  if (rows[0]!.looked > mostRare) return undefined
  return bySpace(rows.filter((row) => row.page_id !== null))
}

/** Upper limit of title and heading rows to examine. A prefix can match very many. */
const mostTitled = 20_000

async function rankTitlesAndTexts(db: Database, scope: Scope, sought: Sought): Promise<BySpace> {
  const { node } = sought
  const { spaceIds } = scope
  if (spaceIds.length === 0) return new Map()
  const titles = sql`with recursive ${withTables(scope)} ${bestTitles(scope, node)}`
  const isWanting = sql`(select count(*) from best_titles t where t.space_id = id) < ${pagesOfSpace}`
  if (!hasBeginning(node)) {
    const wanting = sql`select id from unnest(${spaceIds}::uuid[]) id where ${isWanting}`
    const texts = textsOfAsked(scope, node, perSpace(spaceIds.length), await isVeryCommon(db, scope, node))
    const statement = sql<Page>`${titles}, ${named(scope, sought)}, ${asked(wanting)} select * from best_titles
      union all select * from named union all ${texts}`
    return bySpace(await ask(db, statement))
  }
  const titled = bySpace(await ask(db, sql<Page>`${titles} select * from best_titles`))
  const wanting = spaceIds.filter((id) => (titled.get(id)?.length ?? 0) < pagesOfSpace)
  const others = await rankInSpaces(db, scope, node, wanting)
  return new Map(spaceIds.map((id) => [id, [...(titled.get(id) ?? []), ...(others.get(id) ?? [])]]))
}

/**
 * Defines `best_titles (space_id, page_id, score)`: the best pages of each space that have all words in their titles
 * and headings. A title is in all rows of its page, a heading in only one: the pages with the most matching rows are
 * ranked, by one row each.
 */
function bestTitles(scope: Scope, node: Node): Statement {
  return sql`titled as materialized (
      select s.space_id, s.page_id, s.ctid as at from search_sections s where ${isWithin(scope)} and ${isTitled(node)}),
    titled_pages as (
      select space_id, page_id, min(at) as at, count(*) as hits from (select * from titled limit ${mostTitled}) t
      group by 1, 2),
    likely as (
      select *, row_number() over (partition by space_id order by hits desc, page_id) as number from titled_pages),
    ranked_titles as (
      select l.space_id, l.page_id, x.score from likely l cross join lateral (
        select ${scoreOf(node)} as score from search_sections s where s.ctid = l.at offset 0) x
      where l.number <= ${perSpace(scope.spaceIds.length)}),
    best_titles as materialized (
      select space_id, page_id, score from (
        select *, row_number() over (partition by space_id order by score desc, page_id) as number
        from ranked_titles) r
      where number <= ${pagesOfSpace})`
}
