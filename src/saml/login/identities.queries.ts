import type { Db } from '../../db/connect.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { UserRow } from '../../db/tables.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { ProviderKey } from '../queries.ts'

/**
 * Until the transaction ends, nobody else can sign in under this name, so that two concurrent first logins create one
 * account.
 */
export async function holdName(tx: Transaction, { id }: ProviderKey, nameId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${nameId}, hashtextextended(${id}, 0)))`)
}

/**
 * Until the transaction ends, nobody else in this organization can get one of these names or addresses. Looking up who
 * has one and then assigning it is therefore no race.
 */
export async function holdAddresses(tx: Transaction, organizationId: string, addresses: string[]): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(address, hashtextextended(${organizationId}, 0)))
    from (select distinct lower(given) as address from unnest(${addresses}::text[]) given order by 1) ordered`)
}

/** The account behind a name, and its state in the organization. Its membership may have been removed. */
export interface KnownPerson {
  user_id: string
  email: string
  /** Disabled as a member, or altogether. */
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

/** A person who signs in under one of these names later is found by the address, as at the first time. */
export async function deleteIdentities(tx: Transaction, organizationId: string, userId: string): Promise<void> {
  await tx.run(sql`delete from saml_identities where organization_id = ${organizationId} and user_id = ${userId}`)
}

/** Returns the disabled member with this address. Signing in another way must not undo that. */
export async function findShutOut(
  tx: Transaction,
  organizationId: string,
  email: string,
): Promise<{ id: string } | undefined> {
  return tx.find(sql<{ id: string }>`
    select u.id from users u join members m on m.organization_id = ${organizationId} and m.user_id = u.id
    where lower(u.email) = lower(${email}) and (m.disabled or u.disabled) order by u.id limit 1`)
}

export type AwaitedPerson = Pick<UserRow, 'id' | 'email_verified'> & {
  /** Whether a provider of the organization created it, or has taken it over before. */
  is_at_home: boolean
}

/**
 * Returns the account that awaits the person with this address: a member whom an administrator marked for single
 * sign-on, or who got the account through a provider that is deleted, and who is known nowhere else. Locked, so that it
 * does not become known elsewhere in the meantime.
 */
export async function lockAwaited(
  tx: Transaction,
  organizationId: string,
  email: string,
): Promise<AwaitedPerson | undefined> {
  const isKnown = (userId: Statement) => sql`(
    exists (select from members x where x.user_id = ${userId} and x.organization_id <> ${organizationId})
    or exists (select from saml_identities i where i.user_id = ${userId}))`
  const awaited = await tx.find(sql<AwaitedPerson>`
    select u.id, u.email_verified, u.home_organization_id is not null as is_at_home from users u
    join members m on m.organization_id = ${organizationId} and m.user_id = u.id and m.sso
    where lower(u.email) = lower(${email}) and not u.instance_admin
      and (u.home_organization_id is null or u.home_organization_id = ${organizationId}) and not ${isKnown(sql`u.id`)}
    order by is_at_home, m.joined_at, u.id limit 1 for update of u`)
  if (!awaited) return undefined
  // A separate statement, so that it sees what was committed while the one above waited for the lock.
  const known = await tx.find(sql`select where ${isKnown(sql`${awaited.id}::uuid`)}`)
  return known ? undefined : awaited
}

/**
 * Assigns the account to the organization. Its address is then free for a person who proves that they read its mail.
 */
export async function bringHome(tx: Transaction, organizationId: string, userId: string): Promise<void> {
  await tx.run(sql`
    update users set home_organization_id = ${organizationId}, email_verified = false where id = ${userId}`)
  await tx.run(sql`delete from sign_in_codes where user_id = ${userId}`)
}

export async function updateAddress(tx: Transaction, userId: string, email: string): Promise<void> {
  await tx.run(sql`update users set email = ${email} where id = ${userId} and home_organization_id is not null`)
}

/** Ends the sessions of everyone who signed in through this provider. */
export async function endSessionsThrough(tx: Transaction, { organization_id, id }: ProviderKey): Promise<void> {
  await tx.run(sql`
    delete from sessions s using saml_identities i
    where i.organization_id = ${organization_id} and i.provider_id = ${id} and s.user_id = i.user_id
      and s.organization_id = ${organization_id} and s.method = 'saml'`)
}

/**
 * Returns the members who signed in through this provider: the names of the first ones, in order, how many there are,
 * and whether `viewerId` is one of them.
 */
export async function findPeopleThrough(
  db: Db,
  { organization_id, id }: ProviderKey,
  viewerId: string,
  most: number,
): Promise<{ names: string[]; count: number; isOwn: boolean }> {
  const rows = await db.all(
    sql<{ display_name: string; count: number; is_own: boolean }>`
      select u.display_name, count(*) over () as count, bool_or(u.id = ${viewerId}) over () as is_own from users u
      where u.id in (
        select i.user_id from saml_identities i
        join members m on m.organization_id = i.organization_id and m.user_id = i.user_id
        where i.organization_id = ${organization_id} and i.provider_id = ${id})
      order by lower(u.display_name), u.id limit ${most}`.asSlow(),
  )
  const [{ count, is_own: isOwn } = { count: 0, is_own: false }] = rows
  return { names: rows.map(({ display_name }) => display_name), count, isOwn }
}
