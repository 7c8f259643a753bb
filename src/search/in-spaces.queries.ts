import type { Database } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import { type Node, lexemesIn } from './nodes.ts'
import { type Ranked, ask } from './queries.ts'
import { type Scope, isIn, isWithin, withTables } from './scope.ts'
import { isFound, scoreOf } from './score.ts'
import { guessShare } from './words/commonness.ts'

export interface RankedSpaces {
  count: number
  /** Whether one of the spaces has as many pages as are shown per space. */
  isMuch: boolean
  /** One more than was asked for, if there is one. */
  spaces: { id: string; score: number; pages: Ranked['rows'] }[]
}

/** A list of spaces shows some pages of each. To see more of one, the reader searches in it. */
export const pagesOfSpace = 10

/**
 * Upper limit of rows to rank in total, and the minimum per space, which is several times the number of pages shown.
 */
const mostRanked = 1_000
const leastRanked = 50

export const perSpace = (spaces: number) => Math.max(leastRanked, Math.floor(mostRanked / spaces))

export type Page = Ranked['rows'][number]
export type BySpace = Map<string, Page[]>

export const bySpace = (pages: Page[]): BySpace => Map.groupBy(pages, ({ space_id }) => space_id)

/** Whether the query asks for the beginning of a word. */
export const hasBeginning = (node: Node) => lexemesIn(node).some(({ prefix }) => prefix)

/** The spaces to search, for `textsOfAsked`. */
export const asked = (ids: Statement) => sql`asked (id) as (${ids})`

/** Returns those of the spaces in which something is found, with the best pages among the first rows of each. */
export async function rankInSpaces(
  db: Database,
  scope: Scope,
  node: Node,
  spaceIds: readonly string[],
): Promise<BySpace> {
  if (spaceIds.length === 0) return new Map()
  const most = perSpace(spaceIds.length)
  // Looking up the beginning of a word takes as long in one space as in all of them.
  if (hasBeginning(node)) return bySpace(await ask(db, textsInOnePass({ ...scope, spaceIds }, node, most)))
  const tables = sql`with recursive ${withTables(scope)} ${asked(sql`select unnest(${spaceIds}::uuid[])`)}`
  return bySpace(await ask(db, sql<Page>`${tables} ${textsOfAsked(scope, node, most)}`))
}

/**
 * Searches space by space, and ranks no more rows of each than `most`. `isVeryCommon`: the index would collect very many
 * rows of each space before the first one is ranked, so the rows that come first there are read instead, and the index is
 * asked only where these are too few.
 */
export function textsOfAsked(scope: Scope, node: Node, most: number, isVeryCommon = false): Statement {
  const here = sql`select s.page_id, ${scoreOf(node)} as score from search_sections s
        where ${isIn(scope, sql`x.id`)} and ${isFound(node)}`
  const early = sql`select s.page_id, ${scoreOf(node)} as score from (
          select * from search_sections s where s.organization_id = ${scope.organizationId} and s.space_id = x.id
          order by s.page_id, s.anchor, s.part limit ${mostRead}) s
        where ${isFound(node)} ${scope.where ? sql`and ${scope.where}` : nothing} limit ${most}`
  const rows = isVeryCommon
    ? sql`early as materialized (${early}),
      here as materialized (${here} and (select count(*) from early) < ${most}),
      ranked as (select * from early union all (select * from here limit ${most}))`
    : sql`here as materialized (${here}), ranked as (select * from here limit ${most})`
  return sql`select x.id as space_id, best.* from asked x cross join lateral (
      with ${rows}
      select page_id, max(score) as score from ranked group by 1 order by 2 desc, 1 limit ${pagesOfSpace}) best`
}

/** How many rows of a space are read in search of a very common word. */
const mostRead = 1_000

/** If more rows than this part of all contain a word, reading them in order is faster than asking the index. */
const commonShare = 1 / 8

export const isVeryCommon = async (db: Database, { isShort }: Scope, node: Node) =>
  !isShort && (await guessShare(db, node)) > commonShare

function textsInOnePass(scope: Scope, node: Node, most: number): Statement<Page> {
  return sql<Page>`
    with recursive ${withTables(scope)} matching as materialized (
      select s.space_id, s.page_id, s.ctid as at from search_sections s where ${isWithin(scope)} and ${isFound(node)}),
    numbered as (select *, row_number() over (partition by space_id) as number from matching),
    ranked as (
      select n.space_id, n.page_id, max(x.score) as score from numbered n cross join lateral (
        select ${scoreOf(node)} as score from search_sections s where s.ctid = n.at offset 0) x
      where n.number <= ${most} group by 1, 2),
    best as (
      select *, row_number() over (partition by space_id order by score desc, page_id) as number from ranked)
    select space_id, page_id, score from best where number <= ${pagesOfSpace}`
}
