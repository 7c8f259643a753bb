import { type Caller, ownsTeam } from '../access/caller.ts'
import type { Role } from '../access/roles.ts'
import { visibleDefaultSite } from '../access/site-roles.ts'
import { insistsOnSso, tokenOpens } from '../access/token-opens.ts'
import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'

/**
 * The status of a person in an organization that the path of the request does not name, or that they do not belong to.
 */
export interface Standing {
  member: boolean
  role: Role | null
  ownsTeam: boolean
  /**
   * A disabled member, a barred token, or any token of a member who has to use single sign-on: neither a member nor
   * allowed to join.
   */
  shutOut: boolean
  /** The default site of the organization, for members who may see it. */
  defaultSite: string | null
}

export async function findStanding(db: Db, organizationId: string, { user, token }: Caller): Promise<Standing> {
  return db.one(sql<Standing>`
    select m.user_id is not null as member, m.role, ${ownsTeam} as "ownsTeam",
      coalesce(m.disabled or ${insistsOnSso(sql`m`)}, false) or exists (select from barred_tokens b
        where b.organization_id = o.id and b.token_id = ${token.id}) as "shutOut",
      ${visibleDefaultSite} as "defaultSite"
    from organizations o left join members m on m.organization_id = o.id and m.user_id = ${user.id}
    where o.id = ${organizationId}`)
}

/** Returns the id of the organization with this hostname, for its members. */
export async function findOwnSubdomain(db: Db, { user, token }: Caller, hostname: string): Promise<string | undefined> {
  const row = await db.find(sql<{ id: string }>`
    select o.id from organizations o
    join members m on m.organization_id = o.id and m.user_id = ${user.id} and not m.disabled
    where o.hostname = ${hostname}
      and ${tokenOpens(sql`m`, token.id)}`)
  return row?.id
}
