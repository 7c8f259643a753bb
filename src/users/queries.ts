import { tokenOpens } from '../access/token-opens.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { UserRow } from '../db/tables.ts'

const columns = sql`u.id, u.email, u.email_verified, u.display_name, u.photo_url, u.instance_admin, u.disabled, u.created_at`

/** Somebody of `users`, under the name that they have in a statement, as a `Person`; null where there is nobody. */
export const asPerson = (user: Statement) => sql`case when ${user}.id is not null then jsonb_build_object(
  'id', ${user}.id, 'email', ${user}.email, 'display_name', ${user}.display_name, 'photo_url', ${user}.photo_url) end`

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.find(sql<UserRow>`select ${columns} from users u where u.id = ${id}`)
}

/** Whose own account it is. One that belongs to an organization is found through its provider alone. */
export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.find(sql<UserRow>`
    select ${columns} from users u where lower(u.email) = lower(${email}) and u.home_organization_id is null`)
}

/** All accounts with an address, also those that belong to organizations: for whoever runs the installation. */
export async function listAccountsOf(db: Db, email: string): Promise<UserRow[]> {
  return db.all(sql<UserRow>`select ${columns} from users u where lower(u.email) = lower(${email}) order by u.id`)
}

/**
 * Somebody whom the viewer may see: oneself, or a person in an organization that both belong to. They are looked up there
 * by their key (the limit): joined plainly, all members of it may be read.
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

/** Answers undefined where the address has an account already. */
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
