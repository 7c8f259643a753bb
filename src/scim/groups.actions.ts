import type { Static } from 'typebox'
import type { Membership } from '../access/caller.ts'
import type { Transaction } from '../db/transaction.ts'
import { invalid } from '../http/errors.ts'
import { formats } from '../http/formats.ts'
import { isId } from '../ids.ts'
import { memberIds } from '../organizations/members.access.ts'
import { changeTeam, createTeam } from '../teams/actions.ts'
import { putTeamMembers, removeTeamMembers } from '../teams/members.actions.ts'
import type { TeamSeen } from '../teams/queries.ts'
import { readFilter } from './filter.ts'
import { type ScimGroupRow, findGroup, listTeamMemberIds, putExternalId } from './groups.queries.ts'
import type { Step } from './patch.ts'
import type { GroupToTake } from './schema.ts'

const longestTitle = 64

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

/** The group as a whole: whoever is not named is not in it any more. */
export async function replaceGroup(
  tx: Transaction,
  team: TeamSeen,
  { displayName, externalId, members }: Static<typeof GroupToTake>,
): Promise<ScimGroupRow> {
  await rename(tx, team, displayName)
  if (externalId !== undefined) await putExternalId(tx, team, externalId || null)
  await putOnly(
    tx,
    team,
    (members ?? []).map(({ value }) => value),
    'body.members',
  )
  return (await findGroup(tx, team.organization_id, team.id))!
}

/** One step after the other, as they stand. */
export async function changeGroup(tx: Transaction, found: TeamSeen, steps: readonly Step[]): Promise<void> {
  let team = found
  for (const step of joined(steps)) {
    if (step.attribute === 'displayname' && step.kind !== 'remove') team = await rename(tx, team, textIn(step))
    if (step.attribute === 'externalid') {
      await putExternalId(tx, team, step.kind === 'remove' ? null : textIn(step) || null)
    }
    if (step.attribute === 'members') await changeMembers(tx, team, step)
  }
}

async function changeMembers(tx: Transaction, team: TeamSeen, step: Step): Promise<void> {
  const { kind, at, filter } = step
  const ids = idsIn(step)
  if (kind === 'replace' && filter === undefined) return putOnly(tx, team, ids, `${at}.value`)
  if (kind !== 'remove') return putIn(tx, team, ids, `${at}.value`)
  const isAll = filter === undefined && step.value === undefined
  await removeTeamMembers(tx, team, isAll ? await listTeamMemberIds(tx, team) : ids.filter(isId))
}

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

async function rename(tx: Transaction, team: TeamSeen, displayName: string): Promise<TeamSeen> {
  const title = titleFrom(displayName)
  return title === team.title ? team : changeTeam(tx, team, { title })
}

function titleFrom(text: string): string {
  const title = text.trim()
  if (title === '' || [...title].length > longestTitle || !formats['one-line']!(title)) {
    throw invalid('body.displayName', 'maxLength', `must be one line of 1 to ${longestTitle} characters`)
  }
  return title
}

function textIn({ value, at }: Step): string {
  if (typeof value !== 'string' || value.length > 256) throw invalid(`${at}.value`, 'type', 'must be a short text')
  return value
}

/** `[{"value": "id"}]` or `members[value eq "id"]`. */
function idsIn({ filter, value, at }: Step): string[] {
  if (filter !== undefined) {
    return readFilter(filter).flatMap((term) => (term.attribute === 'value' ? [term.value] : []))
  }
  return [value ?? []].flat().map((each) => {
    const id = typeof each === 'object' && each !== null ? (each as { value?: unknown }).value : each
    if (typeof id !== 'string') throw invalid(`${at}.value`, 'type', 'must be a list of {"value": "id"}')
    return id
  })
}

/** Some providers send a step for each person: those that stand together are one. */
function joined(steps: readonly Step[]): Step[] {
  return steps.reduce<Step[]>((before, step) => {
    const last = before.at(-1)
    const isSame =
      last !== undefined &&
      [step, last].every(({ attribute, kind }) => attribute === 'members' && kind !== 'replace') &&
      last.kind === step.kind &&
      [step, last].every(({ filter, value }) => filter !== undefined || value !== undefined)
    if (!isSame) return [...before, step]
    const people = [...idsIn(last), ...idsIn(step)].map((id) => ({ value: id }))
    return [...before.slice(0, -1), { ...last, filter: undefined, value: people }]
  }, [])
}
