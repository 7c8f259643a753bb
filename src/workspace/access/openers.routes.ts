import type { FastifyRequest } from 'fastify'
import { findCollectionFor } from '../../access/content.ts'
import { organizationRights } from '../../access/rights.ts'
import { type Role, roles } from '../../access/roles.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { type EffectiveRole, listEffectiveRoles } from '../../grants/queries.ts'
import { asNone } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { type SitePermissionRow, listSitePermissions, positionIn } from '../../sites/permissions/queries.ts'
import { listTeamsById } from '../../teams/queries.ts'
import { type Opener } from '../open.ts'
import { type Manageable, type Managed, idOf, manageable } from './access.things.ts'
import { type OpenerRow, openersPage } from './openers.page.ts'
import { type Part, loadPart, partIn } from '../paging.ts'
import { searchIn } from '../people/searching.page.ts'

/** Lists everybody who can open a space, a collection or a site, and where their role comes from. */
export const workspaceOpeners: Routes = async (app) => {
  for (const each of manageable) register(app, each)
}

function register(app: App, about: Manageable): void {
  app.get(`${about.at}${about.below}/who`, async (request, reply) => {
    const opened = await about.open(app, request, reply, requireSession)
    if (!opened) return reply
    const { caller, path: home } = opened
    const managed = await about.see(app.db, caller, idOf(about, request)).catch(asNone)
    if (!managed) return leadTo(app, reply, home)
    const { membership } = caller
    const path = `${home}${about.below}/who`
    const asked = askedIn(request)
    const people = await load(app, managed, path, asked)
    const [teams, collections] = await Promise.all([loadTeams(app, caller, people), loadAround(app, caller, people)])
    const parts = { membership, managed, home, back: home + about.below, path, ...asked, people, teams, collections }
    return answerPage(reply, openersPage(placeOf(app), parts))
  })
}

interface Asked {
  role: Role | undefined
  search: string | undefined
  page: string | undefined
}

/** Ignores values that the API would refuse. */
function askedIn(request: FastifyRequest): Asked {
  const { role } = request.query as Record<string, unknown>
  return { role: roles.find((each) => each === role), search: searchIn(request), page: partIn(request) }
}

async function load(app: App, managed: Managed, path: string, { page, ...filter }: Asked): Promise<Part<OpenerRow>> {
  const { thing } = managed
  const asked = { path, filter, page }
  if (thing.type !== 'site')
    return loadPart(app, asked, (part) => listEffectiveRoles(app.db, thing, filter, part), byJoining)
  const site = { organization_id: thing.organizationId, id: thing.id }
  const sorted = { ...filter, sort: 'joinedAt', order: 'asc' } as const
  const part = await loadPart(app, asked, (part) => listSitePermissions(app.db, site, sorted, part), positionIn(sorted))
  return { ...part, rows: part.rows.map((row) => onSite(row, thing.id)) }
}

const byJoining = ({ joined_at, id }: EffectiveRole) => [joined_at.toISOString(), id]

/** Converts a row for a site. The permission is never null, because rows without one were not requested. */
const onSite = (row: SitePermissionRow, siteId: string): OpenerRow => ({
  ...row,
  permission: row.permission as Role,
  reason: row.reason ?? 'organization',
  said_on: row.reason && siteId,
})

/** The teams by id. Guests see none. */
async function loadTeams(app: App, { membership }: Opener, { rows }: Part<OpenerRow>) {
  if (!organizationRights(membership).listTeams) return new Map<string, never>()
  const ids = [...new Set(rows.flatMap(({ team_id }) => team_id ?? []))]
  return listTeamsById(app.db, membership.organization.id, membership.userId, ids)
}

/**
 * The collections that roles come from, if the current user may see them. They are few, since they contain each other.
 */
async function loadAround(app: App, caller: Opener, { rows }: Part<OpenerRow>) {
  const ids = [...new Set(rows.flatMap(({ said_on }) => said_on ?? []))]
  const found = await Promise.all(ids.map((id) => findCollectionFor(app.db, caller, id)))
  return new Map(found.flatMap((each) => (each ? [[each.collection.id, each.collection]] : [])))
}
