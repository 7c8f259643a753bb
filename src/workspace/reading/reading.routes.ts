import type { FastifyReply } from 'fastify'
import type { SpaceAccess } from '../../access/content.ts'
import { spaceRights } from '../../access/rights.ts'
import { reaches } from '../../access/roles.ts'
import { answerPage, leadTo } from '../../account/answer.ts'
import { formToken } from '../../account/forms.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import { asNone } from '../../http/errors.ts'
import type { Given } from '../../http/given.ts'
import type { App, Routes } from '../../http/routes.ts'
import { isDerived } from '../../openapi/generate/expand.ts'
import { accessContent } from '../../pages/access.ts'
import { withGenerated } from '../../pages/generated.ts'
import type { PageTree } from '../../pages/tree.ts'
import { type OpenedSpace, answerNothing, openSpace, spacePath } from '../open.ts'
import { drawPage } from './draw.ts'
import { type ReadFrom, readingPage } from './reading.page.ts'

/**
 * Serves the pages of a space, at the addresses that the API returns, to members who may read it. This includes
 * unpublished pages, pages that exist only in a change request, and earlier versions.
 */
export const workspaceReading: Routes = async (app) => {
  app.get(`${spacePath}/*`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { path } = opened
    const { '*': address } = request.params as { '*': string }
    const [, revision, inside] = /^~\/revisions\/([0-9a-f-]{36})(\/.*|$)/.exec(address) ?? []
    // The history shows what a revision changed.
    if (revision !== undefined && inside === '') return leadTo(app, reply, `${path}/~/history/${revision}`)
    if (address === '') return leadTo(app, reply, path)
    const shown = await showPage(app, reply, opened, { revision }, inside ?? address)
    return shown?.reply ?? answerNothing(app, reply)
  })
}

type OpenedContent = Pick<OpenedSpace, 'session' | 'caller' | 'path'> & { access: Pick<SpaceAccess, 'space' | 'role'> }

/** Answers with the page at an address below its content. Returns undefined if there is no such page. */
export async function showPage(
  app: App,
  reply: FastifyReply,
  opened: OpenedContent,
  from: ReadFrom,
  address: string,
): Promise<Given | undefined> {
  const { session, caller, path, access } = opened
  const slugs = address.split('/').filter((slug) => slug !== '')
  const found = await findPage(app, opened, from, slugs)
  if (!found) return undefined
  const mayWrite = spaceRights(access.role).edit
  const isWritten = from.revision === undefined && !isDerived(found.page.entry)
  const parts = {
    organization: caller.membership.organization,
    space: access.space,
    path,
    form: formToken(app, { session }),
    from,
    ...found,
    mayComment: spaceRights(access.role).comment,
    hasHistory: from.change === undefined && !isDerived(found.page.entry),
    mayWrite: mayWrite && isWritten,
    // The copy may go to another space. Members who may not write in any space are told so on the page for copying.
    mayCopy: (mayWrite || reaches(caller.membership.role, 'edit')) && isWritten,
  }
  return { reply: answerPage(reply, readingPage(placeOf(app), parts)) }
}

async function findPage(app: App, { caller, access }: OpenedContent, from: ReadFrom, slugs: string[]) {
  const { revision, change } = from
  const named = {
    spaceId: access.space.id,
    ...(revision !== undefined && { revisionId: revision }),
    ...(change !== undefined && { changeRequestId: String(change) }),
  }
  const read = await accessContent(app, caller, named).catch(asNone)
  if (!read) return undefined
  const content = await withGenerated(app, read, {})
  const found = pageAt(content.expanded?.tree, slugs) ?? pageAt(await app.content.tree(content.at), slugs)
  return found && { ...found, body: await drawPage(app, content, found.page) }
}

/**
 * Pages generated from a specification are in a tree of their own, in place of the page that they are generated for.
 */
function pageAt(tree: PageTree | undefined, slugs: string[]) {
  const page = tree?.at(slugs)
  return tree && page && { tree, page }
}
