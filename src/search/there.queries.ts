import type { Database } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { type Node, whole } from './nodes.ts'
import { ask } from './queries.ts'
import { type Scope, isIn, isWithin, mostSpaces, withTables } from './scope.ts'
import { isFound } from './score.ts'
import { guessRows } from './words/commonness.ts'

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
