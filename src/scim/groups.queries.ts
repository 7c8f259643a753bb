import type { Db } from '../db/connect.ts'
import { type Statement, sql } from '../db/sql.ts'
import type { TeamRow } from '../db/tables.ts'
import { isId } from '../ids.ts'
import type { TeamKey } from '../teams/members.queries.ts'
import { type Filter, type Term, conditionOf, textHolds, wordsHold, wrongFilter } from './filter.ts'
import type { Window } from './users.queries.ts'

/** A team, with the id that a provider has given it. */
export type ScimGroupRow = TeamRow & { external_id: string | null }

export interface GroupMemberRow {
  team_id: string
  user_id: string
  display_name: string
}

const columns = sql`t.id, t.organization_id, t.title, t.created_at, s.external_id`

const groups = sql`teams t left join scim_groups s on s.organization_id = t.organization_id and s.team_id = t.id`

export async function findGroup(db: Db, organizationId: string, teamId: string): Promise<ScimGroupRow | undefined> {
  return db.find(sql<ScimGroupRow>`
    select ${columns} from ${groups} where t.organization_id = ${organizationId} and t.id = ${teamId}`)
}

/** Lists the oldest first. */
export async function listGroups(db: Db, organizationId: string, filter: Filter, { offset, limit }: Window) {
  const matching = conditionOf(filter, (term) => holds(organizationId, term))
  const from = sql`from ${groups} where t.organization_id = ${organizationId} and ${matching}`
  const [rows, { count }] = await Promise.all([
    db.all(
      sql<ScimGroupRow>`select ${columns} ${from} order by t.created_at, t.id offset ${offset} limit ${limit}`.asSlow(),
    ),
    db.one(sql<{ count: number }>`select count(*) ${from}`.asSlow()),
  ])
  return { rows, count }
}

function holds(organizationId: string, term: Term): Statement {
  const { attribute, operator, value, field } = term
  const isWhole = operator === 'eq'
  switch (attribute) {
    case 'id':
      if (!isWhole) return textHolds(sql`t.id::text`, term)
      return isId(value) ? sql`t.id = ${value}` : sql`false`
    case 'displayname':
      return wordsHold(sql`t.title`, term)
    case 'externalid':
      if (!isWhole) return textHolds(sql`coalesce(s.external_id, '')`, term)
      return sql`t.id in (select team_id from scim_groups
        where organization_id = ${organizationId} and external_id = ${value})`
    case 'members':
    case 'members.value':
      if (operator === 'pr') return sql`exists (${membersOf(organizationId)})`
      if (!isWhole) throw wrongFilter('members are compared with eq, ne or pr', field)
      return isId(value) ? sql`exists (${membersOf(organizationId)} and x.user_id = ${value})` : sql`false`
    default:
      throw wrongFilter('can compare id, displayName, externalId and members', field)
  }
}

const membersOf = (organizationId: string) => sql`
  select from team_members x where x.organization_id = ${organizationId} and x.team_id = t.id`

/** Lists the members in the order in which they were added. */
export async function listGroupMembers(db: Db, organizationId: string, teamIds: string[]): Promise<GroupMemberRow[]> {
  if (teamIds.length === 0) return []
  return db.all(
    sql<GroupMemberRow>`
      select x.team_id, x.user_id, u.display_name from team_members x join users u on u.id = x.user_id
      where x.organization_id = ${organizationId} and x.team_id = any (${teamIds}::uuid[])
      order by x.added_at, x.user_id`.asSlow(),
  )
}

export async function listTeamMemberIds(db: Db, team: TeamKey): Promise<string[]> {
  const rows = await db.all(
    sql<{ user_id: string }>`
      select user_id from team_members where organization_id = ${team.organization_id} and team_id = ${team.id}`.asSlow(),
  )
  return rows.map(({ user_id }) => user_id)
}

export async function putExternalId(db: Db, team: TeamKey, externalId: string | null): Promise<void> {
  const key = sql`organization_id = ${team.organization_id} and team_id = ${team.id}`
  if (externalId === null) await db.run(sql`delete from scim_groups where ${key}`)
  else {
    await db.run(sql`
      insert into scim_groups (organization_id, team_id, external_id)
      values (${team.organization_id}, ${team.id}, ${externalId})
      on conflict (organization_id, team_id) do update set external_id = excluded.external_id`)
  }
}
