import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import { type LineKey, type LinkRow, ofLine } from './queries.ts'

/** A page or a piece of reusable content that contains a link. */
export interface Source {
  line_id: string
  source: string
}

/** Which links of a main line count, and which sources count in addition to them. */
export interface SourceFilter {
  target: string
  without: readonly string[]
  except: readonly Pick<LinkRow, 'source' | 'ord'>[]
  and: readonly string[]
}

export interface Part {
  limit: number
  after: string | undefined
}

/** Lists, by id, what links to something in a space, except that item itself. */
export async function listSources(db: Db, line: LineKey, filter: SourceFilter, part: Part): Promise<Source[]> {
  const behind = part.after === undefined ? nothing : sql`and x.source > ${part.after}::uuid`
  return db.all(
    sql<Source>`
    select ${line.lineId}::uuid as line_id, x.source from (${sourcesOf(line, filter)}) x
    where x.source <> ${filter.target}::uuid ${behind} order by x.source limit ${part.limit}`.asSlow(),
  )
}

export async function countSources(db: Db, line: LineKey, filter: SourceFilter): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`
    select count(*) from (${sourcesOf(line, filter)}) x where x.source <> ${filter.target}::uuid`.asSlow(),
  )
  return count
}

/** Lists each source once. Without a change request, the query only walks the index as far as the list needs. */
function sourcesOf(line: LineKey, { target, without, except, and }: SourceFilter): Statement {
  const onMain = sql`select distinct l.source from links l
    where ${ofLine(line)} and l.target = ${target} and l.target_space is null`
  if (without.length === 0 && except.length === 0 && and.length === 0) return onMain
  return sql`${onMain} and l.source <> all (${without}::uuid[])
      and not exists (select from unnest(${except.map(({ source }) => source)}::uuid[],
        ${except.map(({ ord }) => ord)}::int[]) other (source, ord) where other.source = l.source and other.ord = l.ord)
    union select id from unnest(${and}::uuid[]) id`
}

/** Lists the spaces that link to something in the given space. */
export async function listSpacesLinking(
  db: Db,
  organizationId: string,
  { spaceId, entry }: { spaceId: string; entry: string },
): Promise<{ line_id: string; space_id: string }[]> {
  return db.all(sql<{ line_id: string; space_id: string }>`
    select m.id as line_id, m.space_id from lines m
    where m.organization_id = ${organizationId} and m.id in (${toThere(organizationId, spaceId, entry, sql`l.line_id`)})`)
}

export interface ElsewherePart {
  limit: number
  after: readonly [string, string] | undefined
}

/** Lists what in these lines links to something in another space, by line and id. */
export async function listSourcesElsewhere(
  db: Db,
  organizationId: string,
  { spaceId, entry }: { spaceId: string; entry: string },
  lines: readonly string[],
  part: ElsewherePart,
): Promise<Source[]> {
  if (lines.length === 0) return []
  const behind = part.after
    ? sql`and (l.line_id, l.source) > (${part.after[0]}::uuid, ${part.after[1]}::uuid)`
    : nothing
  return db.all(
    sql<Source>`
    ${toThere(organizationId, spaceId, entry, sql`l.line_id, l.source`)} and l.line_id = any (${lines}::uuid[]) ${behind}
    order by l.line_id, l.source limit ${part.limit}`.asSlow(),
  )
}

export async function countSourcesElsewhere(
  db: Db,
  organizationId: string,
  { spaceId, entry }: { spaceId: string; entry: string },
  lines: readonly string[],
): Promise<number> {
  if (lines.length === 0) return 0
  const { count } = await db.one(
    sql<{ count: number }>`
    select count(*) from (${toThere(organizationId, spaceId, entry, sql`l.line_id, l.source`)}
      and l.line_id = any (${lines}::uuid[])) x`.asSlow(),
  )
  return count
}

const toThere = (organizationId: string, spaceId: string, entry: string, columns: Statement) =>
  sql`select distinct ${columns} from links l
    where l.organization_id = ${organizationId} and l.target_space = ${spaceId} and l.target = ${entry}`
