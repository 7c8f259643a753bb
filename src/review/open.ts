import { appPath } from '../app-path.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SpaceRight } from '../access/rights.ts'
import { answerPage } from '../account/answer.ts'
import type { requireSession } from '../account/who.ts'
import { type ChangeRequestAccess, accessChangeRequest } from '../change-requests/access.ts'
import { type ApiError, asNone } from '../http/errors.ts'
import { placeOf } from '../front/place.ts'
import type { App } from '../http/routes.ts'
import { isId } from '../ids.ts'
import { findCallerOfSession } from '../sessions/caller.ts'
import type { Session } from '../sessions/cookie.ts'
import { type Opener, showNothing, spacePath } from '../workspace/open.ts'
import { type Refusal, inPlainWords, refusalOf } from '../workspace/refusal.ts'
import { insteadPage } from './instead.page.ts'
import { inWords } from './refused-change.ts'

/** The page of a change request in the browser. Mails and the API refer to it by this address. */
export const changePath = `${spacePath}/~/changes/:changeRequestId`

interface Named {
  organizationId: string
  spaceId: string
  changeRequestId: string
}

/** A signed-in user, and a change request that they may read. */
export interface Opened {
  session: Session
  caller: Opener
  access: ChangeRequestAccess
  path: string
}

/**
 * Returns undefined if a response has already been sent. Everything after this is done in the name of the signed-in
 * user. `left` is text that they sent with one of our forms: they get it back even if they may no longer read the
 * change request.
 */
export async function openChange(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  require: typeof requireSession,
  left = '',
): Promise<Opened | undefined> {
  const session = await require(app, request, reply)
  if (!session) return undefined
  const { organizationId, spaceId, changeRequestId } = request.params as Named
  const caller =
    isId(organizationId) && isId(spaceId) ? await findCallerOfSession(app.db, session.id, organizationId) : undefined
  const access =
    caller && (await accessChangeRequest(app.db, caller, { spaceId, changeRequestId }, 'view').catch(asNone))
  if (!caller?.membership || access?.space.organization_id !== organizationId) {
    return handingBack(left, 'This change request')(app, reply)
  }
  request.caller = caller
  const path = appPath.change(organizationId, spaceId, access.changeRequest.number)
  return { session, caller: { ...caller, membership: caller.membership }, access, path }
}

/** Answers that something does not exist or is not visible to the user, and hands back the text they wrote for it. */
export const handingBack =
  (left: string, what: string): typeof showNothing =>
  (app, reply) => {
    if (left === '') return showNothing(app, reply)
    const said = {
      title: 'Your text was not saved',
      tone: 'danger',
      text: `${what} no longer exists, or you cannot see it. Copy your text.`,
      back: { label: 'To your account', path: '/account' },
      left,
    } as const
    answerPage(reply, insteadPage(placeOf(app), said), 404)
    return undefined
  }

export const accessAgain = (app: App, { caller, access }: Opened, right: SpaceRight) =>
  accessChangeRequest(app.db, caller, { spaceId: access.space.id, changeRequestId: access.changeRequest.id }, right)

export const refusalIn = (error: unknown): Refusal => refusalOf(error, reasonOf)

/** Error details name fields of the API, which are meant for programs, so they are translated for people. */
const reasonOf = (error: ApiError): string =>
  (error.type !== 'merge_rule' && error.details?.[0] && inWords(error.details[0])) || inPlainWords(error)
