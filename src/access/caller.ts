import type { SiteReader } from '../audience/reader.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { MemberRow, OrganizationRow, UserRow } from '../db/tables.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { hashOf } from '../secrets.ts'
import { type OrganizationRight, type OrganizationStanding, organizationRights } from './rights.ts'
import type { Scope } from './scopes.ts'
import { visibleDefaultSite } from './site-roles.ts'
import { type SessionStanding, tokenOpens } from './token-opens.ts'

/** The sender of a request, with their current data and rights from the database. */
export interface Caller {
  user: UserRow
  token: { id: string; scopes: Scope[] | null }
  /**
   * The membership in the organization named in the path. Undefined if the path names none, or one the caller is not
   * part of.
   */
  membership: Membership | undefined
  /**
   * Set for a person who views our pages in a browser. They have no token then, and `token.id` is the id of the
   * session.
   */
  session?: SessionStanding
  /** Set for a visitor of a published site, who has no account and reads through the API what the site shows them. */
  reader?: SiteReader
}

export interface Membership extends OrganizationStanding {
  organization: OrganizationRow
  userId: string
  /** The site that the organization shows first, if the member may see it. */
  defaultSite: string | null
}

/**
 * Finds the holder of this secret and their membership in the organization of the path. One statement, since it runs
 * before every request. Whether anything is revoked, expired, disabled or barred is checked here, by the database's
 * clock, so it takes effect at once.
 */
export function findCaller(db: Db, secret: string, organizationId: string | null): Promise<Caller | undefined> {
  // Cached by hash: the secrets themselves are stored nowhere, not even for a moment.
  const hash = hashOf(secret)
  return db.remember('rights', `caller ${hash.toString('base64url')} ${organizationId}`, () =>
    readCaller(db, sql`t.hash = ${hash}`, organizationId),
  )
}

/** The same for a token that was used a while ago, with its current rights. */
export function findCallerOfToken(db: Db, tokenId: string, organizationId: string): Promise<Caller | undefined> {
  return db.remember('rights', `token ${tokenId} ${organizationId}`, () =>
    readCaller(db, sql`t.id = ${tokenId}`, organizationId),
  )
}

async function readCaller(db: Db, isToken: Statement, organizationId: string | null): Promise<Caller | undefined> {
  const row = await db.find(sql<CallerRow>`
    select t.id as token_id, t.scopes, ${callerColumns}
    from tokens t
    join users u on u.id = t.user_id
    left join members m on m.organization_id = ${organizationId} and m.user_id = u.id and not m.disabled
      and ${tokenOpens(sql`m`, sql`t.id`)}
    left join organizations o on o.id = m.organization_id
    where ${isToken} and t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
      and not u.disabled and ${isAtHome}`)
  return row && asCaller(row)
}

/** An account `u` that belongs to an organization is valid only while it is a member there that is not disabled. */
export const isAtHome = sql`(u.home_organization_id is null or exists (select from members home
  where home.organization_id = u.home_organization_id and home.user_id = u.id and not home.disabled))`

/** The columns read of an organization `o`. */
export const organizationColumns = sql`o.id, o.title, o.hostname, o.use_case, o.community_type, o.default_role, o.logo, o.sso,
  o.ai, o.invite_links, o.merge_rules, o.default_site_id, o.created_at,
  array(select domain from email_domains d where d.organization_id = o.id order by domain) as email_domains`

/** The columns of a member `m` of an organization that decide on their rights there. */
export type StandingRow = Pick<MemberRow, 'role'> & { owns_team: boolean; default_site: string | null }

export const ownsTeam = sql`exists (select from team_members x
  where x.organization_id = m.organization_id and x.user_id = m.user_id and x.role = 'owner')`

export const standingColumns = sql`m.role, ${visibleDefaultSite} as default_site, ${ownsTeam} as owns_team`

/** The columns read of a user `u`, and of their membership `m` in an organization `o`. */
export const callerColumns = sql`u.id as user_id, u.email, u.email_verified, u.display_name, u.photo_url, u.instance_admin,
  u.disabled, u.created_at as user_created_at, ${organizationColumns}, ${standingColumns}`

export type CallerRow = OrganizationRow &
  StandingRow &
  Omit<UserRow, 'id' | 'created_at'> & {
    token_id: string
    scopes: Scope[] | null
    user_id: string
    user_created_at: Date
  }

export function asCaller(row: CallerRow): Caller {
  const { token_id, scopes, user_id, user_created_at, owns_team, role, default_site } = row
  const { email, email_verified, display_name, photo_url, instance_admin, disabled, ...organization } = row
  return {
    token: { id: token_id, scopes },
    user: {
      id: user_id,
      email,
      email_verified,
      display_name,
      photo_url,
      instance_admin,
      disabled,
      created_at: user_created_at,
    },
    membership:
      row.id === null
        ? undefined
        : { organization, userId: user_id, role, ownsTeam: owns_team, defaultSite: default_site },
  }
}

/**
 * Returns the caller's membership in the organization of the path and throws unless they have `right` there. Needs no
 * query, since it was read along with the credential.
 */
export function accessOrganization(caller: Caller, right: OrganizationRight): Membership {
  const { membership } = caller
  if (!membership) throw notFound('organization')
  if (!organizationRights(membership)[right]) throw forbidden(verbs[right])
  return membership
}

const verbs: Record<OrganizationRight, string> = {
  view: 'see this organization',
  admin: 'administer this organization',
  ownTeam: 'manage teams here',
  createContent: 'create content in this organization',
  createOpenAPISpec: 'manage OpenAPI specifications here',
  ingestConversations: 'ingest conversations',
  viewBilling: 'see billing',
  listMembers: 'list the members of this organization',
  listTeams: 'list the teams of this organization',
  listIntegrations: 'list integrations',
}
