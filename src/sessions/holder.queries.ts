import { insistsOnSso } from '../access/token-opens.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { UserRow } from '../db/tables.ts'

/** A user who may sign in with a code. */
export interface CodeHolder {
  user: UserRow
  /** If set, the account belongs to that organization, and the session is for it alone. */
  organizationId: string | null
}

/**
 * Finds the user who may sign in with codes for an address: the user with an account of their own. Also users of single
 * sign-on whose provider is gone and who have used no other since, because nothing else would let them in again. These
 * are found only if there is no own account, or if they name that organization when they sign in.
 */
export async function findCodeHolder(
  db: Db,
  email: string,
  organizationId: string | undefined,
): Promise<CodeHolder | undefined> {
  const isChosen = sql`coalesce(u.home_organization_id = ${organizationId ?? null}::uuid, false)`
  const first = sql`${isChosen} desc, u.home_organization_id is not null, m.joined_at desc, u.id`
  return findHolder(db, sql`lower(u.email) = lower(${email})`, first)
}

/** Repeats the check for a user who was found earlier, in case it no longer holds. */
export const findCodeHolderById = (db: Db, userId: string) => findHolder(db, sql`u.id = ${userId}`, sql`u.id`)

async function findHolder(db: Db, isOne: Statement, first: Statement): Promise<CodeHolder | undefined> {
  const row = await db.find(sql<UserRow & { home_organization_id: string | null }>`
    select u.id, u.email, u.email_verified, u.display_name, u.photo_url, u.instance_admin, u.disabled, u.created_at,
      u.home_organization_id
    from users u
    left join members m on m.organization_id = u.home_organization_id and m.user_id = u.id and not m.disabled
    where ${isOne} and not u.disabled and (u.home_organization_id is null or (m.user_id is not null
      and not ${insistsOnSso(sql`m`)} and not exists (select from saml_identities i where i.user_id = u.id)))
    order by ${first} limit 1`)
  if (!row) return undefined
  const { home_organization_id: organizationId, ...user } = row
  return { user, organizationId }
}
