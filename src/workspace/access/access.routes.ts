import { appPath } from '../../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findCollectionFor } from '../../access/content.ts'
import { findLevelIn } from '../../access/levels.ts'
import { collectionRights, organizationRights } from '../../access/rights.ts'
import type { Role } from '../../access/roles.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { type Fields, fieldsOf, formToken } from '../../account/forms.ts'
import { requireSession, requireSessionForm } from '../../account/who.ts'
import type { Transaction } from '../../db/transaction.ts'
import { placeOf } from '../../front/place.ts'
import { requireTeams } from '../../grants/access.ts'
import { grantToTeams, grantToUsers, revokeFromTeam, revokeFromUser } from '../../grants/actions.ts'
import {
  findMemberGrant,
  findTeamGrant,
  listMemberGrants,
  listTeamGrants,
  listUngranted,
  listUngrantedTeams,
} from '../../grants/queries.ts'
import { conflict, asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { write } from '../../http/write.ts'
import { isId } from '../../ids.ts'
import { type Around, type Kept, accessPage, levelLabel, levelName } from './access.page.ts'
import { type Manageable, type Managed, idOf, manageable } from './access.things.ts'
import { givenIn, givenLabel, givenName } from './given-roles.ts'
import { memberIn } from '../member-named.ts'
import { type OpenedOrganization, type Opener } from '../open.ts'
import { changedTo, isNew } from '../overtaken.ts'
import { type PartAsked, loadPart, partIn } from '../paging.ts'
import { refusalOf } from '../refusal.ts'
import { type Said, doneIn } from '../said.ts'
import { teamIn } from '../team-named.ts'

/**
 * With more than this, a text field replaces the list: the user then has to enter the address, or the name of the team.
 */
const mostPossible = 200

/** What the page says after a change. */
const done = {
  given: 'Access granted.',
  changed: 'Role changed.',
  taken: 'Role removed. They now have the role of their team, or else the one for everyone.',
  everybody: 'Saved.',
}

/** The pages to view, give, change and remove roles on a space, a collection or a site. */
export const workspaceAccess: Routes = async (app) => {
  for (const each of manageable) register(app, each)
}

/** The kind of holder that a role is given to: people or teams. */
interface Holders {
  of: 'people' | 'teams'
  /** Returns the id of the holder that a form names. */
  named(tx: Transaction, managed: Managed, caller: Opener, fields: Fields): Promise<string>
  find(tx: Transaction, managed: Managed, id: string): Promise<Grant | undefined>
  give(tx: Transaction, managed: Managed, id: string, role: Role | null): Promise<unknown>
  takeBack(tx: Transaction, managed: Managed, id: string): Promise<unknown>
}

interface Grant {
  role: Role | null
}

const people: Holders = {
  of: 'people',
  named: userNamed,
  find: (tx, { thing }, id) => findMemberGrant(tx, thing, id),
  give: (tx, managed, id, role) => grantToUsers(tx, managed, [id], role),
  takeBack: revokeFromUser,
}

const teams: Holders = {
  of: 'teams',
  named: teamNamed,
  async find(tx, managed, id) {
    requireTeams(managed)
    return findTeamGrant(tx, managed.thing, id)
  },
  give: (tx, managed, id, role) => grantToTeams(tx, managed, [id], role),
  takeBack: revokeFromTeam,
}

function register(app: App, about: Manageable): void {
  const path = about.at + about.below

  app.get(path, async (request, reply) => {
    const opened = await about.open(app, request, reply, requireSession)
    if (!opened) return reply
    const managed = await about.see(app.db, opened.caller, idOf(about, request)).catch(asNone)
    if (!managed) return leadTo(app, reply, opened.path)
    return show(app, reply, { ...opened, about, managed }, { ...doneIn(request, done), ...askedIn(request) })
  })

  for (const holders of [people, teams]) {
    const { of } = holders
    const holderPath = `${path}/${of}/:holderId(^[0-9a-f-]{36}$)`

    app.post(`${path}/${of}`, async (request, reply) => {
      const fields = fieldsOf(request)
      return changing(app, request, reply, about, { of, fields }, async (tx, managed, caller) => {
        const role = givenIn(fields.role)
        const id = await holders.named(tx, managed, caller, fields)
        requireNothingElse(await holders.find(tx, managed, id), role)
        await holders.give(tx, managed, id, role)
        return 'given'
      })
    })

    app.post(`${holderPath}/role`, async (request, reply) => {
      const fields = fieldsOf(request)
      const { holderId: id } = request.params as { holderId: string }
      return changing(app, request, reply, about, { of: id, fields }, async (tx, managed) => {
        const role = givenIn(fields.role)
        const given = isId(id) ? await holders.find(tx, managed, id) : undefined
        if (!given) throw conflict('It has been removed in the meantime. Reload the page.')
        if (given.role === role) return 'changed'
        requireSeen(given, fields)
        await holders.give(tx, managed, id, role)
        return 'changed'
      })
    })

    app.post(`${holderPath}/remove`, async (request, reply) => {
      const { holderId: id } = request.params as { holderId: string }
      return changing(app, request, reply, about, undefined, async (tx, managed) => {
        const given = isId(id) ? await holders.find(tx, managed, id) : undefined
        // It is already removed, which is the wanted result.
        if (!given) return 'taken'
        requireSeen(given, fieldsOf(request))
        await holders.takeBack(tx, managed, id)
        return 'taken'
      })
    })
  }

  app.post(`${path}/everybody`, async (request, reply) => {
    const fields = fieldsOf(request)
    return changing(app, request, reply, about, { of: 'everybody', fields }, async (tx, { everybody }) => {
      if (!everybody) throw conflict('A site has no default role.')
      const { level = '' } = fields
      const wanted = level === 'inherit' ? level : givenIn(level)
      const now = { now: levelName(everybody), said: `“${levelLabel(everybody)}”` }
      if (isNew(fields, { ...now, wanted: level })) await everybody.change(tx, wanted)
      return 'everybody'
    })
  })
}

/** Returns which of the two lists is requested, and which page of it. */
function askedIn(request: FastifyRequest): Asked {
  const { of } = request.query as Record<string, unknown>
  return { of: of === 'teams' ? 'teams' : 'people', page: partIn(request) }
}

/** A user who may not see the members of the organization cannot name any. */
async function userNamed(tx: Transaction, { thing }: Managed, caller: Opener, { user = '', email = '' }: Fields) {
  const name = (user || email).trim()
  if (name === '' || !organizationRights(caller.membership).listMembers) throw conflict('Choose a person.')
  return memberIn(tx, thing.organizationId, name)
}

async function teamNamed(tx: Transaction, managed: Managed, _caller: Opener, fields: Fields): Promise<string> {
  requireTeams(managed)
  return teamIn(tx, managed.thing.organizationId, fields)
}

/**
 * A second click gives the same role again. To change a role, it must be changed in the list, by a user who sees the
 * current one.
 */
function requireNothingElse(given: Grant | undefined, role: Role | null): void {
  if (given && given.role !== role)
    throw conflict(`They already have the role “${givenLabel(given.role)}” here. Change it in the list.`)
}

/** Refuses to overwrite a change that another user made in the meantime. */
function requireSeen({ role }: Grant, { seen }: Fields): void {
  if (givenName(role) !== seen) throw changedTo(`“${givenLabel(role)}”`)
}

/**
 * Makes one change in one transaction. If the user can no longer manage roles after it, they are redirected to the
 * organization, which tells them so.
 */
async function changing(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  about: Manageable,
  kept: Kept | undefined,
  work: (tx: Transaction, managed: Managed, caller: Opener) => Promise<keyof typeof done>,
): Promise<FastifyReply> {
  const opened = await about.open(app, request, reply, requireSessionForm)
  if (!opened) return reply
  const { caller, path } = opened
  const id = idOf(about, request)
  await about.see(app.db, caller, id)
  try {
    const what = await write(request, async (tx) => work(tx, await about.hold(tx, caller, id), caller))
    const isManaged = await about.see(app.db, caller, id).catch(asNone)
    if (isManaged) return leadTo(app, reply, path + about.below, { done: what })
    return leadTo(app, reply, appPath.organization(caller.membership.organization.id), { done: 'access' })
  } catch (error) {
    const { reason, status } = refusalOf(error)
    // Shows the current state. Throws if the user has lost the right to see it.
    const managed = await about.see(app.db, caller, id)
    return show(app, reply, { ...opened, about, managed }, { error: reason, ...(kept && { kept }) }, status)
  }
}

interface Asked {
  of: 'people' | 'teams'
  page: string | undefined
}

type Opened = OpenedOrganization & { about: Manageable; managed: Managed }

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller, path: home, about, managed }: Opened,
  { of, page, ...more }: Said & Partial<Asked> & { kept?: Kept },
  status = 200,
): Promise<FastifyReply> {
  const { membership } = caller
  const { listMembers, listTeams } = organizationRights(membership)
  const path = home + about.below
  const [around, people, possible, teams] = await Promise.all([
    loadAround(app, caller, managed),
    loadPart(
      app,
      { path, filter: { of: 'people' }, page: of === 'people' ? page : '' },
      (asked) => listMemberGrants(app.db, managed.thing, asked),
      byGiving,
    ),
    listMembers ? listUngranted(app.db, managed.thing, mostPossible) : undefined,
    listTeams ? loadTeams(app, caller, managed, { path, page: of === 'teams' ? page : '' }) : undefined,
  ])
  const parts = { membership, managed, home, path, around, people, possible, teams, form: formToken(app, { session }) }
  return answerPage(reply, accessPage(placeOf(app), { ...parts, ...more }), status)
}

const byGiving = (row: { granted_at: Date; id: string }) => [row.granted_at.toISOString(), row.id]

async function loadTeams(app: App, { user }: Opener, { thing }: Managed, { path, page }: PartAsked) {
  const [given, possible] = await Promise.all([
    loadPart(
      app,
      { path, filter: { of: 'teams' }, page },
      (asked) => listTeamGrants(app.db, thing, user.id, asked),
      byGiving,
    ),
    listUngrantedTeams(app.db, thing, mostPossible),
  ])
  return { given, possible }
}

/** A collection that the current user may not see is not named, but the level that results from it is shown. */
async function loadAround(app: App, caller: Opener, { thing, everybody }: Managed): Promise<Around> {
  const up = everybody?.up ?? null
  const [found, level] = await Promise.all([
    up === null ? undefined : findCollectionFor(app.db, caller, up),
    findLevelIn(app.db, thing.organizationId, up),
  ])
  const isManaged = found !== undefined && collectionRights(found.role).admin
  return { collection: found?.collection, isManaged, level }
}
