import type { Role } from '../../access/roles.ts'
import { saidOnSite } from '../../access/site-roles.ts'
import type { Db } from '../../db/connect.ts'
import { type Statement, contains, nothing, sql } from '../../db/sql.ts'
import type { Page, Position } from '../../http/paging.ts'
import type { Person } from '../../users/present.ts'
import type { SiteKey } from '../queries.ts'

/** The role of a member on a site, and since when they have been a member. */
export type SitePermissionRow = Person & {
  permission: Role | null
  /**
   * Where the role was granted on the site: to the member or to a team. null if it comes from the role in the
   * organization.
   */
  reason: 'member' | 'team' | null
  team_id: string | null
  joined_at: Date
  last_seen_at: Date | null
  name: string
}

export interface SitePermissionFilter {
  sort: 'joinedAt' | 'lastSeenAt' | 'name'
  order: 'asc' | 'desc'
  role?: Role | 'guest' | undefined
  search?: string | undefined
  team?: string | undefined
}

/**
 * Lists the role of each member on the site, wherever it comes from. Without a filter, only members who can open the
 * site. The roles of all members are computed at once: when this was done one by one until a page was full, each member
 * was looked up among all grants.
 */
export async function listSitePermissions(db: Db, site: SiteKey, filter: SitePermissionFilter, page: Page) {
  const members = sql`with ${saidOnSite(site.organization_id, site.id)}, standing as materialized (
    select m.user_id, m.role as organization_role, m.joined_at, m.last_seen_at, case when m.role = 'admin' then 'admin'
      when said.user_id is not null then said.role else m.role::text end as permission
    from members m left join said_on_site said on said.user_id = m.user_id
    where m.organization_id = ${site.organization_id} and not m.disabled ${inTeam(filter.team)})`
  const people = sql`${members}, people as (
    select u.id, u.email, u.display_name, u.photo_url, p.organization_role, p.joined_at, p.last_seen_at,
      lower(u.display_name) collate "C" as name, p.permission
    from standing p join users u on u.id = p.user_id ${found(filter.search)})`
  // The count needs the details of people only if they are searched.
  const counted = filter.search
    ? sql`${people} select count(*) from people p`
    : sql`${members} select count(*) from standing p`
  const matching = sql`where ${having(filter.role)} ${filter.sort === 'lastSeenAt' ? sql`and p.last_seen_at is not null` : nothing}`
  const direction = filter.order === 'asc' ? sql`asc` : sql`desc`
  const { column, type } = sorts[filter.sort]
  const compare = filter.order === 'asc' ? sql`>` : sql`<`
  const after = page.after
    ? sql`and (p.${column}, p.id) ${compare} (${page.after[0]}::${type}, ${page.after[1]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<SitePermissionRow>`${people}
        select p.*, ${reason(site)} as reason, ${team(site)} as team_id
        from people p ${matching} ${after} order by p.${column} ${direction}, p.id ${direction} limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${counted} ${matching}`.asSlow()),
  ])
  return { rows, count }
}

export const positionIn =
  ({ sort }: SitePermissionFilter) =>
  (row: SitePermissionRow): Position => {
    if (sort === 'name') return [row.name, row.id]
    return [(sort === 'joinedAt' ? row.joined_at : row.last_seen_at!).toISOString(), row.id]
  }

const sorts: Record<SitePermissionFilter['sort'], { column: Statement; type: Statement }> = {
  joinedAt: { column: sql`joined_at`, type: sql`timestamptz` },
  lastSeenAt: { column: sql`last_seen_at`, type: sql`timestamptz` },
  name: { column: sql`name`, type: sql`text` },
}

function having(role: SitePermissionFilter['role']): Statement {
  if (role === undefined) return sql`p.permission is not null`
  return role === 'guest' ? sql`p.permission is null` : sql`p.permission = ${role}`
}

const inTeam = (team: string | undefined) =>
  team === undefined
    ? nothing
    : sql`and exists (select from team_members x
        where x.organization_id = m.organization_id and x.team_id = ${team} and x.user_id = m.user_id)`

const found = (search: string | undefined) =>
  search ? sql`and ${contains(sql`u.display_name || ' ' || u.email`, search)}` : nothing

/** Where the role comes from. Only computed for the few rows that are shown. */
const reason = (site: SiteKey) => sql`case when p.organization_role = 'admin' then null
  when exists (select from site_member_grants g
    where g.organization_id = ${site.organization_id} and g.site_id = ${site.id} and g.user_id = p.id) then 'member'
  when ${team(site)} is not null then 'team' end`

/** The team that gives the member their role. If there are several, the one that was granted it first. */
const team = (site: SiteKey) => sql`(select g.team_id from site_team_grants g
  join team_members x on x.organization_id = g.organization_id and x.team_id = g.team_id and x.user_id = p.id
  where g.organization_id = ${site.organization_id} and g.site_id = ${site.id}
    and g.role::text is not distinct from p.permission
  order by g.granted_at, g.team_id limit 1)`
