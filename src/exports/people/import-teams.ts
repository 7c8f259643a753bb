import { recordChange } from '../../changes/record.ts'
import type { Transaction } from '../../db/transaction.ts'
import { derivedId, isId } from '../../ids.ts'
import { putTeamMembers } from '../../teams/members.actions.ts'
import { type TeamKey, findTeamRoles } from '../../teams/members.queries.ts'
import { insertTeam } from '../../teams/queries.ts'
import type { TeamRole } from '../../teams/schema.ts'
import type { MembersHere } from './members-here.ts'
import { type TeamFound, listTeamsAndTaken, lockTeams } from './people.queries.ts'
import type { ExportedName, ExportedTeam } from '../queries.ts'

export interface RestoredTeam {
  id: string
  title: string
  /** False if the organization had it already. */
  created: boolean
  /** How many people were added to it. */
  added: number
}

/** How an archive identifies a team. */
export type TeamName = Pick<ExportedTeam, 'id' | 'title'>

/** Finds the id of the team of the organization that a name refers to. */
export type TeamsHere = (name: TeamName) => string | undefined

/**
 * Restores the teams of an archive and their members. A team keeps its id if that is free. If the id is taken by a team
 * of this organization, that is the one. Otherwise it is the team that an earlier import created, or one with the same
 * title. `named` teams are only looked up.
 */
export async function restoreTeams(
  tx: Transaction,
  organizationId: string,
  { teams, named }: { teams: readonly ExportedTeam[]; named: readonly TeamName[] },
  people: MembersHere,
): Promise<{ teams: RestoredTeam[]; here: TeamsHere }> {
  const ids = [...teams, ...named].flatMap(({ id }) => (id !== undefined && isId(id) ? id : []))
  const found = await listTeamsAndTaken(tx, organizationId, ids)
  const own = found.filter((team) => team.organization_id === organizationId)
  const places = placeTeams(organizationId, teams, found, own)
  for (const { id, title, created } of places) if (created) await makeTeam(tx, { id, organizationId, title })
  await lockTeams(
    tx,
    organizationId,
    places.map(({ id }) => id),
  )
  const restored: RestoredTeam[] = []
  for (const { was, ...team } of places) {
    const added = await fillTeam(tx, { organization_id: organizationId, id: team.id }, was, people)
    restored.push({ ...team, added })
  }
  return { teams: restored, here: (name) => findPlace(organizationId, name, places, own) }
}

interface Place {
  was: ExportedTeam
  id: string
  title: string
  created: boolean
}

/** Two teams of an archive never become one, even if they have the same title. */
function placeTeams(
  organizationId: string,
  teams: readonly ExportedTeam[],
  found: readonly TeamFound[],
  own: readonly TeamFound[],
): Place[] {
  const taken = new Set(found.map(({ id }) => id))
  const owned = new Map(own.map((team) => [team.id, team]))
  const wanted = teams.map((was, index) => {
    const standIn = standInFor(organizationId, was.id ?? `${index} ${was.title}`)
    return { was, standIn, same: owned.get(was.id ?? '') ?? owned.get(standIn) }
  })
  const used = new Set(wanted.flatMap(({ same }) => same?.id ?? []))
  return wanted.map(({ was, standIn, same }) => {
    const isFree = was.id !== undefined && isId(was.id) && !taken.has(was.id)
    const mayShare = same === undefined && !isFree
    const alike = mayShare ? own.find(({ id, title }) => title === was.title && !used.has(id)) : undefined
    const here = same ?? alike
    const id = here?.id ?? (isFree ? was.id! : standIn)
    used.add(id)
    return { was, id, title: here?.title ?? was.title, created: here === undefined }
  })
}

/**
 * The id for a team whose own id is taken: always the same one. So the next import finds the team again, whatever its
 * title is then, and however many teams have that title.
 */
const standInFor = (organizationId: string, team: string) => derivedId(`team ${organizationId} ${team}`)

function findPlace(
  organizationId: string,
  { id, title }: TeamName,
  places: readonly Place[],
  own: readonly TeamFound[],
): string | undefined {
  const standIn = id === undefined ? undefined : standInFor(organizationId, id)
  const isIt = (team: TeamName) => id !== undefined && (team.id === id || team.id === standIn)
  const isCalledSo = (team: TeamName) => team.title === title
  return (
    places.find(({ was }) => isIt(was))?.id ??
    own.find(isIt)?.id ??
    places.find(({ was }) => isCalledSo(was))?.id ??
    own.find(isCalledSo)?.id
  )
}

async function makeTeam(tx: Transaction, team: { id: string; organizationId: string; title: string }): Promise<void> {
  await insertTeam(tx, team)
  const { organizationId, id } = team
  recordChange(tx, { organizationId, target: { type: 'team', id }, action: 'team.created' })
}

/** People who are in the team already keep their role in it. */
async function fillTeam(tx: Transaction, team: TeamKey, was: ExportedTeam, people: MembersHere): Promise<number> {
  const wanted = new Map<string, TeamRole>()
  for (const { role, ...person } of was.members.map(namedMember)) {
    const userId = people.find(person, (left) => left.teams.push({ title: was.title, role }))
    if (userId !== undefined) wanted.set(userId, role)
  }
  const current = await findTeamRoles(tx, team, [...wanted.keys()])
  for (const userId of current.keys()) wanted.delete(userId)
  await putTeamMembers(tx, team, wanted)
  return wanted.size
}

export const namedMember = (member: ExportedTeam['members'][number]): ExportedName & { role: TeamRole } =>
  typeof member === 'string' ? { email: member, role: 'member' } : member
