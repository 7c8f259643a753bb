import { contentRoles } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, nothing, sql } from '../db/sql.ts'
import type { Page } from '../http/paging.ts'
import { type LineKey, type LinkRow, type Totals, broken, columns, noTotals, ofLine, statuses } from './queries.ts'
import type { Status } from './settle.ts'

/** Selects links of a main line. */
export interface LinkFilter {
  /** Only the links of this page. */
  source?: string | undefined
  /** Sources whose links are left out, and single links of other sources that are left out. */
  without: readonly string[]
  except: readonly Pick<LinkRow, 'source' | 'ord'>[]
  /** Spaces that the caller may not see. Links to them count as broken, whether the target exists or not. */
  hidden: readonly string[]
}

/** Lists one page of links, by source and position in the source. */
export async function listLinks(
  db: Db,
  line: LineKey,
  filter: LinkFilter,
  status: Status | undefined,
  page: Page,
): Promise<LinkRow[]> {
  const behind = page.after ? sql`and (l.source, l.ord) > (${page.after[0]}::uuid, ${page.after[1]}::int)` : nothing
  const some = (having: Statement) => sql`
    select ${columns} from links l where ${matching(line, filter)} ${behind} and ${having}
    order by l.source, l.ord limit ${page.limit + 1}`
  const parts = having(filter, status).map((each) => sql`(${some(each)})`)
  if (parts.length === 1) return db.all(sql<LinkRow>`${parts[0]}`.asSlow())
  return db.all(
    sql<LinkRow>`select l.* from (${parts[0]} union all ${parts[1]}) l
    order by l.source, l.ord limit ${page.limit + 1}`.asSlow(),
  )
}

/** Each of these conditions can use an index. Combined with `or`, they would read the whole line. */
function having({ hidden }: LinkFilter, status: Status | undefined): Statement[] {
  if (status === undefined) return [sql`true`]
  const isIt = sql`l.status = ${statuses.indexOf(status)}`
  if (hidden.length === 0 || status === 'in-app') return [isIt]
  return status === 'ok'
    ? [sql`${isIt} and not ${isHidden(hidden)}`]
    : [isIt, sql`l.status <> ${broken} and ${isHidden(hidden)}`]
}

const isHidden = (hidden: readonly string[]) =>
  sql`(l.target_space is not null and l.target_space = any (${hidden}::uuid[]))`

function matching(line: LineKey, { source, without, except }: LinkFilter): Statement {
  return sql`${ofLine(line)}
    ${source === undefined ? nothing : sql`and l.source = ${source}`}
    ${without.length === 0 ? nothing : sql`and l.source <> all (${without}::uuid[])`}
    ${
      except.length === 0
        ? nothing
        : sql`and not exists (select from unnest(${except.map(({ source }) => source)}::uuid[],
          ${except.map(({ ord }) => ord)}::int[]) other (source, ord) where other.source = l.source and other.ord = l.ord)`
    }`
}

/** Counts the links of these sources. */
export async function countLinksOf(db: Db, line: LineKey, sources: readonly string[]): Promise<Totals> {
  if (sources.length === 0) return noTotals
  return db.one(sql<Totals>`
    select count(*) as links, count(*) filter (where l.status = ${broken}) as broken,
      count(*) filter (where l.status = ${statuses.indexOf('in-app')}) as in_app
    from links l where ${ofLine(line)} and l.source = any (${sources}::uuid[])`)
}

/** Counts the links that lead to spaces the caller may not see, and that are not broken otherwise. */
export async function countHidden(db: Db, line: LineKey, filter: LinkFilter): Promise<number> {
  if (filter.hidden.length === 0) return 0
  const { count } = await db.one(
    sql<{ count: number }>`
    select count(*) from links l where ${matching(line, filter)} and l.status <> ${broken} and ${isHidden(filter.hidden)}`.asSlow(),
  )
  return count
}

/** Lists the other spaces that a main line links to, with one index lookup for each. */
export async function listTargetSpaces(db: Db, line: LineKey): Promise<string[]> {
  const rows = await db.all(sql<{ id: string }>`
    with recursive spaces (id) as (
      (select l.target_space from links l where ${ofLine(line)} and l.target_space is not null
        order by l.target_space limit 1)
      union all
      select (select l.target_space from links l where ${ofLine(line)} and l.target_space > spaces.id
        order by l.target_space limit 1)
      from spaces where spaces.id is not null)
    select id from spaces where id is not null`)
  return rows.map(({ id }) => id)
}

/** Returns those of the spaces that a member may see. */
export async function listVisible(
  db: Db,
  organizationId: string,
  userId: string,
  spaceIds: readonly string[],
): Promise<Set<string>> {
  if (spaceIds.length === 0) return new Set()
  const rows = await db.all(
    sql<{ id: string }>`
    with recursive ${contentRoles(organizationId, userId)}
    select s.id from spaces s join space_roles r on r.id = s.id
    where s.organization_id = ${organizationId} and s.id = any (${spaceIds}::uuid[]) and s.deleted_at is null
      and r.role is not null`.asSlow(),
  )
  return new Set(rows.map(({ id }) => id))
}
