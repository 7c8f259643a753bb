import type { Db } from '../db/connect.ts'
import { type Statement, contains, nothing, sql } from '../db/sql.ts'
import type { TeamRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { type Page, behind } from '../http/paging.ts'
import { countOpenedSpaces } from './opened-spaces.ts'
import type { TeamRole } from './schema.ts'

/**
 * A team as a member sees it: with the number of its members, the number of spaces it opens among those that the viewer
 * sees, and the viewer's own role.
 */
export type TeamSeen = TeamFound & { spaces: number }

/** The same, before the opened spaces are counted. */
export type TeamFound = TeamRow & { members: number; own_role: TeamRole | null }

export const columnsFor = (viewerId: string) => sql`t.id, t.organization_id, t.title, t.created_at,
  (select count(*) from team_members x where x.organization_id = t.organization_id and x.team_id = t.id) as members,
  (select x.role from team_members x
    where x.organization_id = t.organization_id and x.team_id = t.id and x.user_id = ${viewerId}) as own_role`

/**
 * Adds how many spaces each of these teams opens. Called only for the few teams that are shown, and for all of them at
 * once.
 */
export async function withSpaces<Row extends TeamFound>(
  db: Db,
  organizationId: string,
  rows: Row[],
  viewerId: string,
): Promise<(Row & { spaces: number })[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await countOpenedSpaces(db, organizationId, ids, viewerId)
  return rows.map((row) => ({ ...row, spaces: counts.get(row.id) ?? 0 }))
}

export async function findTeam(
  db: Db,
  organizationId: string,
  id: string,
  viewerId: string,
): Promise<TeamSeen | undefined> {
  return (await listTeamsById(db, organizationId, viewerId, [id])).get(id)
}

export async function listTeamsById(
  db: Db,
  organizationId: string,
  viewerId: string,
  ids: string[],
): Promise<Map<string, TeamSeen>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(sql<TeamFound>`
    select ${columnsFor(viewerId)} from teams t
    where t.organization_id = ${organizationId} and t.id = any (${ids}::uuid[])`)
  const counted = await withSpaces(db, organizationId, rows, viewerId)
  return new Map(counted.map((row) => [row.id, row]))
}

/**
 * Locks the team and thereby its members: everything that changes the members of a team comes through here. Two
 * statements, sent together: counts and roles read by the locking statement itself would be from before it waited.
 */
export async function lockTeam(
  tx: Transaction,
  organizationId: string,
  id: string,
  viewerId: string,
): Promise<TeamSeen | undefined> {
  const [, team] = await Promise.all([
    tx.run(sql`select from teams where organization_id = ${organizationId} and id = ${id} for update`),
    findTeam(tx, organizationId, id, viewerId),
  ])
  return team
}

export interface TeamFilter {
  owner?: string
  title?: string
}

/** Ordered by age, the oldest team first. */
export async function listTeams(db: Db, organizationId: string, viewerId: string, filter: TeamFilter, page: Page) {
  const matching = sql`from teams t
    where t.organization_id = ${organizationId} ${managedBy(organizationId, filter.owner)} ${titled(filter.title)}`
  const after = behind(page, sql`t.created_at, t.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<TeamFound>`
        select ${columnsFor(viewerId)} ${matching} ${after}
        order by t.created_at, t.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows: await withSpaces(db, organizationId, rows, viewerId), count }
}

/** Lists all teams by title, to choose one. Returns undefined if there are more than `most`. */
export async function listTeamNames(
  db: Db,
  organizationId: string,
  most: number,
): Promise<Pick<TeamRow, 'id' | 'title'>[] | undefined> {
  const rows = await db.all(
    sql<Pick<TeamRow, 'id' | 'title'>>`
      select id, title from teams where organization_id = ${organizationId} order by lower(title), id
      limit ${most + 1}`.asSlow(),
  )
  return rows.length > most ? undefined : rows
}

/**
 * Lists the ids of teams with this title, ignoring case. Returns at most two, since more than one is already ambiguous.
 */
export async function listTeamsTitled(db: Db, organizationId: string, title: string): Promise<string[]> {
  const rows = await db.all(
    sql<{ id: string }>`
      select id from teams where organization_id = ${organizationId} and lower(title) = lower(${title}) limit 2`.asSlow(),
  )
  return rows.map(({ id }) => id)
}

export type TeamOfMemberRow = TeamSeen & { member_role: TeamRole; added_at: Date }

/** Lists the teams that a member is in, the one joined first at the top. */
export async function listTeamsOf(
  db: Db,
  organizationId: string,
  userId: string,
  viewerId: string,
  filter: Pick<TeamFilter, 'title'>,
  page: Page,
) {
  const matching = sql`from team_members y join teams t on t.organization_id = y.organization_id and t.id = y.team_id
    where y.organization_id = ${organizationId} and y.user_id = ${userId} ${titled(filter.title)}`
  const after = behind(page, sql`y.added_at, t.id`, 'asc')
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<Omit<TeamOfMemberRow, 'spaces'>>`
        select ${columnsFor(viewerId)}, y.role as member_role, y.added_at ${matching} ${after}
        order by y.added_at, t.id limit ${page.limit + 1}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${matching}`.asSlow()),
  ])
  return { rows: await withSpaces(db, organizationId, rows, viewerId), count }
}

/**
 * The rule of `teamRights` for a whole list: administrators of the organization manage all teams, owners their own. The
 * owner's membership is looked up once for all teams; per team, it would read everybody in every team.
 */
function managedBy(organizationId: string, owner: string | undefined): Statement {
  if (owner === undefined) return nothing
  const them = sql`m.organization_id = ${organizationId} and m.user_id = ${owner} and not m.disabled`
  return sql`and (exists (select from members m where ${them} and m.role = 'admin')
    or t.id = any (array(select x.team_id from members m
      join team_members x on x.organization_id = m.organization_id and x.user_id = m.user_id and x.role = 'owner'
      where ${them})))`
}

const titled = (title: string | undefined) => (title ? sql`and ${contains(sql`t.title`, title)}` : nothing)

export async function insertTeam(db: Db, row: { id: string; organizationId: string; title: string }): Promise<void> {
  await db.run(sql`
    insert into teams (id, organization_id, title) values (${row.id}, ${row.organizationId}, ${row.title})`)
}

export async function updateTeam(db: Db, row: TeamRow): Promise<void> {
  await db.run(sql`
    update teams set title = ${row.title} where organization_id = ${row.organization_id} and id = ${row.id}`)
}

export async function deleteTeam(db: Db, organizationId: string, id: string): Promise<void> {
  await db.run(sql`delete from teams where organization_id = ${organizationId} and id = ${id}`)
}
