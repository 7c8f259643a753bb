import type { Db } from '../../db/connect.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { SiteSpaceRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { SiteKey } from '../queries.ts'
import type { GroupRow, LinkRow, PlacedSpace, SectionRow, Skeleton } from './structure.ts'

/** Reads all rows of a site's structure from one moment. A site has few of them, and every change locks the site. */
export async function findSkeleton(db: Db, { organization_id, id }: SiteKey): Promise<Skeleton> {
  const ofSite = sql`y.organization_id = ${organization_id} and y.site_id = ${id}`
  return db.one(sql<Skeleton>`
    select (select coalesce(json_agg(y), '[]') from (
        select y.organization_id, y.site_id, y.id, y.title, y.icon, y.position
        from site_section_groups y where ${ofSite}) y) as groups,
      (select coalesce(json_agg(y), '[]') from (
        select y.organization_id, y.site_id, y.id, y.group_id, y.title, y.description, y.icon, y.path, y.condition,
          y.draft, y.position, y.is_default
        from site_sections y where ${ofSite}) y) as sections,
      (select coalesce(json_agg(y), '[]') from (
        select y.organization_id, y.site_id, y.id, y.group_id, y.title, y.url, y.description, y.icon, y.condition,
          y.draft, y.position
        from site_external_links y where ${ofSite}) y) as links,
      (select coalesce(json_agg(y), '[]') from (
        select y.organization_id, y.site_id, y.id, y.section_id, y.space_id, y.title, y.path, y.condition, y.draft,
          y.position, y.is_default, t.title as space_title, t.deleted_at is not null as in_trash
        from site_spaces y join spaces t on t.organization_id = y.organization_id and t.id = y.space_id
        where ${ofSite}) y) as "siteSpaces"`)
}

/** Returns the looks of the site spaces that have one of their own. */
export async function listLooks(db: Db, { organization_id, id }: SiteKey): Promise<Map<string, object>> {
  const rows = await db.all(sql<{ id: string; customization: object }>`
    select id, customization from site_spaces
    where organization_id = ${organization_id} and site_id = ${id} and customization is not null`)
  return new Map(rows.map((row) => [row.id, row.customization]))
}

export async function insertSiteSpace(db: Db, row: Omit<SiteSpaceRow, 'customization' | 'created_at'>): Promise<void> {
  await db.run(sql`
    insert into site_spaces (organization_id, site_id, id, section_id, space_id, title, path, condition, draft, position,
      is_default)
    values (${row.organization_id}, ${row.site_id}, ${row.id}, ${row.section_id}, ${row.space_id}, ${row.title},
      ${row.path}, ${row.condition}, ${row.draft}, ${row.position}, ${row.is_default})`)
}

/** Copies the look of `from` to `to`. */
export async function copyLook(db: Db, from: Row, to: Row): Promise<void> {
  await db.run(sql`
    update site_spaces set customization = (select customization from site_spaces where ${is(from)}) where ${is(to)}`)
}

export async function updateSiteSpace(db: Db, row: PlacedSpace): Promise<void> {
  await db.run(sql`
    update site_spaces set section_id = ${row.section_id}, space_id = ${row.space_id}, title = ${row.title},
      path = ${row.path}, condition = ${row.condition}, draft = ${row.draft}, position = ${row.position},
      is_default = ${row.is_default}
    where ${is(row)}`)
}

export async function deleteSiteSpace(db: Db, row: PlacedSpace): Promise<void> {
  await db.run(sql`delete from site_spaces where ${is(row)}`)
}

/** Moves all spaces from the root into a section, where they keep their positions and their default. */
export async function putRootInto(tx: Transaction, { organization_id, id }: SiteKey, sectionId: string): Promise<void> {
  await tx.run(sql`
    update site_spaces set section_id = ${sectionId}
    where organization_id = ${organization_id} and site_id = ${id} and section_id is null`)
}

/** Moves all spaces of a section to the root in the same way. */
export async function putToRoot(tx: Transaction, { organization_id, site_id, id }: Row): Promise<void> {
  await tx.run(sql`
    update site_spaces set section_id = null
    where organization_id = ${organization_id} and site_id = ${site_id} and section_id = ${id}`)
}

export async function insertSection(
  db: Db,
  row: Omit<SectionRow, 'group_id' | 'description' | 'condition'>,
): Promise<void> {
  await db.run(sql`
    insert into site_sections (organization_id, site_id, id, title, icon, path, draft, position, is_default)
    values (${row.organization_id}, ${row.site_id}, ${row.id}, ${row.title}, ${row.icon}, ${row.path}, ${row.draft},
      ${row.position}, ${row.is_default})`)
}

export async function updateSection(db: Db, row: SectionRow): Promise<void> {
  await db.run(sql`
    update site_sections set group_id = ${row.group_id}, title = ${row.title}, description = ${row.description},
      icon = ${row.icon}, path = ${row.path}, condition = ${row.condition}, draft = ${row.draft},
      position = ${row.position}
    where ${is(row)}`)
}

/** Deletes a section with the spaces in it. */
export async function deleteSection(db: Db, row: SectionRow): Promise<void> {
  await db.run(sql`delete from site_sections where ${is(row)}`)
}

export async function insertGroup(db: Db, row: GroupRow): Promise<void> {
  await db.run(sql`
    insert into site_section_groups (organization_id, site_id, id, title, icon, position)
    values (${row.organization_id}, ${row.site_id}, ${row.id}, ${row.title}, ${row.icon}, ${row.position})`)
}

export async function updateGroup(db: Db, row: GroupRow): Promise<void> {
  await db.run(sql`update site_section_groups set title = ${row.title}, icon = ${row.icon} where ${is(row)}`)
}

export async function deleteGroup(db: Db, row: GroupRow): Promise<void> {
  await db.run(sql`delete from site_section_groups where ${is(row)}`)
}

export async function insertLink(db: Db, row: LinkRow): Promise<void> {
  await db.run(sql`
    insert into site_external_links (organization_id, site_id, id, group_id, title, url, description, icon, condition,
      draft, position)
    values (${row.organization_id}, ${row.site_id}, ${row.id}, ${row.group_id}, ${row.title}, ${row.url},
      ${row.description}, ${row.icon}, ${row.condition}, ${row.draft}, ${row.position})`)
}

export async function updateLink(db: Db, row: LinkRow): Promise<void> {
  await db.run(sql`
    update site_external_links set group_id = ${row.group_id}, title = ${row.title}, url = ${row.url},
      description = ${row.description}, icon = ${row.icon}, condition = ${row.condition}, draft = ${row.draft},
      position = ${row.position}
    where ${is(row)}`)
}

export async function deleteLink(db: Db, row: LinkRow): Promise<void> {
  await db.run(sql`delete from site_external_links where ${is(row)}`)
}

export type ItemType = 'site-space' | 'site-section' | 'site-section-group' | 'site-external-link'

export type Row = Pick<SiteSpaceRow, 'organization_id' | 'site_id' | 'id'>

const tables: Record<ItemType, Statement> = {
  'site-space': sql`site_spaces`,
  'site-section': sql`site_sections`,
  'site-section-group': sql`site_section_groups`,
  'site-external-link': sql`site_external_links`,
}

export async function setPosition(db: Db, type: ItemType, row: Row, position: string): Promise<void> {
  await db.run(sql`update ${tables[type]} set position = ${position} where ${is(row)}`)
}

/** Makes `to` the default instead of `from`. In two statements, because the index allows only one default at a time. */
export async function moveDefault(
  db: Db,
  type: 'site-space' | 'site-section',
  from: Row | undefined,
  to: Row | undefined,
): Promise<void> {
  if (from) await db.run(sql`update ${tables[type]} set is_default = false where ${is(from)}`)
  if (to) await db.run(sql`update ${tables[type]} set is_default = true where ${is(to)}`)
}

const is = ({ organization_id, site_id, id }: Row) =>
  sql`organization_id = ${organization_id} and site_id = ${site_id} and id = ${id}`
