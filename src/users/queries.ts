import type { Role } from '../access/roles.ts'
import { tokenOpens } from '../access/token-opens.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { UserRow } from '../db/tables.ts'

const columns = sql`u.id, u.email, u.email_verified, u.display_name, u.photo_url, u.instance_admin, u.disabled, u.created_at`

/** Selects a row of `users`, by its name in the statement, as a `Person`; null if there is none. */
export const asPerson = (user: Statement) => sql`case when ${user}.id is not null then jsonb_build_object(
  'id', ${user}.id, 'email', ${user}.email, 'display_name', ${user}.display_name, 'photo_url', ${user}.photo_url) end`

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.find(sql<UserRow>`select ${columns} from users u where u.id = ${id}`)
}

/**
 * Finds a person's own account. An account that belongs to an organization is found only through its identity provider.
 */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.find(sql<UserRow>`
    select ${columns} from users u where lower(u.email) = lower(${email}) and u.home_organization_id is null`)
}

/**
 * Lists all accounts with an address, including those that belong to organizations. For the operators of the
 * installation.
 */
export async function listAccountsOf(db: Db, email: string): Promise<UserRow[]> {
  return db.all(sql<UserRow>`select ${columns} from users u where lower(u.email) = lower(${email}) order by u.id`)
}

/** A user, with the organizations that they belong to. */
export interface UserWithPlaces extends UserRow {
  /** Whether the account belongs to an organization, which controls how they sign in. */
  is_at_home: boolean
  /** Ordered by hostname. A guest has no role. */
  places: { id: string; hostname: string; role: Role | null; disabled: boolean }[]
}

/**
 * Lists accounts, the oldest first: all of them, or those of the members of an organization. For the operators of the
 * installation.
 */
export async function listUsersWithPlaces(
  db: Db,
  organizationId: string | undefined,
  { limit, after = null }: { limit: number; after?: string | null },
): Promise<UserWithPlaces[]> {
  return db.all(
    sql<UserWithPlaces>`
      select ${columns}, u.home_organization_id is not null as is_at_home, p.places
      from users u cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'hostname', o.hostname, 'role', m.role,
          'disabled', m.disabled) order by o.hostname), '[]') as places
        from members m join organizations o on o.id = m.organization_id where m.user_id = u.id) p
      where (${after}::uuid is null or u.id > ${after}) and (${organizationId ?? null}::uuid is null or exists (
        select from members m where m.organization_id = ${organizationId ?? null} and m.user_id = u.id))
      order by u.id limit ${limit}`.asSlow(),
  )
}

/**
 * Finds a user whom the viewer may see: the viewer, or a person in an organization that both belong to. Members are
 * looked up there by key (hence the limit): a plain join may read all members of the organization.
 */
export async function findVisibleUser(
  db: Db,
  viewerId: string,
  tokenId: string,
  id: string,
): Promise<UserRow | undefined> {
  return db.find(sql<UserRow>`
    select ${columns} from users u where u.id = ${id} and (u.id = ${viewerId} or exists (
      select from members own
      cross join lateral (select from members
        where organization_id = own.organization_id and user_id = u.id limit 1) theirs
      where own.user_id = ${viewerId} and own.role is not null and not own.disabled
        and ${tokenOpens(sql`own`, tokenId)}))`)
}

/** Returns undefined if the address already has an account. */
export async function insertUser(
  db: Db,
  row: { id: string; email: string; displayName: string; emailVerified: boolean; homeOrganizationId: string | null },
): Promise<UserRow | undefined> {
  return db.find(sql<UserRow>`
    insert into users as u (id, email, display_name, email_verified, home_organization_id)
    values (${row.id}, ${row.email}, ${row.displayName}, ${row.emailVerified}, ${row.homeOrganizationId})
    on conflict (lower(email)) where home_organization_id is null do nothing returning ${columns}`)
}

export async function lockUser(db: Db, id: string): Promise<UserRow> {
  return db.one(sql<UserRow>`select ${columns} from users u where u.id = ${id} for update`)
}

export async function updateUser(db: Db, row: UserRow): Promise<void> {
  await db.run(sql`
    update users set display_name = ${row.display_name}, photo_url = ${row.photo_url},
      email_verified = ${row.email_verified}, instance_admin = ${row.instance_admin}, disabled = ${row.disabled}
    where id = ${row.id}`)
}
