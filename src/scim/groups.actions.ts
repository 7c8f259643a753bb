import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import { recordChange } from '../changes/record.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid } from '../http/errors.ts'
import { formats } from '../http/formats.ts'
import { isId } from '../ids.ts'
import { memberIds } from '../organizations/members.access.ts'
import { changeTeam, createTeam } from '../teams/actions.ts'
import { putTeamMembers, removeTeamMembers } from '../teams/members.actions.ts'
import { findTeamRoles } from '../teams/members.queries.ts'
import type { TeamSeen } from '../teams/queries.ts'
import { longestTeamTitle } from '../teams/schema.ts'
import { readChoice } from './filter.ts'
import { type ScimGroupRow, findGroup, listTeamMemberIds, putExternalId } from './groups.queries.ts'
import type { Step } from './patch.ts'
import type { GroupToTake } from './schema.ts'

export async function makeGroup(
  tx: Transaction,
  { organization, userId: viewerId }: Membership,
  { displayName, externalId, members }: Static<typeof GroupToTake>,
): Promise<ScimGroupRow> {
  const ids = (members ?? []).map(({ value }) => value)
  const draft = { organizationId: organization.id, title: titleFrom(displayName), members: ids, viewerId }
  const team = await createTeam(tx, draft)
  if (externalId) await putExternalId(tx, team, externalId)
  return (await findGroup(tx, organization.id, team.id))!
}

/**
 * Replaces the whole group: people who are not named are removed from it. Some providers rename a group in this way and
 * report its people only as changes, so all of them stay if `members` is missing.
 */
export async function replaceGroup(
  tx: Transaction,
  team: TeamSeen,
  { displayName, externalId, members }: Static<typeof GroupToTake>,
): Promise<ScimGroupRow> {
  await rename(tx, team, displayName)
  if (externalId !== undefined) await callIt(tx, team, externalId || null)
  const ids = members?.map(({ value }) => value) ?? []
  if (members !== undefined) await putOnly(tx, team, ids, 'body.members')
  return (await findGroup(tx, team.organization_id, team.id))!
}

/** Applies the steps one after the other, in the given order. */
export async function changeGroup(tx: Transaction, found: TeamSeen, steps: readonly Step[]): Promise<void> {
  let team = found
  for (const step of joined(steps)) {
    if (step.attribute === 'displayname' && step.kind !== 'remove') team = await rename(tx, team, textIn(step))
    if (step.attribute === 'externalid') {
      await callIt(tx, team, step.kind === 'remove' ? null : textIn(step) || null)
    }
    if (step.attribute === 'members') await changeMembers(tx, team, step)
  }
}

async function changeMembers(tx: Transaction, team: TeamSeen, step: Step): Promise<void> {
  const { kind, at, filter, part } = step
  // Display names and the like.
  if (filter === undefined && part !== '' && part !== 'value') return
  const ids = idsIn(step)
  if (filter !== undefined && (part !== '' || kind !== 'remove')) return requireIn(tx, team, ids.filter(isId), at)
  if (kind === 'replace') return putOnly(tx, team, ids, `${at}.value`)
  if (kind === 'add') return putIn(tx, team, ids, `${at}.value`)
  await removeTeamMembers(tx, team, isForAll(step) ? await listTeamMemberIds(tx, team) : ids.filter(isId))
}

/** Data about a member, such as their display name, belongs to that person and adds nobody to the group. */
async function requireIn(tx: Transaction, team: TeamSeen, ids: string[], at: string): Promise<void> {
  const found = await findTeamRoles(tx, team, ids)
  if (found.size === 0) throw invalid(`${at}.path`, 'target', 'matches no member of this group')
}

const isForAll = ({ filter, value }: Step) => filter === undefined && (value ?? undefined) === undefined

async function putIn(tx: Transaction, team: TeamSeen, ids: string[], at: string): Promise<void> {
  const people = await memberIds(tx, team.organization_id, at, ids)
  await putTeamMembers(tx, team, new Map(people.map((userId) => [userId, undefined])))
}

async function putOnly(tx: Transaction, team: TeamSeen, ids: string[], at: string): Promise<void> {
  const wanted = new Set(ids)
  const leaving = (await listTeamMemberIds(tx, team)).filter((userId) => !wanted.has(userId))
  await putIn(tx, team, ids, at)
  await removeTeamMembers(tx, team, leaving)
}

async function callIt(tx: Transaction, team: TeamSeen, externalId: string | null): Promise<void> {
  const { organization_id: organizationId, id } = team
  const before = await findGroup(tx, organizationId, id)
  if (before?.external_id === externalId) return
  await putExternalId(tx, team, externalId)
  recordChange(tx, { organizationId, target: { type: 'team', id }, action: 'team.updated', fields: ['externalId'] })
}

async function rename(tx: Transaction, team: TeamSeen, displayName: string): Promise<TeamSeen> {
  const title = titleFrom(displayName)
  return title === team.title ? team : changeTeam(tx, team, { title })
}

function titleFrom(text: string): string {
  const title = text.trim()
  if (title === '' || [...title].length > longestTeamTitle || !formats['one-line']!(title)) {
    throw invalid('body.displayName', 'maxLength', `must be one line of 1 to ${longestTeamTitle} characters`)
  }
  return title
}

function textIn({ value, at }: Step): string {
  if (typeof value !== 'string' || value.length > 256) throw invalid(`${at}.value`, 'type', 'must be a short text')
  return value
}

/** Reads `[{"value": "id"}]` or `members[value eq "id"]`. */
function idsIn({ filter, value, at }: Step): string[] {
  if (filter !== undefined) {
    const terms = readChoice(filter, `${at}.path`)
    if (terms.some(({ attribute }) => attribute !== 'value'))
      throw invalid(`${at}.path`, 'filter', 'must be like members[value eq "id"]')
    return terms.map(({ value: id }) => id)
  }
  return [value ?? []].flat().map((each) => {
    const id = typeof each === 'object' && each !== null ? (each as { value?: unknown }).value : each
    if (typeof id !== 'string') throw invalid(`${at}.value`, 'type', 'must be a list of {"value": "id"}')
    return id
  })
}

/** Some providers send a step for each person. Consecutive ones are joined. */
function joined(steps: readonly Step[]): Step[] {
  return steps.reduce<Step[]>((before, step) => {
    const last = before.at(-1)
    const isSame =
      last !== undefined &&
      [step, last].every(({ attribute, kind }) => attribute === 'members' && kind !== 'replace') &&
      last.kind === step.kind &&
      [step, last].every((each) => each.part === '' && !isForAll(each)) &&
      (step.kind === 'remove' || (step.filter === undefined && last.filter === undefined))
    if (!isSame) return [...before, step]
    const people = [...idsIn(last), ...idsIn(step)].map((id) => ({ value: id }))
    return [...before.slice(0, -1), { ...last, filter: undefined, value: people }]
  }, [])
}
