import type { FastifyReply, FastifyRequest } from 'fastify'
import { accessOrganization } from '../../access/caller.ts'
import { organizationRights } from '../../access/rights.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { fieldsOf, formToken } from '../../account/forms.ts'
import { readName, wrongName } from '../../account/name.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { conflict, notFound, asNone } from '../../http/errors.ts'
import { byAge } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { accessTeam, accessTeamToLeave, accessTeamToManage, rightsOn } from '../../teams/access.ts'
import { changeTeam, createTeam, removeTeam } from '../../teams/actions.ts'
import { changeTeamMembers, putTeamMembers, removeTeamMembers } from '../../teams/members.actions.ts'
import { findTeamRoles, listPossibleMembers, listTeamMembers } from '../../teams/members.queries.ts'
import { type TeamSeen, listTeams } from '../../teams/queries.ts'
import { memberIn } from '../member-named.ts'
import { addOnce } from '../once.ts'
import { type OpenedOrganization, openOrganization, organizationPath, showNothing } from '../open.ts'
import { isNew } from '../overtaken.ts'
import { loadPart, partIn } from '../paging.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { type TeamParts, teamPage, teamsPage } from './teams.page.ts'

const teamsPath = `${organizationPath}/teams`
const teamPath = `${teamsPath}/:teamId(^[0-9a-f-]{36}$)`
const placePath = `${teamPath}/members/:userId(^[0-9a-f-]{36}$)`

/** Above this number of members there is no list to choose from. The e-mail address of the person has to be entered. */
const mostPossible = 200

/** Messages about what was just done. */
const done = {
  renamed: 'Renamed.',
  in: 'Added to the team.',
  out: 'Removed from the team.',
  owner: 'They are now an owner.',
  member: 'They are no longer an owner.',
  left: 'You have left the team.',
  deleted: 'Team deleted. Its members stay in the organization.',
}

/** The teams of an organization: creating, renaming and deleting them, and changing their members. */
export const workspaceTeams: Routes = async (app) => {
  app.get(teamsPath, async (request, reply) => {
    const opened = await openTeams(app, request, reply, requireSession)
    return opened ? showAll(app, reply, opened, { page: partIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(teamsPath, async (request, reply) => {
    const opened = await openTeams(app, request, reply, requireSessionForm)
    if (!opened) return reply
    const { title = '' } = fieldsOf(request)
    try {
      const { organization, userId } = accessOrganization(opened.caller, 'admin')
      const draft = { organizationId: organization.id, title: titleIn(title), members: [], viewerId: userId }
      const id = await write(request, (tx) => addOnce(tx, request, async () => (await createTeam(tx, draft)).id))
      return leadTo(app, reply, `${opened.path}/teams/${id}`)
    } catch (error) {
      const { reason, status } = refusalOf(error)
      return showAll(app, reply, opened, { error: reason, title }, status)
    }
  })

  app.get(teamPath, async (request, reply) => {
    const opened = await openTeam(app, request, reply, requireSession)
    return opened ? show(app, reply, opened, { page: partIn(request), ...doneIn(request, done) }) : reply
  })

  app.post(`${teamPath}/title`, async (request, reply) => {
    const { title = '' } = fieldsOf(request)
    return changing(app, request, reply, { title }, async (tx, opened) => {
      const team = await manage(tx, opened)
      const wanted = titleIn(title)
      if (isNew(fieldsOf(request), { now: team.title, wanted })) await changeTeam(tx, team, { title: wanted })
      return 'renamed'
    })
  })

  app.post(`${teamPath}/members`, async (request, reply) => {
    const { user = '', email = '' } = fieldsOf(request)
    return changing(app, request, reply, { email }, async (tx, opened) => {
      const team = await manage(tx, opened)
      const name = (user || email).trim()
      if (name === '') throw conflict('Choose a person to add.')
      await changeTeamMembers(tx, team, { add: [await memberIn(tx, team.organization_id, name)] })
      return 'in'
    })
  })

  app.post(`${placePath}/role`, async (request, reply) => {
    const { role } = fieldsOf(request)
    return changing(app, request, reply, {}, async (tx, opened) => {
      const team = await manage(tx, opened)
      const userId = userIn(request)
      if (role !== 'owner' && role !== 'member') throw conflict('Choose whether they are an owner.')
      // Somebody else may have removed this person in the meantime. Changing the role must not add them again.
      if (!(await findTeamRoles(tx, team, [userId])).has(userId)) throw notFound('team member')
      await putTeamMembers(tx, team, new Map([[userId, role]]))
      return role
    })
  })

  app.post(`${placePath}/remove`, async (request, reply) =>
    changing(app, request, reply, {}, async (tx, opened) => {
      const userId = userIn(request)
      const { membership } = opened.caller
      const isSelf = userId === membership.userId
      const team = isSelf ? await accessTeamToLeave(tx, membership, opened.team.id) : await manage(tx, opened)
      // It is fine if they are already gone.
      await removeTeamMembers(tx, team, [userId])
      return isSelf ? 'left' : 'out'
    }),
  )

  app.post(`${teamPath}/remove`, async (request, reply) => {
    const home = await openOrganization(app, request, reply, requireSessionForm)
    if (!home) return reply
    const { teamId } = request.params as { teamId: string }
    try {
      // The team is looked up inside, because it no longer exists on a second click.
      await write(request, (tx) =>
        addOnce(tx, request, async () => removeTeam(tx, await accessTeamToManage(tx, home.caller.membership, teamId))),
      )
      return await leadOn(app, reply, { ...home, team: { id: teamId } }, 'deleted')
    } catch (error) {
      const opened = await openTeam(app, request, reply, requireSessionForm)
      if (!opened) return reply
      const { reason, status } = refusalOf(error)
      return show(app, reply, opened, { error: reason }, status)
    }
  })
}

function titleIn(text: string): string {
  const title = readName(text)
  if (title === undefined) throw conflict(wrongName)
  return title
}

function userIn({ params }: FastifyRequest): string {
  const { userId } = params as { userId: string }
  if (!isId(userId)) throw notFound('member')
  return userId
}

/** Returns undefined if the request is already answered: guests get the not-found page. */
async function openTeams(app: App, request: FastifyRequest, reply: FastifyReply, require: typeof requireSession) {
  const opened = await openOrganization(app, request, reply, require)
  if (opened && !organizationRights(opened.caller.membership).listTeams) return showNothing(app, reply)
  return opened
}

interface OpenedTeam extends OpenedOrganization {
  team: TeamSeen
}

/** The same for one team. Guests find only teams that they own. */
async function openTeam(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedTeam | undefined> {
  const opened = await openOrganization(app, request, reply, require)
  if (!opened) return undefined
  const { teamId } = request.params as { teamId: string }
  const { membership } = opened.caller
  const team = isId(teamId) ? await accessTeam(app.db, membership, teamId).catch(asNone) : undefined
  return team ? { ...opened, team } : showNothing(app, reply)
}

const manage = (tx: Transaction, { caller, team }: OpenedTeam) => accessTeamToManage(tx, caller.membership, team.id)

/** Makes one change to a team, in one transaction. */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  typed: Pick<TeamParts, 'title' | 'email'>,
  work: (tx: Transaction, opened: OpenedTeam) => Promise<keyof typeof done>,
): Promise<FastifyReply> {
  const opened = await openTeam(app, request, reply, requireSessionForm)
  if (!opened) return reply
  try {
    const what = await write(request, (tx) => work(tx, opened))
    return leadOn(app, reply, opened, what)
  } catch (error) {
    const { reason, status } = refusalOf(error)
    return show(app, reply, opened, { error: reason, ...typed }, status)
  }
}

/**
 * Redirects to the team, or to all teams if it no longer exists. A guest who no longer owns the team can see neither,
 * and is redirected to the organization.
 */
async function leadOn(
  app: App,
  reply: FastifyReply,
  opened: OpenedOrganization & { team: Pick<TeamSeen, 'id'> },
  what: keyof typeof done,
) {
  const { caller, path, team } = opened
  const isSeen = await accessTeam(app.db, caller.membership, team.id).catch(asNone)
  if (isSeen) return leadTo(app, reply, `${path}/teams/${team.id}`, { done: what })
  if (!organizationRights(caller.membership).listTeams) return leadTo(app, reply, path, { done: 'team' })
  return leadTo(app, reply, `${path}/teams`, { done: what })
}

async function showAll(
  app: App,
  reply: FastifyReply,
  { session, caller, path }: OpenedOrganization,
  { page, ...more }: Said & { page?: string; title?: string },
  status = 200,
): Promise<FastifyReply> {
  const { organization, userId } = caller.membership
  const teams = await loadPart(
    app,
    { path: `${path}/teams`, page },
    (asked) => listTeams(app.db, organization.id, userId, {}, asked),
    byAge,
  )
  const parts = { membership: caller.membership, path: `${path}/teams`, teams, form: formToken(app, { session }) }
  return answerPage(reply, teamsPage(placeOf(app), { ...parts, ...more }), status)
}

async function show(
  app: App,
  reply: FastifyReply,
  opened: OpenedTeam,
  { page, ...more }: Said & { page?: string; title?: string; email?: string },
  status = 200,
): Promise<FastifyReply> {
  const { session, caller, path, team } = opened
  const { membership } = caller
  const [people, possible] = await Promise.all([
    loadPart(
      app,
      { path: `${path}/teams/${team.id}`, page },
      (asked) => listTeamMembers(app.db, team, membership.userId, asked),
      ({ added_at, user_id }) => [added_at.toISOString(), user_id],
    ),
    listPossible(app, opened),
  ])
  const parts = { membership, path, team, people, possible, form: formToken(app, { session }) }
  return answerPage(reply, teamPage(placeOf(app), { ...parts, ...more }), status)
}

/** Returns undefined for guests: they may not know who belongs to the organization, so no other people are listed. */
async function listPossible(app: App, { caller, team }: OpenedTeam) {
  const { membership } = caller
  if (!rightsOn(team, membership).admin || !organizationRights(membership).listMembers) return undefined
  return listPossibleMembers(app.db, team, mostPossible)
}
