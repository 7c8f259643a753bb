import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SpaceAccess, accessSpace } from '../access/content.ts'
import { spaceRights } from '../access/rights.ts'
import { answerPage, leadTo } from '../account/answer.ts'
import { type Fields, fieldsOf, formToken } from '../account/forms.ts'
import { onlyOnce } from '../account/once.ts'
import { requireSession, requireSessionForm } from '../account/who.ts'
import { createChangeRequest } from '../change-requests/actions.ts'
import { type ChangeRequestFilter, listChangeRequests } from '../change-requests/queries.ts'
import type { Entry } from '../content/merge/entry.ts'
import type { SpaceRow } from '../db/tables.ts'
import type { Transaction } from '../db/transaction.ts'
import { appPage } from '../front/app-page.ts'
import { placeOf } from '../front/place.ts'
import { invalid, notFound } from '../http/errors.ts'
import type { App, Routes } from '../http/routes.ts'
import { write } from '../http/write.ts'
import { isId } from '../ids.ts'
import { pageData } from '../pages/entry-data.ts'
import { findCallerOfSession } from '../sessions/caller.ts'
import type { Session } from '../sessions/cookie.ts'
import { shortened } from '../shortened.ts'
import { listSpaces } from '../spaces/queries.ts'
import { firstPages } from './first-pages.ts'
import { type Opener, asNone, refusalIn } from './open.ts'
import { organizationPage, spacePage } from './space.page.ts'
import { pageIn } from './write.ts'

const mostListed = 200
const longestSubject = 100

/** Other names are of nothing, for everybody alike. */
const organizationPath = '/app/o/:organizationId(^[0-9a-f-]{36}$)'
const spacePath = `${organizationPath}/s/:spaceId(^[0-9a-f-]{36}$)`

interface Found {
  session: Session
  caller: Opener
}

/** How people with a browser get to change requests: the spaces of an organization, and what is under way in each. */
export const spacePages: Routes = async (app) => {
  app.get(organizationPath, async (request, reply) => {
    const found = await find(app, request, reply, requireSession)
    if (!found) return reply
    const { organization } = found.caller.membership
    const { rows, count } = await listSpaces(app.db, organization.id, found.caller.user.id, undefined, firstOnes)
    const spaces = rows.slice(0, mostListed)
    return answerPage(reply, organizationPage(placeOf(app), { organization, spaces, more: count - spaces.length }))
  })

  app.get(spacePath, async (request, reply) => {
    const found = await find(app, request, reply, requireSession)
    const access = found && (await openSpace(app, request, reply, found))
    return access ? show(app, reply, found, access) : reply
  })

  app.post(`${spacePath}/changes`, async (request, reply) => {
    const found = await find(app, request, reply, requireSessionForm)
    const access = found && (await openSpace(app, request, reply, found))
    if (!access) return reply
    const subject = (fieldsOf(request).subject ?? '').trim()
    try {
      const { space } = await accessSpace(app.db, found.caller, access.space.id, 'edit')
      if ([...subject].length > longestSubject)
        throw invalid('subject', 'maxLength', `at most ${longestSubject} characters`)
      const { number } = await write(request, (tx) => createChangeRequest(tx, space, { subject, description: null }))
      return leadTo(app, reply, `/app/o/${space.organization_id}/s/${space.id}/~/changes/${number}`)
    } catch (error) {
      const { reason, status } = refusalIn(error)
      return show(app, reply, found, access, { error: reason, subject }, status)
    }
  })

  app.post(`${spacePath}/edits`, async (request, reply) => {
    const found = await find(app, request, reply, requireSessionForm)
    const access = found && (await openSpace(app, request, reply, found))
    if (!access) return reply
    const fields = fieldsOf(request)
    try {
      const { space, main } = await accessSpace(app.db, found.caller, access.space.id, 'edit')
      const page = pageIn(await app.content.tree(main), fields.page)
      if (pageData(page).type !== 'document') throw notFound('page')
      const change = fields.change || (await write(request, (tx) => beginEdit(app, tx, space, page, fields)))
      if (!/^\d{1,9}$/.test(change)) throw notFound('change request')
      return leadTo(app, reply, `/app/o/${space.organization_id}/s/${space.id}/~/changes/${change}/pages/${page.entry}`)
    } catch (error) {
      const { reason, status } = refusalIn(error)
      return show(app, reply, found, access, { error: reason }, status)
    }
  })
}

/** Whoever clicks twice has begun one change request. */
function beginEdit(app: App, tx: Transaction, space: SpaceRow, page: Entry, fields: Fields): Promise<string> {
  return onlyOnce(tx, app.secrets, { userId: tx.by.actorId!, fields }, async () => {
    const subject = shortened(`Edit ${pageData(page).title}`, longestSubject)
    return String((await createChangeRequest(tx, space, { subject, description: null })).number)
  })
}

const underWay: ChangeRequestFilter = { statuses: ['draft', 'open'], orderBy: 'updatedAt' }
const firstOnes = { limit: mostListed, after: undefined }

/** Undefined where the answer is on its way. What is no organization of theirs is the page that nothing is at. */
async function find(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
): Promise<Found | undefined> {
  const { organizationId } = request.params as { organizationId: string }
  const session = isId(organizationId) ? await require(app, request, reply) : undefined
  if (isId(organizationId) && !session) return undefined
  const caller = session && (await findCallerOfSession(app.db, session.id, organizationId))
  if (!session || !caller?.membership) {
    answerPage(reply, appPage(placeOf(app)))
    return undefined
  }
  request.caller = caller
  return { session, caller: { ...caller, membership: caller.membership } }
}

async function openSpace(app: App, request: FastifyRequest, reply: FastifyReply, { caller }: Found) {
  const { organizationId, spaceId } = request.params as { organizationId: string; spaceId: string }
  const access = isId(spaceId) ? await accessSpace(app.db, caller, spaceId, 'view').catch(asNone) : undefined
  if (access?.space.organization_id === organizationId) return access
  answerPage(reply, appPage(placeOf(app)))
  return undefined
}

async function show(
  app: App,
  reply: FastifyReply,
  { session, caller }: Found,
  { space, role, main }: SpaceAccess,
  more: { error?: string; subject?: string } = {},
  status = 200,
): Promise<FastifyReply> {
  const list = await listChangeRequests(app.db, space.organization_id, space.id, underWay, firstOnes)
  const changes = list.rows.slice(0, mostListed)
  const parts = {
    organization: caller.membership.organization,
    space,
    changes,
    more: list.count - changes.length,
    mayWrite: spaceRights(role).edit,
    pages: firstPages(await app.content.tree(main)),
    own: changes.filter(({ creator }) => creator?.id === caller.user.id),
    form: formToken(app, { session }),
  }
  return answerPage(reply, spacePage(placeOf(app), { ...parts, ...kept(more) }), status)
}

const kept = ({ error, subject }: { error?: string; subject?: string }) => ({
  ...(error !== undefined && { error }),
  ...(subject !== undefined && { subject }),
})
