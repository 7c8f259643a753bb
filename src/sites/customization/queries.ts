import type { Db } from '../../db/connect.ts'
import { type Statement, nothing, sql } from '../../db/sql.ts'
import type { SiteRow, SiteSpaceRow } from '../../db/tables.ts'
import type { SiteKey } from '../queries.ts'

type Look = Pick<SiteRow, 'customization' | 'customization_updated_at'>

/** Returns the look as the database stores it, so that every response has the same bytes. */
export async function updateCustomization(db: Db, site: SiteKey, kept: object): Promise<Look> {
  return db.one(sql<Look>`
    update sites set customization = ${JSON.stringify(kept)}::jsonb, customization_updated_at = now()
    where organization_id = ${site.organization_id} and id = ${site.id} returning customization, customization_updated_at`)
}

export async function updateSiteSpaceCustomization(
  db: Db,
  row: Pick<SiteSpaceRow, 'organization_id' | 'site_id' | 'id'>,
  kept: object | null,
): Promise<SiteSpaceRow['customization']> {
  const { customization } = await db.one(sql<Pick<SiteSpaceRow, 'customization'>>`
    update site_spaces set customization = ${kept && JSON.stringify(kept)}::jsonb
    where organization_id = ${row.organization_id} and site_id = ${row.site_id} and id = ${row.id}
    returning customization`)
  return customization
}

/** A site space with the look of its own. */
export type SiteSpaceLook = Pick<SiteSpaceRow, 'organization_id' | 'site_id' | 'id' | 'space_id' | 'customization'>

export async function findSiteSpaceLook(db: Db, site: SiteKey, id: string): Promise<SiteSpaceLook | undefined> {
  return db.find(sql<SiteSpaceLook>`
    select organization_id, site_id, id, space_id, customization from site_spaces
    where organization_id = ${site.organization_id} and site_id = ${site.id} and id = ${id}`)
}

/** Lists all spaces of a site, the defaults first, then in the order of the site. */
export async function listSpacesInOrder(db: Db, site: SiteKey, which: Statement = nothing): Promise<string[]> {
  const rows = await db.all(sql<{ space_id: string }>`
    select x.space_id from site_spaces x
    left join site_sections c on c.organization_id = x.organization_id and c.site_id = x.site_id and c.id = x.section_id
    where x.organization_id = ${site.organization_id} and x.site_id = ${site.id} ${which}
    order by coalesce(c.is_default, true) desc, c.position, c.id, x.is_default desc, x.position, x.id`)
  return [...new Set(rows.map(({ space_id }) => space_id))]
}

/** Lists the spaces of the site that currently contain one of these entries. */
export async function listHolders(db: Db, site: SiteKey, entries: string[]): Promise<string[]> {
  if (entries.length === 0) return []
  const holds = sql`and exists (
    select from lines l
    join heads h on h.organization_id = l.organization_id and h.line_id = l.id
    where l.organization_id = x.organization_id and l.space_id = x.space_id and l.main_id is null
      and h.entry = any (${entries}::uuid[]) and h.state = 0)`
  return listSpacesInOrder(db, site, holds)
}
