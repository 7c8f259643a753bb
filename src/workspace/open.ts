import { appPath } from '../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Caller, type Membership, accessOrganization } from '../access/caller.ts'
import { type CollectionAccess, type SpaceAccess, accessCollection, accessSpace } from '../access/content.ts'
import { organizationRights } from '../access/rights.ts'
import { answerPage, leadTo } from '../account/answer.ts'
import type { requireSession } from '../account/who.ts'
import { appPage } from '../front/app-page.ts'
import { leadToPage } from '../front/page-instead.ts'
import { placeOf } from '../front/place.ts'
import { asNone } from '../http/errors.ts'
import type { App } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { findCallerOfSession } from '../sessions/caller.ts'
import type { Session } from '../sessions/cookie.ts'
import { type SiteAccess, accessSite } from '../sites/access.ts'

/** Other names are of nothing, for everybody alike. */
export const organizationPath = '/app/o/:organizationId(^[0-9a-f-]{36}$)'
export const spacePath = `${organizationPath}/s/:spaceId(^[0-9a-f-]{36}$)`
export const collectionPath = `${organizationPath}/c/:collectionId(^[0-9a-f-]{36}$)`
export const sitePath = `${organizationPath}/sites/:siteId(^[0-9a-f-]{36}$)`
export const sectionPath = `${sitePath}/sections/:sectionId(^[0-9a-f-]{36}$)`
export const menuPath = `${sitePath}/menus/:menuId(^[0-9a-f-]{36}$)`

/** Who looks at something, as a member of its organization. */
export type Opener = Caller & { membership: Membership }

/** Somebody who is signed in, in an organization of theirs. */
export interface OpenedOrganization {
  session: Session
  caller: Opener
  path: string
}

export interface OpenedSpace extends OpenedOrganization {
  access: SpaceAccess
}

export interface OpenedCollection extends OpenedOrganization {
  access: CollectionAccess
}

export interface OpenedSite extends OpenedOrganization {
  access: SiteAccess
}

/** Undefined where the answer is on its way. What is no organization of theirs is the page that nothing is at. */
export async function openOrganization(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
  nothing: typeof showNothing = showNothing,
): Promise<OpenedOrganization | undefined> {
  const { organizationId } = request.params as { organizationId: string }
  const session = isId(organizationId) ? await require(app, request, reply) : undefined
  if (isId(organizationId) && !session) return undefined
  // Nobody has looked at the form yet: what it brings may be the words of another website.
  if (!session) return showNothing(app, reply)
  const caller = await findCallerOfSession(app.db, session.id, organizationId)
  if (!caller?.membership) return nothing(app, reply)
  request.caller = caller
  return { session, caller: { ...caller, membership: caller.membership }, path: appPath.organization(organizationId) }
}

type Opening = Parameters<typeof openOrganization>

/** The same for administrators alone. Other members are led to what is theirs to see, and refused what they send. */
export const openAdministered = (...opening: Opening) => openWith(opening, 'admin', '')

/** The same for those who set up spaces and sites. Others are led to the sites that there are. */
export const openForMakers = (...opening: Opening) => openWith(opening, 'createContent', '/sites')

async function openWith(
  [app, request, reply, require]: Opening,
  right: 'admin' | 'createContent',
  others: string,
): Promise<OpenedOrganization | undefined> {
  const opened = await openOrganization(app, request, reply, require)
  if (!opened) return undefined
  if (organizationRights(opened.caller.membership)[right]) return opened
  if (request.method === 'POST') accessOrganization(opened.caller, right)
  leadTo(app, reply, opened.path + others)
  return undefined
}

/** The same for a space that they may read. `nothing`: what is answered where there is none for them. */
export async function openSpace(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
  nothing: typeof showNothing = showNothing,
): Promise<OpenedSpace | undefined> {
  const opened = await openOrganization(app, request, reply, require, nothing)
  if (!opened) return undefined
  const { organizationId, spaceId } = request.params as { organizationId: string; spaceId: string }
  const access = isId(spaceId) ? await accessSpace(app.db, opened.caller, spaceId, 'view').catch(asNone) : undefined
  if (access?.space.organization_id !== organizationId) return nothing(app, reply)
  return { ...opened, access, path: `${opened.path}/s/${spaceId}` }
}

/** The same for a collection that they may see. */
export async function openCollection(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedCollection | undefined> {
  const opened = await openOrganization(app, request, reply, require)
  if (!opened) return undefined
  const { organizationId, collectionId: id } = request.params as { organizationId: string; collectionId: string }
  const access = isId(id) ? await accessCollection(app.db, opened.caller, id, 'view').catch(asNone) : undefined
  if (access?.collection.organization_id !== organizationId) return showNothing(app, reply)
  return { ...opened, access, path: `${opened.path}/c/${id}` }
}

/** The same for a site that they may see. */
export async function openSite(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<OpenedSite | undefined> {
  const opened = await openOrganization(app, request, reply, require)
  if (!opened) return undefined
  const { siteId } = request.params as { siteId: string }
  const access = isId(siteId) ? await accessSite(app.db, opened.caller, siteId, 'view').catch(asNone) : undefined
  if (!access) return showNothing(app, reply)
  return { ...opened, access, path: `${opened.path}/sites/${siteId}` }
}

/** Undefined, as whoever opens something answers then. */
export function showNothing(app: App, reply: FastifyReply): undefined {
  answerNothing(app, reply)
}

export const answerNothing = (app: App, reply: FastifyReply): FastifyReply =>
  leadToPage(app, reply) ?? answerPage(reply, appPage(placeOf(app)), 404)
