import type { Db } from '../db/connect.ts'
import { sql } from '../db/sql.ts'
import type { TeamRow } from '../db/tables.ts'
import { type Page, behind } from '../http/paging.ts'
import {
  type MemberFound,
  type MemberWithPerson,
  columns as memberColumns,
  withSpaces,
} from '../organizations/members.queries.ts'
import type { Person } from '../users/present.ts'
import type { TeamRole } from './schema.ts'

/** Identifies a team and its organization. */
export type TeamKey = Pick<TeamRow, 'organization_id' | 'id'>

export type TeamMemberRow = MemberWithPerson & { team_role: TeamRole; added_at: Date }

/** Ordered by when they were added, the earliest first. */
export async function listTeamMembers(db: Db, team: TeamKey, viewerId: string, page: Page) {
  const inTeam = sql`from team_members x where x.organization_id = ${team.organization_id} and x.team_id = ${team.id}`
  const inTeamAsPeople = sql`from team_members x
    join members m on m.organization_id = x.organization_id and m.user_id = x.user_id
    join users u on u.id = x.user_id
    where x.organization_id = ${team.organization_id} and x.team_id = ${team.id}`
  const after = behind(page, sql`x.added_at, x.user_id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<MemberFound & Pick<TeamMemberRow, 'team_role' | 'added_at'>>`
        select ${memberColumns}, x.role as team_role, x.added_at ${inTeamAsPeople} ${after}
        order by x.added_at, x.user_id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${inTeam}`.asSlow()),
  ])
  return { rows: await withSpaces(db, team.organization_id, rows, viewerId), count }
}

/**
 * Lists the members of the organization who are not in the team, by name. Returns undefined if the organization has
 * more than `most` members.
 */
export async function listPossibleMembers(db: Db, team: TeamKey, most: number): Promise<Person[] | undefined> {
  const { organization_id, id } = team
  const members = await db.all(
    sql`select from members where organization_id = ${organization_id} limit ${most + 1}`.asSlow(),
  )
  if (members.length > most) return undefined
  return db.all(
    sql<Person>`
      select u.id, u.email, u.display_name, u.photo_url from members m join users u on u.id = m.user_id
      where m.organization_id = ${organization_id} and not exists (select from team_members x
        where x.organization_id = m.organization_id and x.team_id = ${id} and x.user_id = m.user_id)
      order by lower(u.display_name), u.id`.asSlow(),
  )
}

/** Returns the role in the team for each of these people. People who are not in it are left out. */
export async function findTeamRoles(db: Db, team: TeamKey, userIds: string[]): Promise<Map<string, TeamRole>> {
  const rows = await db.all(sql<{ user_id: string; role: TeamRole }>`
    select user_id, role from team_members
    where organization_id = ${team.organization_id} and team_id = ${team.id} and user_id = any (${userIds}::uuid[])`)
  return new Map(rows.map((row) => [row.user_id, row.role]))
}

/** Adds the people who are not in the team, and sets the role of those who are. */
export async function upsertTeamMembers(db: Db, team: TeamKey, roles: Map<string, TeamRole>): Promise<void> {
  await db.run(sql`
    insert into team_members (organization_id, team_id, user_id, role)
    select ${team.organization_id}, ${team.id}, given.user_id, given.role
    from unnest(${[...roles.keys()]}::uuid[], ${[...roles.values()]}::text[]) as given (user_id, role)
    on conflict (organization_id, team_id, user_id) do update set role = excluded.role`)
}

/** Returns the people who were in the team. */
export async function deleteTeamMembers(db: Db, team: TeamKey, userIds: string[]): Promise<string[]> {
  const rows = await db.all(sql<{ user_id: string }>`
    delete from team_members
    where organization_id = ${team.organization_id} and team_id = ${team.id} and user_id = any (${userIds}::uuid[])
    returning user_id`)
  return rows.map((row) => row.user_id)
}
