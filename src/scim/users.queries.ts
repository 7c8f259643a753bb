import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { MemberRow, UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { isId } from '../ids.ts'
import { membersAddressed } from '../organizations/members.queries.ts'
import { type Filter, type Term, conditionOf, textHolds, wordsHold, wrongFilter } from './filter.ts'

/** A member, with what a provider calls them. */
export type ScimUserRow = MemberRow &
  Pick<UserRow, 'email' | 'display_name'> & {
    /** The account as a whole is switched off, too or alone. */
    user_disabled: boolean
    /** It belongs to the organization: what the provider says of its name and address holds. */
    is_at_home: boolean
    user_name: string | null
    external_id: string | null
    given_name: string | null
    family_name: string | null
  }

/** What is kept of what a provider calls somebody. */
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

/** Two statements, sent together: names read by the locking one itself would be those from before it waited. */
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
 * What else the same person has here: somebody from before, with an account of their own, has a second one since they came
 * through the provider's sign-in. Whom the provider tells about by another name is somebody else.
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

/** Who joined first stands first. */
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

/** By their keys, where they are named as a whole: whoever is looked for is not sought among everybody. */
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
      // Asked for to see whether it has to be told: it is taken, and not kept.
      return sql`false`
    default:
      throw wrongFilter('can compare id, userName, externalId, displayName, emails and active', field)
  }
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user'

/**
 * Whom no provider has named has their address for a name. It stands for one person: of two with the same address that is
 * who came through the provider, and not who has an account of their own as well.
 */
const named = (organizationId: string, name: string) => sql`
  select user_id from scim_users where organization_id = ${organizationId} and lower(user_name) = lower(${name})
  union all
  (select a.user_id from ${membersAddressed(organizationId, [name])} a join users u on u.id = a.user_id
  where not exists (select from scim_users
    where organization_id = ${organizationId} and (user_id = a.user_id or lower(user_name) = lower(${name})))
  order by u.home_organization_id is null, a.user_id limit 1)`

/** Whether somebody other than `userId` has this name or this address. */
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

/** The account that somebody had here before they left, locked. */
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
