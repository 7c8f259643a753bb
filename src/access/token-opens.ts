import { type Statement, sql } from '../db/sql.ts'

/**
 * Whether a token of a member opens the organization: it is not barred there, and where the organization insists on
 * single sign-on, it is not of somebody who is marked for it. Administrators keep theirs, so that a provider that fails
 * can be repaired. `member` is the name of a row of `members`.
 */
export function tokenOpens(member: Statement, tokenId: string | Statement): Statement {
  return sql`not exists (select from barred_tokens b
      where b.organization_id = ${member}.organization_id and b.token_id = ${tokenId})
    and not ${insistsOnSso(member)}`
}

/** For this member no way in is good but single sign-on. */
export function insistsOnSso(member: Statement): Statement {
  return sql`(${member}.sso and ${member}.role is distinct from 'admin' and exists (select from organizations insisting
    where insisting.id = ${member}.organization_id and insisting.sso))`
}

/** What a session opens is decided by how somebody came in. */
export interface SessionStanding {
  /** Set: it gives rights in that organization only. */
  organizationId: string | null
  bySso: boolean
}

/** The same for a session: with single sign-on nothing else is insisted on. */
export function sessionOpens(member: Statement, { organizationId, bySso }: SessionStanding): Statement {
  return sql`(${organizationId}::uuid is null or ${member}.organization_id = ${organizationId})
    and (${bySso} or not ${insistsOnSso(member)})`
}
