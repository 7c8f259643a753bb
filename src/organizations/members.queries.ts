import { countOpenSpaces } from '../access/open-spaces.ts'
import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { type Statement, contains, nothing, sql } from '../db/sql.ts'
import type { MemberRow, UserRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import type { Page, Position } from '../http/paging.ts'
import { isId } from '../ids.ts'
import type { Person } from '../users/present.ts'

/** A member with the person's data and the related counts. */
export type MemberWithPerson = MemberFound & { spaces: number }

/** The same without the number of spaces that the member can open. */
export type MemberFound = MemberRow & Pick<UserRow, 'email' | 'display_name' | 'photo_url'> & { teams: number }

export const columns = sql`m.organization_id, m.user_id, m.role, m.disabled, m.sso, m.joined_at, m.last_seen_at,
  u.email, u.display_name, u.photo_url,
  (select count(*) from team_members t where t.organization_id = m.organization_id and t.user_id = m.user_id) as teams`

/** Does not count the spaces that they can open: that reads all spaces, and most callers do not show the number. */
export const findMember = (db: Db, organizationId: string, userId: string) =>
  readMember(db, organizationId, userId, nothing)

export const lockMember = (db: Db, organizationId: string, userId: string) =>
  readMember(db, organizationId, userId, sql`for update of m`)

async function readMember(
  db: Db,
  organizationId: string,
  userId: string,
  lock: Statement,
): Promise<MemberFound | undefined> {
  return db.find(sql<MemberFound>`
    select ${columns} from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = ${userId} ${lock}`)
}

/**
 * Returns the members that each of these names stands for: ids or e-mail addresses. Names without a member are left
 * out. A person's own account and one from single sign-on may have the same address, which then stands for both.
 */
export async function findMembersNamed(
  db: Db,
  organizationId: string,
  names: string[],
): Promise<Map<string, { user_id: string }[]>> {
  const given = [...new Set(names)]
  const ids = given.filter(isId)
  const emails = given.filter((name) => !isId(name))
  const rows = await db.all(sql<{ name: string; user_id: string }>`
    select m.user_id::text as name, m.user_id from unnest(${ids}::uuid[]) given (id)
    cross join lateral (select user_id from members
      where organization_id = ${organizationId} and user_id = given.id limit 1) m
    union all
    select m.address, m.user_id from ${membersAddressed(organizationId, emails)} m`)
  return Map.groupBy(rows, ({ name }) => name)
}

/** Limit per name. It is enough to know that there are several: the address then has to identify the person. */
const mostCalled = 100

/**
 * Lists the members whose name or address is one of these, ignoring case: the database lowers both sides. Goes from the
 * name to the people to the members by their keys, as with addresses.
 */
export async function listMembersCalled(db: Db, organizationId: string, names: string[]): Promise<Person[]> {
  return db.all(
    sql<Person>`
    select distinct u.id, u.email, u.display_name, u.photo_url
    from (select distinct lower(name) as name from unnest(${names}::text[]) given (name)) given
    cross join lateral (
      select people.* from (
        select * from users where lower(display_name) = given.name
        union all
        select * from users where lower(email) = given.name offset 0) people
      cross join lateral (
        select from members where organization_id = ${organizationId} and user_id = people.id limit 1) m
      limit ${mostCalled}) u`.asSlow(),
  )
}

/**
 * Rows `(address, user_id, role, disabled)` of the members who have one of these addresses. Goes from the address to
 * the person to the member by their keys: a plain join may begin with everyone in the organization.
 */
export const membersAddressed = (organizationId: string, addresses: string[]) => sql`(
  select given.address, m.user_id, m.role, m.disabled from unnest(${addresses}::text[]) given (address)
  cross join lateral (select id from users where lower(email) = lower(given.address) offset 0) u
  cross join lateral (select * from members where organization_id = ${organizationId} and user_id = u.id limit 1) m)`

export interface MemberFilter {
  sort: 'joinedAt' | 'lastSeenAt' | 'name'
  order: 'asc' | 'desc'
  role?: Role | 'guest'
  search?: string
}

export async function listMembers(db: Db, organizationId: string, viewerId: string, filter: MemberFilter, page: Page) {
  const matching = sql`from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} ${roleIs(filter.role)} ${seen(filter)} ${found(filter.search)}`
  // A count needs the people only for a search.
  const counted = filter.search
    ? matching
    : sql`from members m where m.organization_id = ${organizationId} ${roleIs(filter.role)} ${seen(filter)}`
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<MemberFound & { name: string }>`
      select ${columns}, ${sorted.name.by} as name ${matching} ${behind(filter, page)}
      ${inOrder(filter)} limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${counted}`.asSlow()),
  ])
  return { rows: await withSpaces(db, organizationId, rows, viewerId), count }
}

/** Counts how many spaces each of these members can open: only for the few members shown. */
export async function withSpaces<Row extends MemberRow>(
  db: Db,
  organizationId: string,
  rows: Row[],
  viewerId: string,
): Promise<(Row & { spaces: number })[]> {
  const counts = await countOpenSpaces(
    db,
    organizationId,
    rows.map((row) => row.user_id),
    viewerId,
  )
  return rows.map((row) => ({ ...row, spaces: counts.get(row.user_id) ?? 0 }))
}

/** The same for a single member. */
export async function withSpacesOf<Row extends MemberRow>(db: Db, row: Row, viewerId: string) {
  const [counted] = await withSpaces(db, row.organization_id, [row], viewerId)
  return counted!
}

function roleIs(role: MemberFilter['role']): Statement {
  if (role === undefined) return nothing
  return role === 'guest' ? sql`and m.role is null` : sql`and m.role = ${role}`
}

/** Sorted by when they were last seen, the list contains active members only: those ever seen and not disabled. */
const seen = ({ sort }: MemberFilter) =>
  sort === 'lastSeenAt' ? sql`and m.last_seen_at is not null and not m.disabled` : nothing

const found = (search: string | undefined) =>
  search ? sql`and ${contains(sql`u.display_name || ' ' || u.email`, search)}` : nothing

export const positionIn =
  (sort: MemberFilter['sort']) =>
  (row: MemberRow & { name: string }): Position => {
    if (sort === 'name') return [row.name, row.user_id]
    return [(sort === 'joinedAt' ? row.joined_at : row.last_seen_at!).toISOString(), row.user_id]
  }

const sorted = {
  joinedAt: { by: sql`m.joined_at`, type: sql`timestamptz` },
  lastSeenAt: { by: sql`m.last_seen_at`, type: sql`timestamptz` },
  name: { by: sql`lower(u.display_name) collate "C"`, type: sql`text` },
}

function behind({ sort, order }: MemberFilter, { after }: Page): Statement {
  if (!after) return nothing
  const compare = order === 'asc' ? sql`>` : sql`<`
  const { by, type } = sorted[sort]
  return sql`and (${by}, m.user_id) ${compare} (${after[0]}::${type}, ${after[1]}::uuid)`
}

function inOrder({ sort, order }: MemberFilter): Statement {
  const direction = order === 'asc' ? sql`asc` : sql`desc`
  return sql`order by ${sorted[sort].by} ${direction}, m.user_id ${direction}`
}

/** Counts the members marked for single sign-on, and those of them who have no other way in if it is required. */
export async function countMarked(db: Db, organizationId: string): Promise<{ marked: number; bound: number }> {
  return db.one(
    sql<{ marked: number; bound: number }>`
      select count(*) as marked, count(*) filter (where role is distinct from 'admin' and not disabled) as bound
      from members where organization_id = ${organizationId} and sso`.asSlow(),
  )
}

/** Returns false if the person is a member already, or has an account that belongs to another organization. */
export async function insertMember(
  db: Db,
  row: { organizationId: string; userId: string; role: Role | null; sso: boolean },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into members (organization_id, user_id, role, sso)
    select ${row.organizationId}::uuid, u.id, ${row.role}::role, ${row.sso}::boolean from users u
    where u.id = ${row.userId} and ${mayJoin(row.organizationId)} for key share of u on conflict do nothing`)
  return inserted === 1
}

/** An account created through the provider of an organization can only be used there. */
const mayJoin = (organizationId: string) =>
  sql`(u.home_organization_id is null or u.home_organization_id = ${organizationId})`

export async function isAtHomeElsewhere(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const found = await db.find(sql`select from users u where u.id = ${userId} and not ${mayJoin(organizationId)}`)
  return found !== undefined
}

/** Whether the person is a guest: a member without a role. */
export async function isGuest(db: Db, organizationId: string, userId: string): Promise<boolean> {
  const found = await db.find(sql`
    select from members where organization_id = ${organizationId} and user_id = ${userId} and role is null`)
  return found !== undefined
}

/** Returns false if the person is not a guest. */
export async function updateGuest(
  db: Db,
  row: { organizationId: string; userId: string; role: Role | null; sso: boolean },
): Promise<boolean> {
  const updated = await db.run(sql`
    update members set role = ${row.role}, sso = sso or ${row.sso}::boolean
    where organization_id = ${row.organizationId} and user_id = ${row.userId} and role is null`)
  return updated === 1
}

export async function updateMember(
  db: Db,
  row: Pick<MemberRow, 'organization_id' | 'user_id' | 'role' | 'disabled' | 'sso'>,
) {
  await db.run(sql`
    update members set role = ${row.role}, disabled = ${row.disabled}, sso = ${row.sso}
    where organization_id = ${row.organization_id} and user_id = ${row.user_id}`)
}

export async function deleteMember(db: Db, organizationId: string, userId: string): Promise<void> {
  await db.run(sql`delete from members where organization_id = ${organizationId} and user_id = ${userId}`)
}

export async function touchMember(db: Db, organizationId: string, userId: string): Promise<void> {
  await touchMemberships(db, userId, [organizationId])
}

export async function touchMemberships(db: Db, userId: string, organizationIds: string[]): Promise<void> {
  await db.run(sql`
    update members set last_seen_at = now()
    where organization_id = any(${organizationIds}::uuid[]) and user_id = ${userId}`)
}

/**
 * Returns the administrators who are not disabled, neither here nor globally. Other transactions wait for this one to
 * end before they get the answer, so that two administrators cannot leave at the same time. The lock is on the
 * organization: the caller has locked a member already, and with locks on all administrators, two callers would wait
 * for each other, for the second until PostgreSQL detects the deadlock.
 */
export async function lockAdministrators(tx: Transaction, organizationId: string): Promise<string[]> {
  const [, rows] = await Promise.all([
    tx.run(sql`select from organizations where id = ${organizationId} for no key update`),
    // A separate statement, so that it sees what was committed during the wait for the lock.
    tx.all(sql<{ user_id: string }>`
      select m.user_id from members m join users u on u.id = m.user_id and not u.disabled
      where m.organization_id = ${organizationId} and m.role = 'admin' and not m.disabled`),
  ])
  return rows.map((row) => row.user_id)
}

export const personOf = (row: MemberWithPerson): Person => ({ ...row, id: row.user_id })
