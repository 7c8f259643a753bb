import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SpaceAccess, accessSpace } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import type { requireSession } from '../../account/who.ts'
import { accessChangeRequest } from '../../change-requests/access.ts'
import { type ChangeRequest, branchHeadOf } from '../../change-requests/queries.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { CopyPlace } from '../../editing/copying/copying.ts'
import { notFound, asNone } from '../../http/errors.ts'
import type { Html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import { accessSpec } from '../../openapi/access.ts'
import type { Revision } from '../../revisions/revision.ts'
import type { Session } from '../../sessions/cookie.ts'
import { listSpacesToChoose } from '../../spaces/queries.ts'
import { type Opener, openSpace } from '../../workspace/open.ts'
import { nameOfSpace } from '../../workspace/spaces/space-name.ts'
import { openChange } from '../open.ts'
import { isOpen } from '../parts.ts'
import { nameOf } from '../write.ts'

/** A user who reads pages of a space or of a change request in it. */
export interface Source extends CopyPlace {
  session: Session
  caller: Opener
  access: SpaceAccess
  /** The change request in which the pages are read, if it can still be edited. */
  own: ChangeRequest | undefined
  /** Path of the page the user came from. */
  path: string
  name: Html | string
  /** Prefix of the addresses of the forms. */
  pagesPath: string
}

/** Returns undefined if a response has already been sent. */
export async function openSource(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<Source | undefined> {
  const { changeRequestId } = request.params as { changeRequestId?: string }
  if (changeRequestId === undefined) {
    const opened = await openSpace(app, request, reply, require)
    if (!opened) return undefined
    const { space, main } = opened.access
    const named = { own: undefined, name: nameOfSpace(space), pagesPath: `${opened.path}/~/pages` }
    return { ...opened, ...(await placeAt(app, space, main, main)), ...named }
  }
  const opened = await openChange(app, request, reply, require)
  if (!opened) return undefined
  const { space, main, changeRequest } = opened.access
  const own = isOpen(opened) ? changeRequest : undefined
  const named = { own, name: nameOf(changeRequest), pagesPath: `${opened.path}/pages` }
  return { ...opened, ...(await placeAt(app, space, branchHeadOf(changeRequest), main)), ...named }
}

export async function placeAt(app: App, space: SpaceRow, at: Revision, main: Revision): Promise<CopyPlace> {
  const [tree, mainTree] = await Promise.all([app.content.tree(at), app.content.tree(main)])
  return { space, at, tree, main: mainTree }
}

/** Where a copy goes: an existing change request, or a new one that begins with it. */
export interface Target extends CopyPlace {
  access: SpaceAccess
  change: ChangeRequest | undefined
}

export async function accessTarget(
  app: App,
  { caller }: Pick<Source, 'caller'>,
  { to, change }: { to: string; change: string },
): Promise<Target> {
  const access = await accessSpaceHere(app, caller, to, 'edit')
  const { space, main } = access
  if (change === '') return { ...(await placeAt(app, space, main, main)), access, change: undefined }
  const named = { spaceId: space.id, changeRequestId: change }
  const { changeRequest } = await accessChangeRequest(app.db, caller, named, 'edit')
  return { ...(await placeAt(app, space, branchHeadOf(changeRequest), main)), access, change: changeRequest }
}

/** Returns a space, which must belong to the organization the user is in. */
export async function accessSpaceHere(
  app: App,
  caller: Opener,
  id: string,
  right: 'view' | 'edit',
): Promise<SpaceAccess> {
  const access = isId(id) ? await accessSpace(app.db, caller, id, right) : undefined
  if (access?.space.organization_id !== caller.membership.organization.id) throw notFound('space')
  return access
}

/** More than anyone looks through. */
const mostSpaces = 2000

/** Lists the spaces that the user may read, in order, and whether they may write there. */
export async function listReadable(app: App, { membership }: Opener) {
  const { organization, userId } = membership
  const { rows } = await listSpacesToChoose(app.db, organization.id, userId, mostSpaces)
  return rows.map((space) => ({ space, mayWrite: spaceRights(space.role).edit }))
}

/** Whether the user may see a specification. One that they may not see must not appear on their pages. */
export const seesSpec = (app: App, caller: Opener) => async (slug: string) =>
  (await accessSpec(app.db, caller, slug).catch(asNone)) !== undefined
