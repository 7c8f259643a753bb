import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { MemberRow, UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { isId } from '../ids.ts'
import { membersAddressed } from '../organizations/members.queries.ts'
import { type Filter, type Term, conditionOf, textHolds, wordsHold, wrongFilter } from './filter.ts'

/** A member, with the names that a provider uses for them. */
export type ScimUserRow = MemberRow &
  Pick<UserRow, 'email' | 'display_name'> & {
    /** Whether the whole account is disabled, which is independent of the membership. */
    user_disabled: boolean
    /** Whether it belongs to the organization. Its name and address are then those that the provider reports. */
    is_at_home: boolean
    user_name: string | null
    external_id: string | null
    given_name: string | null
    family_name: string | null
  }

/** The stored names that a provider uses for a person. */
export type ScimNames = Pick<
  ScimUserRow,
  'organization_id' | 'user_id' | 'user_name' | 'external_id' | 'given_name' | 'family_name'
>

const columns = sql`m.organization_id, m.user_id, m.role, m.disabled, m.sso, m.joined_at, m.last_seen_at,
  u.email, u.display_name, u.disabled as user_disabled, u.home_organization_id is not null as is_at_home,
  s.user_name, s.external_id, s.given_name, s.family_name`

const people = sql`members m join users u on u.id = m.user_id
  left join scim_users s on s.organization_id = m.organization_id and s.user_id = m.user_id`

export async function findScimUser(db: Db, organizationId: string, userId: string): Promise<ScimUserRow | undefined> {
  return db.find(sql<ScimUserRow>`
    select ${columns} from ${people} where m.organization_id = ${organizationId} and m.user_id = ${userId}`)
}

/** Two statements, sent together: names read by the locking statement itself would be those from before it waited. */
export async function lockScimUser(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<ScimUserRow | undefined> {
  const [, user] = await Promise.all([
    tx.run(sql`select from members where organization_id = ${organizationId} and user_id = ${userId} for update`),
    findScimUser(tx, organizationId, userId),
  ])
  return user
}

/**
 * Returns the other accounts of the same person here: a person who already had an account of their own gets a second
 * one when they sign in through the provider. An account that the provider reports under another name belongs to
 * someone else.
 */
export async function lockOtherAccounts(
  tx: Transaction,
  { organization_id, user_id, email }: ScimUserRow,
): Promise<ScimUserRow[]> {
  const others = await tx.all(sql<{ user_id: string }>`
    select a.user_id from ${membersAddressed(organization_id, [email])} a
    where a.user_id <> ${user_id} and not exists (select from scim_users s
      where s.organization_id = ${organization_id} and s.user_id = a.user_id)
    order by a.user_id`)
  const locked: ScimUserRow[] = []
  for (const other of others) {
    const row = await lockScimUser(tx, organization_id, other.user_id)
    if (row) locked.push(row)
  }
  return locked
}

/** Where a list begins, and how long it is. */
export interface Window {
  offset: number
  limit: number
}

/** Lists the members in the order in which they joined. */
export async function listScimUsers(db: Db, organizationId: string, filter: Filter, { offset, limit }: Window) {
  const matching = conditionOf(filter, (term) => holds(organizationId, term))
  const from = sql`from ${people} where m.organization_id = ${organizationId} and ${matching}`
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ScimUserRow>`
        select ${columns} ${from} order by m.joined_at, m.user_id offset ${offset} limit ${limit}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${from}`.asSlow()),
  ])
  return { rows, count }
}

/** Uses keys for whole values, so that a search for one person does not read all members. */
function holds(organizationId: string, term: Term): Statement {
  const { attribute, operator, value, field } = term
  const isWhole = operator === 'eq'
  switch (attribute) {
    case 'id':
      if (!isWhole) return textHolds(sql`m.user_id::text`, term)
      return isId(value) ? sql`m.user_id = ${value}` : sql`false`
    case 'username':
      if (!isWhole) return wordsHold(sql`coalesce(s.user_name, u.email)`, term)
      return sql`m.user_id in (${named(organizationId, value)})`
    case 'externalid':
      if (!isWhole) return textHolds(sql`coalesce(s.external_id, '')`, term)
      return sql`m.user_id in (select user_id from scim_users
        where organization_id = ${organizationId} and external_id = ${value})`
    case 'emails':
    case 'emails.value':
      if (!isWhole) return wordsHold(sql`u.email`, term)
      return sql`m.user_id in (select user_id from ${membersAddressed(organizationId, [value])} a)`
    case 'displayname':
    case 'name.formatted':
      return wordsHold(sql`u.display_name`, term)
    case 'emails.type':
      return wordsHold(sql`'work'`, term)
    case 'emails.primary':
      return wordsHold(sql`'true'`, term)
    case 'active':
      if (operator === 'pr') return sql`true`
      if (!isWhole || !/^(?:true|false)$/i.test(value)) throw wrongFilter('active is true or false', field)
      return sql`(m.disabled or u.disabled) = ${value.toLowerCase() !== 'true'}::boolean`
    case 'manager':
    case `${enterprise}:manager`:
      // Providers ask for it to see whether they have to report it. It is accepted, but not stored.
      return sql`false`
    default:
      throw wrongFilter('can compare id, userName, externalId, displayName, emails and active', field)
  }
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user'

/**
 * A member without a name from a provider has their address as the name. It stands for one person: of two with the same
 * address, the one who came through the provider, not the one with an account of their own.
 */
const named = (organizationId: string, name: string) => sql`
  select user_id from scim_users where organization_id = ${organizationId} and lower(user_name) = lower(${name})
  union all
  (select a.user_id from ${membersAddressed(organizationId, [name])} a join users u on u.id = a.user_id
  where not exists (select from scim_users
    where organization_id = ${organizationId} and (user_id = a.user_id or lower(user_name) = lower(${name})))
  order by u.home_organization_id is null, a.user_id limit 1)`

/** Whether a member other than `userId` has this name or this address. */
export async function isMemberNamed(
  db: Db,
  organizationId: string,
  { userName, email }: { userName: string | undefined; email: string | undefined },
  userId: string | null = null,
): Promise<boolean> {
  const found = await db.find(sql`
    select from (${named(organizationId, userName ?? '')}) n where n.user_id is distinct from ${userId}
    union all
    select from ${membersAddressed(organizationId, email === undefined ? [] : [email])} a
    where a.user_id is distinct from ${userId} limit 1`)
  return found !== undefined
}

/** Returns the account that a person had here before they left, locked. */
export async function lockFormerAccount(tx: Transaction, organizationId: string, email: string) {
  return tx.find(sql<Pick<UserRow, 'id' | 'email' | 'display_name'>>`
    select u.id, u.email, u.display_name from users u
    where lower(u.email) = lower(${email}) and u.home_organization_id = ${organizationId} and not u.disabled
      and not exists (select from members m where m.organization_id = ${organizationId} and m.user_id = u.id)
    order by u.created_at desc, u.id limit 1 for update of u`)
}

export async function upsertScimUser(
  db: Db,
  { organization_id, user_id, user_name, external_id, given_name, family_name }: ScimNames,
): Promise<void> {
  await db.run(sql`
    insert into scim_users (organization_id, user_id, user_name, external_id, given_name, family_name)
    values (${organization_id}, ${user_id}, ${user_name}, ${external_id}, ${given_name}, ${family_name})
    on conflict (organization_id, user_id) do update set user_name = excluded.user_name,
      external_id = excluded.external_id, given_name = excluded.given_name, family_name = excluded.family_name`)
}
