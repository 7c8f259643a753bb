import { type Statement, sql } from '../db/sql.ts'
import { bestRole } from './best-role.ts'

/**
 * What a member is on a site, as SQL: an administrator of the organization always one; else what was granted there, the
 * own grant before those of teams; else the role in the organization. A site gives nothing on its spaces. For a list, the
 * organization is named: taken from each site, what was granted to somebody is gathered once from all organizations.
 */
export function roleOnSite(
  site: Statement,
  userId: string | Statement,
  role: string | null | Statement,
  organizationId: string | Statement = sql`${site}.organization_id`,
): Statement {
  const own = sql`site_member_grants g where g.organization_id = ${organizationId} and g.site_id = ${site}.id
    and g.user_id = ${userId}`
  const ofTeams = sql`site_team_grants g
    join team_members tm on tm.organization_id = ${organizationId} and tm.team_id = g.team_id and tm.user_id = ${userId}
    where g.organization_id = ${organizationId} and g.site_id = ${site}.id`
  return sql`case when ${role}::text = 'admin' then 'admin'
    when exists (select from ${own}) then (select g.role::text from ${own})
    when exists (select from ${ofTeams}) then
      (select ${bestRole(sql`g.role`)} from ${ofTeams})
    else ${role}::text end`
}

/**
 * The other way round: `said_on_site (user_id, role)`, what was granted to each member on one site, by the same rule. For
 * a statement about all members: one by one they would be looked up in as many grants each.
 */
export const saidOnSite = (organizationId: string, siteId: string) => sql`said_on_site as materialized (
  select distinct on (user_id) user_id, role from (
    select g.user_id, 0 as turn, g.role::text as role from site_member_grants g
    where g.organization_id = ${organizationId} and g.site_id = ${siteId}
    union all
    select tm.user_id, 1, ${bestRole(sql`g.role`)}
    from site_team_grants g join team_members tm on tm.organization_id = g.organization_id and tm.team_id = g.team_id
    where g.organization_id = ${organizationId} and g.site_id = ${siteId}
    group by tm.user_id) grants
  order by user_id, turn)`

/** Of an organization `o`, for its member `m`. */
export const visibleDefaultSite = sql`(select s.id from sites s
  where s.organization_id = o.id and s.id = o.default_site_id and (${roleOnSite(sql`s`, sql`m.user_id`, sql`m.role`)}) is not null)`
