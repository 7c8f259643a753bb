import { memberRoles } from '../access/content.ts'
import type { Role } from '../access/roles.ts'
import type { Db } from '../db/connect.ts'
import { nothing, sql } from '../db/sql.ts'
import type { UserRow } from '../db/tables.ts'
import type { Page } from '../http/paging.ts'
import { type TeamSeen, seenBy } from '../teams/queries.ts'

/** What a role is given on. */
export interface Thing {
  organizationId: string
  type: 'space' | 'collection'
  id: string
}

export type UserGrant = Pick<UserRow, 'id' | 'email' | 'display_name' | 'photo_url'> & {
  permission: Role | null
  granted_at: Date
}

/** Whom a role was given to directly, the first one in front. */
export async function listMemberGrants(db: Db, { organizationId, id }: Thing, page: Page) {
  const given = sql`g.organization_id = ${organizationId} and g.thing_id = ${id}`
  const after = page.after
    ? sql`and (g.granted_at, g.user_id) > (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<UserGrant>`
        select u.id, u.email, u.display_name, u.photo_url, g.role as permission, g.granted_at
        from member_grants g join users u on u.id = g.user_id
        where ${given} ${after} order by g.granted_at, g.user_id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from member_grants g where ${given}`.asSlow()),
  ])
  return { rows, count }
}

export type TeamGrant = TeamSeen & { permission: Role | null; granted_at: Date }

export async function listTeamGrants(db: Db, { organizationId, id }: Thing, viewerId: string, page: Page) {
  const given = sql`g.organization_id = ${organizationId} and g.thing_id = ${id}`
  const after = page.after
    ? sql`and (g.granted_at, g.team_id) > (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<TeamGrant>`
        select ${seenBy(viewerId)}, g.role as permission, g.granted_at
        from team_grants g join teams t on t.organization_id = g.organization_id and t.id = g.team_id
        where ${given} ${after} order by g.granted_at, g.team_id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) from team_grants g where ${given}`.asSlow()),
  ])
  return { rows, count }
}

export type EffectiveRole = Omit<UserGrant, 'granted_at' | 'permission'> & { permission: Role; joined_at: Date }

/** What everybody who can open it is there, whoever said so. Who joined first stands first. */
export async function listEffectiveRoles(db: Db, { organizationId, id }: Thing, role: Role | undefined, page: Page) {
  const roles = sql`with recursive ${memberRoles(organizationId, id)}`
  const having = role === undefined ? sql`r.role is not null` : sql`r.role = ${role}`
  const after = page.after
    ? sql`and (m.joined_at, m.user_id) > (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : nothing
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<EffectiveRole>`
        ${roles} select u.id, u.email, u.display_name, u.photo_url, r.role as permission, m.joined_at
        from member_roles r join members m on m.organization_id = ${organizationId} and m.user_id = r.user_id
        join users u on u.id = r.user_id
        where ${having} ${after} order by m.joined_at, m.user_id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`${roles} select count(*) from member_roles r where ${having}`.asSlow()),
  ])
  return { rows, count }
}

const columnOf = ({ type }: Thing) => (type === 'space' ? sql`space_id` : sql`collection_id`)

/** Answers to whom it is new, or another role than before. */
export async function upsertMemberGrants(
  db: Db,
  thing: Thing,
  userIds: string[],
  role: Role | null,
): Promise<string[]> {
  const rows = await db.all(sql<{ user_id: string }>`
    insert into member_grants as g (organization_id, ${columnOf(thing)}, user_id, role)
    select ${thing.organizationId}, ${thing.id}, given.user_id, ${role}::role from unnest(${userIds}::uuid[]) given (user_id)
    on conflict (organization_id, thing_id, user_id) do update set role = excluded.role
    where g.role is distinct from excluded.role returning g.user_id`)
  return rows.map((row) => row.user_id)
}

export async function upsertTeamGrants(db: Db, thing: Thing, teamIds: string[], role: Role | null): Promise<string[]> {
  const rows = await db.all(sql<{ team_id: string }>`
    insert into team_grants as g (organization_id, ${columnOf(thing)}, team_id, role)
    select ${thing.organizationId}, ${thing.id}, given.team_id, ${role}::role from unnest(${teamIds}::uuid[]) given (team_id)
    on conflict (organization_id, thing_id, team_id) do update set role = excluded.role
    where g.role is distinct from excluded.role returning g.team_id`)
  return rows.map((row) => row.team_id)
}

export async function hasMemberGrant(db: Db, { organizationId, id }: Thing, userId: string): Promise<boolean> {
  const found = await db.find(sql`
    select from member_grants where organization_id = ${organizationId} and thing_id = ${id} and user_id = ${userId}`)
  return found !== undefined
}

export async function hasTeamGrant(db: Db, { organizationId, id }: Thing, teamId: string): Promise<boolean> {
  const found = await db.find(sql`
    select from team_grants where organization_id = ${organizationId} and thing_id = ${id} and team_id = ${teamId}`)
  return found !== undefined
}

/** Answers false where there was none. */
export async function deleteMemberGrant(db: Db, { organizationId, id }: Thing, userId: string): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from member_grants where organization_id = ${organizationId} and thing_id = ${id} and user_id = ${userId}`)
  return deleted > 0
}

export async function deleteTeamGrant(db: Db, { organizationId, id }: Thing, teamId: string): Promise<boolean> {
  const deleted = await db.run(sql`
    delete from team_grants where organization_id = ${organizationId} and thing_id = ${id} and team_id = ${teamId}`)
  return deleted > 0
}

/** Which of these are teams of the organization. */
export async function listTeamIds(db: Db, organizationId: string, teamIds: string[]): Promise<Set<string>> {
  const rows = await db.all(sql<{ id: string }>`
    select id from teams where organization_id = ${organizationId} and id = any (${teamIds}::uuid[])`)
  return new Set(rows.map((row) => row.id))
}

/** For what moves to another organization: grants to teams, and to people who are not there, cannot go along. */
export async function deleteForeignGrants(db: Db, from: string, to: string, thingIds: string[]): Promise<void> {
  await db.run(
    sql`delete from team_grants where organization_id = ${from} and thing_id = any (${thingIds}::uuid[])`.asSlow(),
  )
  await db.run(
    sql`
    delete from member_grants g where g.organization_id = ${from} and g.thing_id = any (${thingIds}::uuid[])
      and not exists (select from members m where m.organization_id = ${to} and m.user_id = g.user_id)`.asSlow(),
  )
}

/** A grant for somebody who has none here yet. */
export async function insertMissingGrant(db: Db, thing: Thing, { userId, role }: { userId: string; role: Role }) {
  await db.run(sql`
    insert into member_grants (organization_id, ${columnOf(thing)}, user_id, role)
    values (${thing.organizationId}, ${thing.id}, ${userId}, ${role}) on conflict do nothing`)
}
