import { sql } from '../db/sql.ts'
import type { UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { SamlProviderRow } from './queries.ts'

type ProviderKey = Pick<SamlProviderRow, 'organization_id' | 'id'>

/** Until the transaction ends nobody else signs in by this name: two first logins at once make one account. */
export async function holdName(tx: Transaction, { id }: ProviderKey, nameId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${nameId}, hashtextextended(${id}, 0)))`)
}

/** The account behind a name, and what it is in the organization: nothing where it was removed. */
export interface KnownPerson {
  user_id: string
  email: string
  /** Switched off as a member, or altogether. */
  disabled: boolean
  is_member: boolean
  is_at_home: boolean
}

export async function findIdentity(
  tx: Transaction,
  { organization_id, id }: ProviderKey,
  nameId: string,
): Promise<KnownPerson | undefined> {
  return tx.find(sql<KnownPerson>`
    update saml_identities i set last_used_at = now() from users u
    left join members m on m.organization_id = ${organization_id} and m.user_id = u.id
    where i.organization_id = ${organization_id} and i.provider_id = ${id} and i.name_id = ${nameId} and u.id = i.user_id
    returning i.user_id, u.email, u.disabled or coalesce(m.disabled, false) as disabled, m.user_id is not null as is_member,
      u.home_organization_id is not null as is_at_home`)
}

export async function insertIdentity(
  tx: Transaction,
  { organization_id, id }: ProviderKey,
  nameId: string,
  userId: string,
): Promise<void> {
  await tx.run(sql`
    insert into saml_identities (organization_id, provider_id, name_id, user_id)
    values (${organization_id}, ${id}, ${nameId}, ${userId})`)
}

/** Whether a member with this address was switched off: coming by another way does not undo it. */
export async function isShutOut(tx: Transaction, organizationId: string, email: string): Promise<boolean> {
  const found = await tx.find(sql`
    select from users u join members m on m.organization_id = ${organizationId} and m.user_id = u.id
    where lower(u.email) = lower(${email}) and (m.disabled or u.disabled) limit 1`)
  return found !== undefined
}

/**
 * The account that awaits whoever has this address: a member whom an administrator marked for single sign-on, who is known
 * nowhere else. Locked, so that it does not become known elsewhere meanwhile.
 */
export async function lockAwaited(
  tx: Transaction,
  organizationId: string,
  email: string,
): Promise<Pick<UserRow, 'id' | 'email_verified'> | undefined> {
  const awaited = await tx.find(sql<Pick<UserRow, 'id' | 'email_verified'>>`
    select u.id, u.email_verified from users u
    join members m on m.organization_id = ${organizationId} and m.user_id = u.id and m.sso
    where lower(u.email) = lower(${email}) and u.home_organization_id is null and not u.instance_admin
    for update of u`)
  if (!awaited) return undefined
  // A statement of its own: it sees what was committed while the lock was waited for.
  const elsewhere = await tx.find(sql`
    select where exists (select from members m where m.user_id = ${awaited.id} and m.organization_id <> ${organizationId})
      or exists (select from saml_identities i where i.user_id = ${awaited.id})`)
  return elsewhere ? undefined : awaited
}

/** From now on the account belongs to the organization, and its address to whoever proves to read its mail. */
export async function bringHome(tx: Transaction, organizationId: string, userId: string): Promise<void> {
  await tx.run(sql`
    update users set home_organization_id = ${organizationId}, email_verified = false where id = ${userId}`)
  await tx.run(sql`delete from sign_in_codes where user_id = ${userId}`)
}

export async function updateAddress(tx: Transaction, userId: string, email: string): Promise<void> {
  await tx.run(sql`update users set email = ${email} where id = ${userId} and home_organization_id is not null`)
}

/** Of everybody who came in through this provider. */
export async function endSessionsThrough(tx: Transaction, { organization_id, id }: ProviderKey): Promise<void> {
  await tx.run(sql`
    delete from sessions s using saml_identities i
    where i.organization_id = ${organization_id} and i.provider_id = ${id} and s.user_id = i.user_id
      and s.organization_id = ${organization_id} and s.method = 'saml'`)
}
