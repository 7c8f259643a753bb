import type { Database } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { Position } from '../http/paging.ts'
import type { Node, Sought } from './nodes.ts'
import { ask, found, mostCounted, mostItems } from './queries.ts'
import { type Scope, isWithin, withTables } from './scope.ts'
import { isFound } from './score.ts'
import { type RankedSpaces, pagesOfSpace, rankInSpaces } from './in-spaces.queries.ts'

/** Like `rankSpaces`, for too many spaces to search each: ranks them by the best among the first rows of all. */
export async function rankManySpaces(
  db: Database,
  scope: Scope,
  sought: Sought,
  limit: number,
  after?: Position,
): Promise<RankedSpaces> {
  const { node } = sought
  const { isCut, seen, isMuch, spaces } = await rankFoundSpaces(db, scope, sought, limit, after)
  if (!isCut) return { count: Math.min(seen.length, mostItems), isMuch, spaces }

  // Not all rows were examined. Other spaces may match as well. They follow, ordered by id.
  const found = new Set(seen)
  const unseen = scope.spaceIds.filter((id) => !found.has(id)).toSorted()
  const isBehind = (id: string) => after === undefined || Number(after[0]) > 0 || id > String(after[1])
  if (unseen.length <= mostLookups) {
    const others = await lookInto(db, scope, node, unseen)
    const next = others.filter(({ id }) => isBehind(id)).slice(0, limit + 1 - spaces.length)
    return { count: seen.length + others.length, isMuch, spaces: [...spaces, ...next] }
  }
  const others = await listOtherSpaces(db, { ...scope, spaceIds: unseen }, node)
  const next = others.filter(isBehind).slice(0, limit + 1 - spaces.length)
  const count = Math.min(seen.length + others.length, mostItems)
  return { count, isMuch, spaces: [...spaces, ...(await lookInto(db, scope, node, next))] }
}

interface FoundSpaces {
  isCut: boolean
  seen: string[]
  isMuch: boolean
  spaces: RankedSpaces['spaces']
}

async function rankFoundSpaces(
  db: Database,
  scope: Scope,
  sought: Sought,
  limit: number,
  after?: Position,
): Promise<FoundSpaces> {
  const behind = after ? sql`where (-score, id) > (${-Number(after[0])}::float8, ${after[1]}::uuid)` : nothing
  const [totals, ...rows] = await ask(
    db,
    sql<{
      id: string
      best: number
      space_id: string
      page_id: string
      score: number
      seen: string[]
      looked: number
      most: number
    }>`
    with recursive ${withTables(scope)} ${found(scope, sought, mostCounted)},
    pages as materialized (select space_id, page_id, max(score) as score from found group by 1, 2),
    all_spaces as materialized (select space_id as id, max(score) as score from pages group by 1),
    shown as (select id, score from all_spaces ${behind} order by score desc, id limit ${limit + 1}),
    numbered as (
      select shown.id, shown.score as best, p.space_id, p.page_id, p.score,
        row_number() over (partition by shown.id order by p.score desc, p.page_id) as number
      from shown join pages p on p.space_id = shown.id)
    select null as id, null as best, null as space_id, null as page_id, null as score, null as number,
      array(select id from all_spaces) as seen, (select count(*) from first) as looked,
      (select max(n) from (select count(*) as n from pages group by space_id) x) as most
    union all
    select *, null, null, null from numbered where number <= ${pagesOfSpace}
    order by best desc nulls first, id, number`,
  )
  const spaces = [...Map.groupBy(rows, ({ id }) => id)].map(([id, pages]) => ({ id, score: pages[0]!.best, pages }))
  return { isCut: totals!.looked === mostCounted, seen: totals!.seen, isMuch: totals!.most >= pagesOfSpace, spaces }
}

/** Up to this many spaces, searching each costs less than reading every matching row. */
const mostLookups = 200

async function listOtherSpaces(db: Database, scope: Scope, node: Node): Promise<string[]> {
  const rows = await ask(
    db,
    sql<{ id: string }>`
    with recursive ${withTables(scope)} matching as materialized (
      select s.space_id as id from search_sections s where ${isWithin(scope)} and ${isFound(node)})
    select distinct id from matching order by id limit ${mostItems}`,
  )
  return rows.map(({ id }) => id)
}

/** These spaces come after all others, ordered by id. */
async function lookInto(db: Database, scope: Scope, node: Node, ids: string[]): Promise<RankedSpaces['spaces']> {
  const found = await rankInSpaces(db, scope, node, ids)
  return ids.flatMap((id) => {
    const pages = found.get(id)
    return pages ? [{ id, score: 0, pages }] : []
  })
}
