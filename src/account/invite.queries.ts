import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import { hashOf } from '../secrets.ts'

/** An invite as shown to a person with its link. */
export interface InviteShown {
  organization_id: string
  organization: string
  /** Set if it is for one address. */
  email: string | null
  role: string | null
  inviter: string | null
  /** The title of the space or collection it leads to. Null if it is for the organization as a whole. */
  to: string | null
  /** Whether its address already has an account. */
  has_account: boolean
  /** Whether people who join with it can sign in only by single sign-on. */
  only_sso: boolean
}

/** Finds nothing for unknown, used, deleted, switched off and expired invites alike. */
export async function findInviteShown(db: Db, secret: string): Promise<InviteShown | undefined> {
  return db.find(sql<InviteShown>`
    select i.organization_id, o.title as organization, i.email, i.role, u.display_name as inviter,
      coalesce(s.title, c.title) as to, i.sso and o.sso as only_sso,
      exists (select from users x where lower(x.email) = lower(i.email) and x.home_organization_id is null) as has_account
    from invites i join organizations o on o.id = i.organization_id left join users u on u.id = i.created_by
    left join spaces s on s.organization_id = i.organization_id and s.id = i.space_id
    left join collections c on c.organization_id = i.organization_id and c.id = i.collection_id
    where i.secret_hash = ${hashOf(secret)} and (i.expires_at is null or i.expires_at > now())
      and (i.email is not null or o.invite_links) and (i.space_id is null or s.deleted_at is null)`)
}
