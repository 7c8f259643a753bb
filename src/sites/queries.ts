import type { Membership } from '../access/caller.ts'
import { contentRoles } from '../access/content.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, contains, nothing, sql } from '../db/sql.ts'
import type { SiteRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'
import { isId } from '../ids.ts'
import type { SpaceSight } from '../spaces/queries.ts'
import { mayView, siteColumns } from './access.ts'

/** A site as a member sees it, with the number of its spaces that they may see. */
export type SiteSeen = SiteRow & { site_spaces: number }

export type SiteKey = Pick<SiteRow, 'organization_id' | 'id'>

export interface SiteFilter {
  space?: string
  title?: string
  published?: boolean
  type?: string[]
}

/** Lists the sites that this member may see, the oldest first. */
export async function listSites(db: Db, member: Membership, filter: SiteFilter, page: Page) {
  const organizationId = member.organization.id
  const matching = sql`s.organization_id = ${organizationId} and ${mayView(member)} ${meets(organizationId, filter)}`
  const after = behind(page, sql`s.created_at, s.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<SiteSeen>`${seenBy(member)}
        select ${siteColumns}, (select count(*) ${shownIn(organizationId, sql`s.id`)}) as site_spaces
        from sites s where ${matching} ${after} order by s.created_at, s.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${seenBy(member)} select count(*) from sites s where ${matching}`.asSlow()),
  ])
  return { rows, count }
}

function meets(organizationId: string, { space, title, published, type }: SiteFilter): Statement {
  return sql`
    ${space === undefined ? nothing : sql`and exists (select ${shownIn(organizationId, sql`s.id`)} and x.space_id = ${space})`}
    ${title ? sql`and ${contains(sql`s.title`, title)}` : nothing}
    ${published === undefined ? nothing : sql`and s.published = ${published}`}
    ${type === undefined || type.length === 0 ? nothing : sql`and s.type = any (${type}::text[])`}`
}

/** How many spaces of a site this member may see. */
export async function countSiteSpaces(db: Db, member: Membership, siteId: string): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    ${seenBy(member)} select count(*) ${shownIn(member.organization.id, siteId)}`)
  return count
}

/** Selects the ids of the spaces in a site if the member may see the site, otherwise none. */
export const spacesIn = (member: Membership, siteId: string) => sql`select x.space_id from site_spaces x
  join sites s on s.organization_id = x.organization_id and s.id = x.site_id and ${mayView(member)}
  where x.organization_id = ${member.organization.id} and x.site_id = ${siteId}`

/**
 * Returns the member's roles on the spaces of a site. Spaces that they may not see or that are in the trash are left
 * out.
 */
export async function listRolesIn(db: Db, member: Membership, siteId: string): Promise<Map<string, SpaceSight>> {
  const rows = await db.all(sql<SpaceSight & { space_id: string }>`
    ${seenBy(member)} select x.space_id, seen.role, seen.parent as seen_parent ${shownIn(member.organization.id, siteId)}`)
  return new Map(rows.map(({ space_id, ...sight }) => [space_id, sight]))
}

/**
 * Defines `seen (organization_id, id, role, parent)`: the spaces that this member may see. Administrators see all, so
 * nothing is computed for them. They must be joined by the whole key: without the organization in it, all spaces of the
 * organization would be scanned.
 */
export function seenBy({ organization, userId, role }: Membership): Statement {
  if (role === 'admin') {
    return sql`with seen as not materialized (
      select organization_id, id, 'admin' as role, collection_id as parent from spaces
      where organization_id = ${organization.id})`
  }
  return sql`with recursive ${contentRoles(organization.id, userId)},
    seen as not materialized (
      select ${organization.id}::uuid as organization_id, id, role, parent from space_roles where role is not null)`
}

const shownIn = (organizationId: string, site: string | Statement) => sql`from site_spaces x
  join spaces t on t.organization_id = x.organization_id and t.id = x.space_id and t.deleted_at is null
  join seen on seen.organization_id = x.organization_id and seen.id = x.space_id
  where x.organization_id = ${organizationId} and x.site_id = ${site}`

export async function isSiteOf(db: Db, organizationId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false
  return (await db.find(sql`select from sites where organization_id = ${organizationId} and id = ${id}`)) !== undefined
}

/** Returns the names "Untitled", "Untitled 1"… that are taken. */
export async function listUntitledSites(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db.all(sql<{ title: string }>`
    select title from sites where organization_id = ${organizationId} and title ~ '^Untitled( [0-9]+)?$'`)
  return rows.map(({ title }) => title)
}

/** Returns which of these basenames are taken by other sites. */
export async function listTakenBasenames(db: Db, organizationId: string, names: string[]): Promise<Set<string>> {
  const rows = await db.all(sql<{ basename: string }>`
    select basename from sites where organization_id = ${organizationId} and basename = any (${names}::text[])`)
  return new Set(rows.map(({ basename }) => basename))
}

export type NewSiteRow = Pick<
  SiteRow,
  'organization_id' | 'id' | 'type' | 'title' | 'visibility' | 'basename' | 'auth_key' | 'created_by'
>

/** Returns whether the basename was free. */
export async function insertSite(db: Db, row: NewSiteRow): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into sites (organization_id, id, type, title, visibility, basename, auth_key, created_by)
    values (${row.organization_id}, ${row.id}, ${row.type}, ${row.title}, ${row.visibility}, ${row.basename},
      ${row.auth_key}, ${row.created_by})
    on conflict (organization_id, basename) do nothing`)
  return inserted === 1
}

export async function updateSite(db: Db, row: SiteRow): Promise<void> {
  await db.run(sql`
    update sites set title = ${row.title}, visibility = ${row.visibility}, published = ${row.published},
      published_at = ${row.published_at}, basename = ${row.basename}, hostname = ${row.hostname}, proxy = ${row.proxy},
      agents_context = ${row.agents_context}, adaptive_enabled = ${row.adaptive_enabled}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export async function deleteSite(db: Db, { organization_id, id }: SiteKey): Promise<void> {
  await db.run(sql`delete from sites where organization_id = ${organization_id} and id = ${id}`)
}

/**
 * Finds a site that contains this space and that the member may see: the given one, otherwise the first, published
 * sites before others.
 */
export async function findSiteShowing(
  db: Db,
  member: Membership,
  spaceId: string,
  siteId: string | undefined,
): Promise<{ id: string } | undefined> {
  const named = siteId === undefined ? nothing : sql`and s.id = ${siteId}`
  return db.find(sql<{ id: string }>`
    select s.id from sites s
    where s.organization_id = ${member.organization.id} and ${mayView(member)} ${named} and exists (
      select from site_spaces x
      where x.organization_id = s.organization_id and x.site_id = s.id and x.space_id = ${spaceId})
    order by s.published desc, s.created_at, s.id limit 1`)
}

/** Until the transaction ends, no other one can give a site a proxy address on the same host. */
export async function holdProxies(db: Db, proxy: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`proxy ${proxy.split('/')[0]}`}, 0))`)
}

/** Whether another organization shows a site at this address or above it. */
export async function isWithinProxyOfOthers(db: Db, organizationId: string, proxy: string): Promise<boolean> {
  const steps = proxy.split('/')
  const around = steps.slice(1).map((_, at) => steps.slice(0, at + 2).join('/'))
  const found = await db.find(sql`
    select from sites where proxy = any (${around}::text[]) and organization_id <> ${organizationId} limit 1`)
  return found !== undefined
}
