import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Refs } from '../pages/entry-data.ts'
import type { Kind } from '../revisions/entries.ts'
import type { Relation } from './meaning.ts'
import type { Settled, Status } from './settle.ts'

/** A link of a main line, as it is stored. */
export interface LinkRow {
  source: string
  ord: number
  raw: string
  relation: number
  target_space: string | null
  target: string | null
  wanted: string | null
  anchor: string | null
  status: number
}

/** Identifies a main line. Every query for links requires it. */
export interface LineKey {
  organizationId: string
  lineId: string
}

/** The table stores the index of these words. */
export const statuses = ['ok', 'broken', 'in-app'] as const satisfies Status[]
export const relations = ['reference', 'dependsOn'] as const satisfies Relation[]

export const broken = statuses.indexOf('broken')

export function asRow(
  source: string,
  ord: number,
  link: { raw: string; relation: Relation },
  settled: Settled,
): LinkRow {
  return {
    source,
    ord,
    raw: link.raw,
    relation: relations.indexOf(link.relation),
    target_space: settled.targetSpace,
    target: settled.target,
    wanted: settled.wanted,
    anchor: settled.anchor,
    status: statuses.indexOf(settled.status),
  }
}

export const columns = sql`l.source, l.ord, l.raw, l.relation, l.target_space, l.target, l.wanted, l.anchor, l.status`

export const ofLine = ({ organizationId, lineId }: LineKey) =>
  sql`l.organization_id = ${organizationId} and l.line_id = ${lineId}`

export async function listLinksOf(db: Db, line: LineKey, sources: readonly string[]): Promise<LinkRow[]> {
  if (sources.length === 0) return []
  return db.all(sql<LinkRow>`
    select ${columns} from links l where ${ofLine(line)} and l.source = any (${sources}::uuid[]) order by l.source, l.ord`)
}

/** Lists links to anchors in these pages. */
export async function listAnchoredTo(db: Db, line: LineKey, targets: readonly string[]): Promise<LinkRow[]> {
  if (targets.length === 0) return []
  return db.all(sql<LinkRow>`
    select ${columns} from links l where ${ofLine(line)} and l.target = any (${targets}::uuid[])
      and l.anchor is not null and l.target_space is null`)
}

export async function listLinksTo(db: Db, line: LineKey, targets: readonly string[]): Promise<LinkRow[]> {
  if (targets.length === 0) return []
  return db.all(
    sql<LinkRow>`
    select ${columns} from links l where ${ofLine(line)} and l.target = any (${targets}::uuid[]) and l.target_space is null`.asLong(),
  )
}

/**
 * Lists links that refer to one of these paths, or to a path below one. Searches path by path (`offset 0`): as a single
 * condition, or as a join, the query would read all links of the line.
 */
export async function listLinksWanting(db: Db, line: LineKey, paths: readonly string[]): Promise<LinkRow[]> {
  if (paths.length === 0) return []
  const having = (wanted: Statement) =>
    sql`select ${columns} from links l where ${ofLine(line)} and l.target_space is null and ${wanted}`
  return db.all(
    sql<LinkRow>`
    select found.* from unnest(${[...new Set(paths)]}::text[]) asked (path)
    cross join lateral (
      ${having(sql`l.wanted = asked.path`)}
      union all
      ${having(sql`l.wanted > asked.path || '/' and l.wanted < asked.path || '0'`)}
      offset 0) found`.asLong(),
  )
}

/** Lists the broken links within a space that name one of these targets, or refer to exactly one of these paths. */
export async function listBrokenTo(
  db: Db,
  line: LineKey,
  targets: readonly string[],
  paths: readonly string[],
): Promise<LinkRow[]> {
  if (targets.length === 0 && paths.length === 0) return []
  return db.all(
    sql<LinkRow>`
    select ${columns} from links l where ${ofLine(line)} and l.target_space is null and l.status = ${broken}
      and (l.target = any (${targets}::uuid[]) or l.wanted = any (${paths}::text[]))`.asLong(),
  )
}

/** Lists the bindings of the texts of these sources. */
export async function listRefs(
  db: Db,
  line: LineKey,
  sources: readonly string[],
): Promise<{ entry: string; kind: Kind; refs: Refs | null }[]> {
  if (sources.length === 0) return []
  return db.all(sql<{ entry: string; kind: Kind; refs: Refs | null }>`
    select h.entry, h.kind, h.refs from heads h where h.organization_id = ${line.organizationId}
      and h.line_id = ${line.lineId} and h.entry = any (${sources}::uuid[]) and h.state = 0`)
}

type Key = Pick<LinkRow, 'source' | 'ord'>

/** Sent without waiting for the result. */
export function deleteLinks(tx: Transaction, line: LineKey, keys: readonly Key[]): void {
  if (keys.length === 0) return
  tx.runLater(sql`
    delete from links l using unnest(${keys.map(({ source }) => source)}::uuid[], ${keys.map(({ ord }) => ord)}::int[])
      gone (source, ord)
    where ${ofLine(line)} and l.source = gone.source and l.ord = gone.ord`)
}

export function upsertLinks(tx: Transaction, { organizationId, lineId }: LineKey, rows: readonly LinkRow[]): void {
  if (rows.length === 0) return
  const values = <Name extends keyof LinkRow>(name: Name) => rows.map((row) => row[name])
  tx.runLater(sql`
    insert into links (organization_id, line_id, source, ord, raw, relation, target_space, target, wanted, anchor, status)
    select ${organizationId}, ${lineId}, r.* from unnest(${values('source')}::uuid[], ${values('ord')}::int[],
      ${values('raw')}::text[], ${values('relation')}::int2[], ${values('target_space')}::uuid[],
      ${values('target')}::uuid[], ${values('wanted')}::text[], ${values('anchor')}::text[], ${values('status')}::int2[]) r
    on conflict (organization_id, line_id, source, ord) do update set raw = excluded.raw, relation = excluded.relation,
      target_space = excluded.target_space, target = excluded.target, wanted = excluded.wanted, anchor = excluded.anchor,
      status = excluded.status`)
}

/** The number of links of a space: in total, and for each status other than ok. */
export interface Totals {
  links: number
  broken: number
  in_app: number
}

export const noTotals: Totals = { links: 0, broken: 0, in_app: 0 }

export function totalsOf(rows: readonly Pick<LinkRow, 'status'>[]): Totals {
  const having = (status: Status) => rows.filter((row) => row.status === statuses.indexOf(status)).length
  return { links: rows.length, broken: having('broken'), in_app: having('in-app') }
}

export function addToTotals(tx: Transaction, organizationId: string, spaceId: string, more: Totals): void {
  if (more.links === 0 && more.broken === 0 && more.in_app === 0) return
  tx.runLater(sql`
    insert into space_counters (organization_id, space_id, links, broken, in_app)
    values (${organizationId}, ${spaceId}, ${more.links}, ${more.broken}, ${more.in_app})
    on conflict (organization_id, space_id) do update set links = space_counters.links + excluded.links,
      broken = space_counters.broken + excluded.broken, in_app = space_counters.in_app + excluded.in_app`)
}

export async function findTotals(db: Db, organizationId: string, spaceId: string): Promise<Totals> {
  const found = await db.find(sql<Totals>`
    select links, broken, in_app from space_counters where organization_id = ${organizationId} and space_id = ${spaceId}`)
  return found ?? noTotals
}

/** Registers these spaces as link targets, so that their changes are followed from now on. */
export function followSpaces(tx: Transaction, organizationId: string, spaceIds: readonly string[]): void {
  if (spaceIds.length === 0) return
  tx.runLater(sql`
    insert into linked_spaces (organization_id, target_space, seen_seq)
    select l.organization_id, l.space_id, l.head_seq from lines l
    where l.organization_id = ${organizationId} and l.space_id = any (${spaceIds}::uuid[]) and l.main_id is null
    order by l.space_id
    on conflict do nothing`)
}
