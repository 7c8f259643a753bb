import { memberRoles } from '../access/content.ts'
import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { contains, nothing, sql } from '../db/sql.ts'
import type { UserRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'
import { type TeamSeen, columnsFor, withSpaces } from '../teams/queries.ts'
import type { Person } from '../users/present.ts'

/** A thing that a role is granted on. */
export interface Thing {
  organizationId: string
  type: 'space' | 'collection' | 'site'
  id: string
}

const onContent = { members: sql`member_grants`, teams: sql`team_grants`, key: sql`thing_id` }

/** The tables of grants, the key to look them up by, and the column that refers to the thing. */
export const grantTables = {
  space: { ...onContent, column: sql`space_id` },
  collection: { ...onContent, column: sql`collection_id` },
  site: { members: sql`site_member_grants`, teams: sql`site_team_grants`, key: sql`site_id`, column: sql`site_id` },
}

const membersOn = ({ type }: Thing) => grantTables[type].members
const teamsOn = ({ type }: Thing) => grantTables[type].teams
const keyOf = ({ type }: Thing) => grantTables[type].key
const columnOf = ({ type }: Thing) => grantTables[type].column

export type UserGrant = Pick<UserRow, 'id' | 'email' | 'display_name' | 'photo_url'> & {
  permission: Role | null
  granted_at: Date
}

/** The members who were granted a role directly, in the order of their grants. */
export async function listMemberGrants(db: Db, thing: Thing, page: Page) {
  const given = sql`g.organization_id = ${thing.organizationId} and g.${keyOf(thing)} = ${thing.id}`
  const after = behind(page, sql`g.granted_at, g.user_id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<UserGrant>`
        select u.id, u.email, u.display_name, u.photo_url, g.role as permission, g.granted_at
        from ${membersOn(thing)} g join users u on u.id = g.user_id
        where ${given} ${after} order by g.granted_at, g.user_id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from ${membersOn(thing)} g where ${given}`.asSlow()),
  ])
  return { rows, count }
}

export type TeamGrant = TeamSeen & { permission: Role | null; granted_at: Date }

export async function listTeamGrants(db: Db, thing: Thing, viewerId: string, page: Page) {
  const given = sql`g.organization_id = ${thing.organizationId} and g.${keyOf(thing)} = ${thing.id}`
  const after = behind(page, sql`g.granted_at, g.team_id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<Omit<TeamGrant, 'spaces'>>`
        select ${columnsFor(viewerId)}, g.role as permission, g.granted_at
        from ${teamsOn(thing)} g join teams t on t.organization_id = g.organization_id and t.id = g.team_id
        where ${given} ${after} order by g.granted_at, g.team_id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from ${teamsOn(thing)} g where ${given}`.asSlow()),
  ])
  return { rows: await withSpaces(db, thing.organizationId, rows, viewerId), count }
}

export type EffectiveRole = Omit<UserGrant, 'granted_at' | 'permission'> & {
  permission: Role
  joined_at: Date
  /** A grant to the member or to a team, the role that every member has there, or the role in the organization. */
  reason: 'member' | 'team' | 'everybody' | 'organization'
  /** The space or collection where the role was set. */
  said_on: string | null
  /** The team that was granted the role; if there are several, the one with the earliest grant. */
  team_id: string | null
}

export interface EffectiveFilter {
  role?: Role | undefined
  search?: string | undefined
}

/**
 * Lists the roles of everybody who can open the thing, wherever the role comes from, in the order in which they joined.
 * The roles are computed for all at once: one by one, until there are enough for a page, each member would be looked up
 * among all grants.
 */
export async function listEffectiveRoles(db: Db, { organizationId, id }: Thing, filter: EffectiveFilter, page: Page) {
  const roles = sql`with recursive ${memberRoles(organizationId, id)}`
  const having = sql`${filter.role === undefined ? sql`r.role is not null` : sql`r.role = ${filter.role}`}
    ${found(filter.search)}`
  const after = behind(page, sql`r.joined_at, r.user_id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<EffectiveRole>`
        ${roles}, standing as materialized (select * from member_roles), picked as materialized (
          select * from standing r where ${having} ${after}
          order by r.joined_at, r.user_id limit ${page.limit + 1})
        select u.id, u.email, u.display_name, u.photo_url, p.role as permission, p.joined_at, p.reason, p.said_on,
          (select g.team_id from team_grants g join team_members tm
              on tm.organization_id = g.organization_id and tm.team_id = g.team_id and tm.user_id = p.user_id
            where p.reason = 'team' and g.organization_id = ${organizationId} and g.thing_id = p.said_on
              and g.role::text = p.role
            order by g.granted_at, g.team_id limit 1) as team_id
        from picked p join users u on u.id = p.user_id order by p.joined_at, p.user_id`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${roles} select count(*) from member_roles r where ${having}`.asSlow()),
  ])
  return { rows, count }
}

const found = (search: string | undefined) =>
  search
    ? sql`and exists (select from users u
        where u.id = r.user_id and ${contains(sql`u.display_name || ' ' || u.email`, search)})`
    : nothing

/** The members of the organization who have no grant here, by name; undefined if it has more than `most` members. */
export async function listUngranted(db: Db, thing: Thing, most: number): Promise<Person[] | undefined> {
  const { organizationId, id } = thing
  const members = await db.all(
    sql`select from members where organization_id = ${organizationId} limit ${most + 1}`.asSlow(),
  )
  if (members.length > most) return undefined
  return db.all(
    sql<Person>`
      select u.id, u.email, u.display_name, u.photo_url from members m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and not exists (select from ${membersOn(thing)} g
        where g.organization_id = m.organization_id and g.${keyOf(thing)} = ${id} and g.user_id = m.user_id)
      order by lower(u.display_name), u.id`.asSlow(),
  )
}

export type TeamName = Pick<TeamSeen, 'id' | 'title'>

/** The same for teams. */
export async function listUngrantedTeams(db: Db, thing: Thing, most: number): Promise<TeamName[] | undefined> {
  const { organizationId, id } = thing
  const teams = await db.all(
    sql`select from teams where organization_id = ${organizationId} limit ${most + 1}`.asSlow(),
  )
  if (teams.length > most) return undefined
  return db.all(
    sql<TeamName>`
      select t.id, t.title from teams t where t.organization_id = ${organizationId}
        and not exists (select from ${teamsOn(thing)} g
          where g.organization_id = t.organization_id and g.${keyOf(thing)} = ${id} and g.team_id = t.id)
      order by lower(t.title), t.id`.asSlow(),
  )
}

/** Returns the users for whom the grant is new, or has a different role than before. */
export async function upsertMemberGrants(
  db: Db,
  thing: Thing,
  userIds: string[],
  role: Role | null,
): Promise<string[]> {
  const rows = await db.all(sql<{ user_id: string }>`
    insert into ${membersOn(thing)} as g (organization_id, ${columnOf(thing)}, user_id, role)
    select ${thing.organizationId}, ${thing.id}, given.user_id, ${role}::role from unnest(${userIds}::uuid[]) given (user_id)
    on conflict (organization_id, ${keyOf(thing)}, user_id) do update set role = excluded.role
    where g.role is distinct from excluded.role returning g.user_id`)
  return rows.map((row) => row.user_id)
}

export async function upsertTeamGrants(db: Db, thing: Thing, teamIds: string[], role: Role | null): Promise<string[]> {
  const rows = await db.all(sql<{ team_id: string }>`
    insert into ${teamsOn(thing)} as g (organization_id, ${columnOf(thing)}, team_id, role)
    select ${thing.organizationId}, ${thing.id}, given.team_id, ${role}::role from unnest(${teamIds}::uuid[]) given (team_id)
    on conflict (organization_id, ${keyOf(thing)}, team_id) do update set role = excluded.role
    where g.role is distinct from excluded.role returning g.team_id`)
  return rows.map((row) => row.team_id)
}

/** The grant of a user; undefined if there is none. A role of null is a grant, too: it denies access. */
export async function findMemberGrant(db: Db, thing: Thing, userId: string) {
  return db.find(sql<{ role: Role | null }>`
    select role from ${membersOn(thing)}
    where organization_id = ${thing.organizationId} and ${keyOf(thing)} = ${thing.id} and user_id = ${userId}`)
}

export async function findTeamGrant(db: Db, thing: Thing, teamId: string) {
  return db.find(sql<{ role: Role | null }>`
    select role from ${teamsOn(thing)}
    where organization_id = ${thing.organizationId} and ${keyOf(thing)} = ${thing.id} and team_id = ${teamId}`)
}

/** Returns false if there was none. */
export async function deleteMemberGrant(db: Db, thing: Thing, userId: string): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from ${membersOn(thing)}
    where organization_id = ${thing.organizationId} and ${keyOf(thing)} = ${thing.id} and user_id = ${userId}`)
  return deleted > 0
}

export async function deleteTeamGrant(db: Db, thing: Thing, teamId: string): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from ${teamsOn(thing)}
    where organization_id = ${thing.organizationId} and ${keyOf(thing)} = ${thing.id} and team_id = ${teamId}`)
  return deleted > 0
}

/** Which of these are teams of the organization. */
export async function listTeamIds(db: Db, organizationId: string, teamIds: string[]): Promise<Set<string>> {
  const rows = await db.all(sql<{ id: string }>`
    select id from teams where organization_id = ${organizationId} and id = any (${teamIds}::uuid[])`)
  return new Set(rows.map((row) => row.id))
}

/**
 * For things that move to another organization: invites, grants to teams, and grants to people who are not members
 * there, cannot move along.
 */
export async function deleteForeignGrants(db: Db, from: string, to: string, thingIds: string[]): Promise<void> {
  await db.run(
    sql`delete from team_grants where organization_id = ${from} and thing_id = any (${thingIds}::uuid[])`.asSlow(),
  )
  await db.run(
    sql`delete from invites where organization_id = ${from}
      and (space_id = any (${thingIds}::uuid[]) or collection_id = any (${thingIds}::uuid[]))`.asSlow(),
  )
  await db.run(
    sql`
    delete from member_grants g where g.organization_id = ${from} and g.thing_id = any (${thingIds}::uuid[])
      and not exists (select from members m where m.organization_id = ${to} and m.user_id = g.user_id)`.asSlow(),
  )
}

/** The role of a member on a space or a collection, by everything that applies there. */
export async function findRoleOn(db: Db, { organizationId, id }: Thing, userId: string): Promise<Role | null> {
  const found = await db.find(
    sql<{ role: Role | null }>`
    with recursive ${memberRoles(organizationId, id)} select role from member_roles where user_id = ${userId}`.asSlow(),
  )
  return found?.role ?? null
}

/** Adds a grant for a user who has none here yet. Returns false if they have one. */
export async function insertMissingGrant(
  db: Db,
  thing: Thing,
  { userId, role }: { userId: string; role: Role | null },
): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into ${membersOn(thing)} (organization_id, ${columnOf(thing)}, user_id, role)
    values (${thing.organizationId}, ${thing.id}, ${userId}, ${role}) on conflict do nothing`)
  return inserted > 0
}
