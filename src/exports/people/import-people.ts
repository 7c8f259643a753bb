import type { Transaction } from '../../db/transaction.ts'
import { grantToTeams, grantToUsers } from '../../grants/actions.ts'
import type { Thing } from '../../grants/queries.ts'
import { type RuledSpace, peopleInRules, restoreRules } from '../import-rules.ts'
import { type RestoredTeam, type TeamsHere, namedMember, restoreTeams } from './import-teams.ts'
import { type MembersHere, type NotMember, findMembersHere } from './members-here.ts'
import type { ExportedGrants, ExportedMember, ExportedName, ExportedTeam } from '../queries.ts'

/** The roles granted on something that has been restored. */
export interface GrantsOn extends ExportedGrants {
  thing: Thing
  title: string
}

/** What an archive says about people. The archive of a space has neither members nor teams. */
export interface ArchivedPeople {
  members: ExportedMember[]
  teams: ExportedTeam[]
  grants: GrantsOn[]
  /** The spaces with their merge rules, and the people whom these may name. */
  ruled: RuledSpace[]
  named: ExportedName[]
}

/**
 * Restores teams and their members, the roles granted to teams and members, and the people in merge rules. Nobody is
 * added to the organization: people who are not members are returned as a list.
 */
export async function restorePeople(
  tx: Transaction,
  organizationId: string,
  { members, teams, grants, ruled, ...archived }: ArchivedPeople,
  problems: string[],
): Promise<{ teams: RestoredTeam[]; notMembers: NotMember[] }> {
  const inTeams = teams.flatMap((team) => team.members.map(namedMember))
  const named = [...members, ...archived.named]
  const inGrants = grants.flatMap((given) => given.members)
  const everybody = [...members, ...inTeams, ...inGrants, ...peopleInRules(ruled, named)]
  const people = await findMembersHere(tx, organizationId, everybody)
  for (const member of members) people.find(member, (left) => (left.role = member.role))
  const namedTeams = grants.flatMap((given) => given.teams)
  const restored = await restoreTeams(tx, organizationId, { teams, named: namedTeams }, people)
  for (const given of grants) {
    await grantMembers(tx, given, people)
    await grantTeams(tx, given, restored.here, problems)
  }
  for (const space of ruled) await restoreRules(tx, organizationId, space, { people, named, problems })
  return { teams: restored.teams, notMembers: people.notMembers() }
}

async function grantMembers(tx: Transaction, { thing, title, members }: GrantsOn, people: MembersHere): Promise<void> {
  const found = members.flatMap(({ role, ...person }) => {
    const id = people.find(person, (left) => left.grants.push({ type: thing.type, id: thing.id, title, role }))
    return id === undefined ? [] : { id, role }
  })
  for (const [role, to] of Map.groupBy(found, (each) => each.role)) {
    await grantToUsers(
      tx,
      asOperator(thing),
      to.map(({ id }) => id),
      role,
    )
  }
}

async function grantTeams(tx: Transaction, { thing, title, teams }: GrantsOn, here: TeamsHere, problems: string[]) {
  const found = teams.flatMap(({ role, ...team }) => {
    const id = here(team)
    if (id !== undefined) return { id, role }
    problems.push(
      `The ${thing.type} ${JSON.stringify(title)} was restored without the access of the team ${JSON.stringify(team.title)}: ` +
        `there is no such team here. Create it, and give it ${role === null ? 'no access' : `the role ${role}`} there.`,
    )
    return []
  })
  for (const [role, to] of Map.groupBy(found, (each) => each.role)) {
    await grantToTeams(
      tx,
      asOperator(thing),
      to.map(({ id }) => id),
      role,
    )
  }
}

/** The person who imports runs the installation, and may grant every role. */
const asOperator = (thing: Thing) => ({ thing, role: 'admin' as const, organizationRole: 'admin' as const })
