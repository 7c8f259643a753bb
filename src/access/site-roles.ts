import { type Statement, sql } from '../db/sql.ts'

/**
 * What a member is on a site, as SQL: an administrator of the organization always one; else what was granted there, the
 * own grant before those of teams; else the role in the organization. A site gives nothing on its spaces.
 */
export function roleOnSite(site: Statement, userId: string | Statement, role: string | null | Statement): Statement {
  const own = sql`site_member_grants g where g.organization_id = ${site}.organization_id and g.site_id = ${site}.id
    and g.user_id = ${userId}`
  const ofTeams = sql`site_team_grants g
    join team_members tm on tm.organization_id = g.organization_id and tm.team_id = g.team_id and tm.user_id = ${userId}
    where g.organization_id = ${site}.organization_id and g.site_id = ${site}.id`
  return sql`case when ${role}::text = 'admin' then 'admin'
    when exists (select from ${own}) then (select g.role::text from ${own})
    when exists (select from ${ofTeams}) then
      (select (${ranks})[max(array_position(${ranks}, g.role::text))] from ${ofTeams})
    else ${role}::text end`
}

const ranks = sql`array['read', 'comment', 'edit', 'review', 'create', 'admin']`

/** Of an organization `o`, for its member `m`. */
export const visibleDefaultSite = sql`(select s.id from sites s
  where s.organization_id = o.id and s.id = o.default_site_id and (${roleOnSite(sql`s`, sql`m.user_id`, sql`m.role`)}) is not null)`
