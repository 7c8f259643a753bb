import { type Statement, sql } from '../db/sql.ts'
import { bestRole } from './best-role.ts'

/**
 * The role of a member on a site, as SQL. An administrator of the organization is always one on the site. Otherwise the
 * grants on the site apply, the member's own before those of teams; otherwise the role in the organization. A site
 * grants nothing on its spaces. For a list, pass the organization: if it is taken from each site, the grants of a
 * member are gathered from all organizations.
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
 * The reverse: `said_on_site (user_id, role)`, the grant to each member on one site, by the same rule. For a statement
 * about all members, where looking up the grants member by member would read them that many times.
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

/** The default site of an organization `o`, if its member `m` may see it. */
export const visibleDefaultSite = sql`(select s.id from sites s
  where s.organization_id = o.id and s.id = o.default_site_id and (${roleOnSite(sql`s`, sql`m.user_id`, sql`m.role`)}) is not null)`
