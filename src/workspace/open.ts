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

/** Paths with anything but an id lead to the not-found page, for everybody alike. */
export const organizationPath = '/app/o/:organizationId(^[0-9a-f-]{36}$)'
export const spacePath = `${organizationPath}/s/:spaceId(^[0-9a-f-]{36}$)`
export const collectionPath = `${organizationPath}/c/:collectionId(^[0-9a-f-]{36}$)`
export const sitePath = `${organizationPath}/sites/:siteId(^[0-9a-f-]{36}$)`
export const sectionPath = `${sitePath}/sections/:sectionId(^[0-9a-f-]{36}$)`
export const menuPath = `${sitePath}/menus/:menuId(^[0-9a-f-]{36}$)`

/** The current user, as a member of the organization of the object. */
export type Opener = Caller & { membership: Membership }

/** A user who is signed in, in one of their organizations. */
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

/**
 * Returns undefined if the request has already been answered. If the user is not in the organization, the answer is the
 * not-found page.
 */
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
  // Not `nothing`: the form has not been checked yet, so its values may come from another website.
  if (!session) return showNothing(app, reply)
  const caller = await findCallerOfSession(app.db, session.id, organizationId)
  if (!caller?.membership) return nothing(app, reply)
  request.caller = caller
  return { session, caller: { ...caller, membership: caller.membership }, path: appPath.organization(organizationId) }
}

type Opening = Parameters<typeof openOrganization>

/**
 * The same for administrators only. Other members are redirected to the page of the organization, and what they send is
 * refused.
 */
export const openAdministered = (...opening: Opening) => openWith(opening, 'admin', '')

/** The same for users who set up spaces and sites. Others are redirected to the list of sites. */
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

/** The same for a space that the user may read. `nothing` is the answer if there is none. */
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

/** The same for a collection that the user may see. */
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

/** The same for a site that the user may see. */
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

/** Answers with the not-found page. Returns undefined, as the functions that open something do then. */
export function showNothing(app: App, reply: FastifyReply): undefined {
  answerNothing(app, reply)
}

export const answerNothing = (app: App, reply: FastifyReply): FastifyReply =>
  leadToPage(app, reply) ?? answerPage(reply, appPage(placeOf(app)), 404)
