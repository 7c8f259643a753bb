import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'

/** The target of an audit log entry, with its current title. */
export interface Named {
  id: string
  title: string
  /** Its path among the pages of the organization; null if it has none. */
  path: string | null
}

type Finding = (organizationId: string, ids: string[]) => Statement<Named>

/**
 * Title and path of a change request `r` in its space `s`. While the space is in the trash, neither can be opened, so
 * there is no path.
 */
const request = sql`coalesce(nullif(r.subject, ''), 'Change request #' || r.number)`
const requestPath = sql`'/s/' || s.id || '/~/changes/' || r.number`

const findings = {
  space: (organizationId, ids) => sql<Named>`
    select s.id, s.title, case when s.deleted_at is null then '/s/' || s.id end as path from spaces s
    where s.organization_id = ${organizationId} and s.id = any (${ids}::uuid[])`,
  collection: (organizationId, ids) => sql<Named>`
    select c.id, c.title, '/c/' || c.id as path from collections c
    where c.organization_id = ${organizationId} and c.id = any (${ids}::uuid[])`,
  'change-request': (organizationId, ids) => sql<Named>`
    select r.id, ${request} as title, case when s.deleted_at is null then ${requestPath} end as path
    from change_requests r join spaces s on s.organization_id = r.organization_id and s.id = r.space_id
    where r.organization_id = ${organizationId} and r.id = any (${ids}::uuid[])`,
  // Named after the change request or space it was posted in.
  comment: (organizationId, ids) => sql<Named>`
    select c.id, case when r.id is null then s.title else ${request} end as title,
      case when s.deleted_at is null then case when r.id is null then '/s/' || s.id else ${requestPath} end end as path
    from comments c join spaces s on s.organization_id = c.organization_id and s.id = c.space_id
    left join change_requests r on r.organization_id = c.organization_id and r.id = c.change_request_id
    where c.organization_id = ${organizationId} and c.id = any (${ids}::uuid[])`,
  // Named after the space that the pages go to.
  'import-run': (organizationId, ids) => sql<Named>`
    select i.id, s.title, case when s.deleted_at is null then '/s/' || s.id || '/~/imports/' || i.id end as path
    from import_runs i join spaces s on s.organization_id = i.organization_id and s.id = i.space_id
    where i.organization_id = ${organizationId} and i.id = any (${ids}::uuid[])`,
  site: (organizationId, ids) => sql<Named>`
    select s.id, s.title, '/sites/' || s.id as path from sites s
    where s.organization_id = ${organizationId} and s.id = any (${ids}::uuid[])`,
  font: (organizationId, ids) => sql<Named>`
    select f.id, f.family as title, '/fonts/' || f.id as path from fonts f
    where f.organization_id = ${organizationId} and f.id = any (${ids}::uuid[])`,
  // Includes former members: only people who were members once are recorded as `member`.
  member: (organizationId, ids) => sql<Named>`
    select u.id, u.display_name as title, case when m.user_id is not null then '/people/' || u.id end as path
    from users u left join members m on m.organization_id = ${organizationId} and m.user_id = u.id
    where u.id = any (${ids}::uuid[])`,
  // A caller who was refused may have named any user. Nothing is revealed about users who are not members.
  user: (organizationId, ids) => sql<Named>`
    select u.id, u.display_name as title, '/people/' || u.id as path
    from users u join members m on m.organization_id = ${organizationId} and m.user_id = u.id
    where u.id = any (${ids}::uuid[])`,
  team: (organizationId, ids) => sql<Named>`
    select t.id, t.title, '/teams/' || t.id as path from teams t
    where t.organization_id = ${organizationId} and t.id = any (${ids}::uuid[])`,
  'saml-provider': (organizationId, ids) => sql<Named>`
    select p.id, p.label as title, '/single-sign-on/' || p.id as path from saml_providers p
    where p.organization_id = ${organizationId} and p.id = any (${ids}::uuid[])`,
  'openapi-spec': (organizationId, ids) => sql<Named>`
    select o.id, o.slug as title, '/specifications/' || o.slug as path from openapi_specs o
    where o.organization_id = ${organizationId} and o.id = any (${ids}::uuid[])`,
  webhook: (organizationId, ids) => sql<Named>`
    select w.id, coalesce(nullif(w.title, ''), w.url) as title, '/webhooks/' || w.id as path from webhooks w
    where w.organization_id = ${organizationId} and w.id = any (${ids}::uuid[]) and w.deleted_at is null`,
  translation: (organizationId, ids) => sql<Named>`
    select t.id, t.title, null as path from translations t
    where t.organization_id = ${organizationId} and t.id = any (${ids}::uuid[])`,
} satisfies Record<string, Finding>

export type NamedType = keyof typeof findings

export const isNamedType = (type: string): type is NamedType => Object.hasOwn(findings, type)

/** Lists those of `ids` that still exist. */
export const listNamed = (db: Db, organizationId: string, type: NamedType, ids: string[]): Promise<Named[]> =>
  db.all(findings[type](organizationId, ids))
