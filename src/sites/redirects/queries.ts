import type { Db } from '../../db/connect.ts'
import { type Statement, contains, nothing, sql } from '../../db/sql.ts'
import type { RedirectDestination, SiteRedirectRow } from '../../db/tables.ts'
import type { Page, Position } from '../../http/paging.ts'
import type { SiteKey } from '../queries.ts'
import { type AskedPath, maxSourceLength } from './match.ts'

const columns = sql`r.organization_id, r.site_id, r.id, r.source, r.match, r.destination, r.capture_wildcard, r.permanent,
  r.draft, r.created_at, r.updated_at`

/**
 * The redirects of a site as the caller sees them, without those to spaces that they may not see. `hidden` contains the
 * site spaces that they may not see, and the sections in which they see nothing.
 */
export interface SeenSite {
  site: SiteKey
  hidden: readonly string[]
}

const ofSite = ({
  site,
  hidden,
}: SeenSite) => sql`r.organization_id = ${site.organization_id} and r.site_id = ${site.id}
  and coalesce(coalesce(r.destination ->> 'siteSpaceId', r.destination ->> 'siteSectionId') <> all (${hidden}::text[]), true)`

export interface RedirectFilter {
  search?: string | undefined
  draft: boolean
  orderBy: 'createdAt' | 'updatedAt' | 'source'
}

export async function listRedirects(db: Db, seen: SeenSite, filter: RedirectFilter, page: Page) {
  const matching = sql`from site_redirects r where ${ofSite(seen)} and r.draft = ${filter.draft} ${found(filter.search)}`
  const { column, type, newestFirst } = orders[filter.orderBy]
  const direction = newestFirst ? sql`desc` : sql`asc`
  const compare = newestFirst ? sql`<` : sql`>`
  const after = page.after
    ? sql`and (${column}, r.id) ${compare} (${page.after[0]}::${type}, ${page.after[1]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<SiteRedirectRow>`
        select ${columns} ${matching} ${after}
        order by ${column} ${direction}, r.id ${direction} limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows, count }
}

const orders: Record<RedirectFilter['orderBy'], { column: Statement; type: Statement; newestFirst: boolean }> = {
  createdAt: { column: sql`r.created_at`, type: sql`timestamptz`, newestFirst: true },
  updatedAt: { column: sql`r.updated_at`, type: sql`timestamptz`, newestFirst: true },
  source: { column: sql`r.source collate "C"`, type: sql`text`, newestFirst: false },
}

export function positionOf(row: SiteRedirectRow, orderBy: RedirectFilter['orderBy']): Position {
  const by = { createdAt: row.created_at, updatedAt: row.updated_at, source: row.source }[orderBy]
  return [by instanceof Date ? by.toISOString() : by, row.id]
}

/** Searches sources both as written and decoded. */
const found = (search: string | undefined) =>
  search
    ? sql`and (${contains(sql`r.source`, search)} or ${contains(sql`r.match`, search.normalize('NFC'))}
        or ${contains(sql`r.destination ->> 'url'`, search)})`
    : nothing

export async function findRedirect(db: Db, seen: SeenSite, id: string): Promise<SiteRedirectRow | undefined> {
  return db.find(sql<SiteRedirectRow>`
    select ${columns} from site_redirects r where ${ofSite(seen)} and r.id = ${id}`)
}

/** Returns the redirect with exactly this source, even if the caller may not see it. */
export async function findOccupant(
  db: Db,
  site: SiteKey,
  draft: boolean,
  match: string,
): Promise<SiteRedirectRow | undefined> {
  return db.find(sql<SiteRedirectRow>`
    select ${columns} from site_redirects r
    where r.organization_id = ${site.organization_id} and r.site_id = ${site.id} and r.draft = ${draft}
      and r.match = ${match}`)
}

/** Returns the redirect for a path: the same rules as `RedirectMatcher`, as a query. */
export async function findMatching(
  db: Db,
  site: SiteKey,
  draft: boolean,
  { exact, open }: AskedPath,
): Promise<SiteRedirectRow | undefined> {
  return db.find(sql<SiteRedirectRow>`
    select ${columns} from site_redirects r
    where r.organization_id = ${site.organization_id} and r.site_id = ${site.id} and r.draft = ${draft}
      and r.match = any (array(select ${exact}::text union all
        select left(${open}, n) || '*' from generate_series(1, least(length(${open}), ${maxSourceLength})) n))
    order by r.match = ${exact} desc, length(r.match) desc limit 1`)
}

export async function countRedirects(db: Db, site: SiteKey): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from site_redirects where organization_id = ${site.organization_id} and site_id = ${site.id}`)
  return count
}

export type NewRedirectRow = Omit<SiteRedirectRow, 'created_at' | 'updated_at'>

/** Returns the row as the database stores it, so that every response has the same bytes. */
export async function insertRedirect(db: Db, row: NewRedirectRow): Promise<SiteRedirectRow> {
  return db.one(sql<SiteRedirectRow>`
    insert into site_redirects as r (organization_id, site_id, id, source, match, destination, capture_wildcard, permanent,
      draft)
    values (${row.organization_id}, ${row.site_id}, ${row.id}, ${row.source}, ${row.match},
      ${JSON.stringify(row.destination)}::jsonb, ${row.capture_wildcard}, ${row.permanent}, ${row.draft})
    returning ${columns}`)
}

export async function updateRedirect(db: Db, row: NewRedirectRow): Promise<SiteRedirectRow> {
  return db.one(sql<SiteRedirectRow>`
    update site_redirects r set source = ${row.source}, match = ${row.match},
      destination = ${JSON.stringify(row.destination)}::jsonb, capture_wildcard = ${row.capture_wildcard},
      permanent = ${row.permanent}, draft = ${row.draft}, updated_at = now()
    where r.organization_id = ${row.organization_id} and r.site_id = ${row.site_id} and r.id = ${row.id}
    returning ${columns}`)
}

export async function deleteRedirect(db: Db, row: NewRedirectRow): Promise<void> {
  await db.run(sql`
    delete from site_redirects
    where organization_id = ${row.organization_id} and site_id = ${row.site_id} and id = ${row.id}`)
}

/** Changes the redirects to a removed section so that they lead to a space that was in it. */
export async function leadFromSection(db: Db, site: SiteKey, sectionId: string, siteSpaceId: string): Promise<void> {
  const destination: RedirectDestination = { kind: 'site-space', siteSpaceId }
  await db.run(sql`
    update site_redirects set destination = ${JSON.stringify(destination)}::jsonb, updated_at = now()
    where organization_id = ${site.organization_id} and site_id = ${site.id}
      and destination ->> 'siteSectionId' = ${sectionId}`)
}
