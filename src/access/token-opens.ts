import { type Statement, sql } from '../db/sql.ts'

/**
 * Whether a token of a member opens the organization: it must not be barred there, and if the organization requires
 * single sign-on, the member must not be marked for it. Administrators keep their access, so that a failing provider
 * can be repaired. `member` is the name of a row of `members`.
 */
export function tokenOpens(member: Statement, tokenId: string | Statement): Statement {
  return sql`not exists (select from barred_tokens b
      where b.organization_id = ${member}.organization_id and b.token_id = ${tokenId})
    and not ${insistsOnSso(member)}`
}

/**
 * Whether this member can get in only by single sign-on. The organization is read by its key: with `exists`, all that
 * require single sign-on were read, to look this one up among them.
 */
export function insistsOnSso(member: Statement): Statement {
  return sql`(${member}.sso and ${member}.role is distinct from 'admin'
    and (select insisting.sso from organizations insisting where insisting.id = ${member}.organization_id))`
}

/** How a person signed in, which decides what their session opens. */
export interface SessionStanding {
  /** If set, the session gives rights in that organization only. */
  organizationId: string | null
  bySso: boolean
}

/** The same for a session. A session by single sign-on meets the requirement. */
export function sessionOpens(member: Statement, { organizationId, bySso }: SessionStanding): Statement {
  return sql`(${organizationId}::uuid is null or ${member}.organization_id = ${organizationId})
    and (${bySso} or not ${insistsOnSso(member)})`
}
