import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { transaction } from '../db/transaction.ts'
import { placeOf } from '../front/place.ts'
import { ApiError, forbidden, notFound } from '../http/errors.ts'
import { isEmail } from '../http/formats.ts'
import type { App, Routes } from '../http/routes.ts'
import { authorOf } from '../http/write.ts'
import { nilId } from '../ids.ts'
import { accessOpenInvite } from '../invites/access.ts'
import { acceptInvite, admitNewcomer } from '../invites/actions.ts'
import { type Session, findSession, readCookie, setSessionCookie } from '../sessions/cookie.ts'
import { signIn } from '../sessions/sign-in.ts'
import { answerPage, leadTo } from './answer.ts'
import { fieldsOf, formToken, isBoundTo, isOvertaken, overtaken, requireOwnForm } from './forms.ts'
import { invitePage } from './invite.page.ts'
import { type InviteShown, findInviteShown } from './invite.queries.ts'
import { readName, wrongName } from './name.ts'
import { onlyOnce, twoClicksMs } from './once.ts'
import { openOnce } from './open-once.ts'
import { findWaysInOf } from './ways-in.ts'
import { authorWith, knowBrowser } from './who.ts'

interface InvitePath {
  Params: { secret: string }
}

/** The target of an invite link: leads through signing in, or creating an account, to joining. */
export const invitePageRoutes: Routes = async (app) => {
  app.get<InvitePath>('/invite/:secret', async (request, reply) => {
    const invite = await accessInvite(app, request.params.secret)
    return show(app, request, reply, invite, await findSession(request))
  })

  app.post<InvitePath>('/invite/:secret', async (request, reply) => {
    const { secret } = request.params
    const session = await findSession(request)
    const browser = readCookie(request, 'sign-in')
    // On a double click, the first request may have been answered before the second was sent. The person is then
    // already signed in.
    if (session && browser !== undefined && isBoundTo(app, { browser }, fieldsOf(request)))
      return leadTo(app, reply, (await findInviteShown(app.db, secret)) ? `/invite/${secret}` : '/account')
    if (!session && isOvertaken(app, request, browser)) {
      const { email = '', displayName = '' } = fieldsOf(request)
      const again = { email, displayName, error: overtaken, status: 403 }
      return show(app, request, reply, await accessInvite(app, secret), undefined, again)
    }
    requireOwnForm(app, request, session ? { session } : browser === undefined ? undefined : { browser })
    if (session) {
      await joinAs(app, request, session, secret)
      return leadTo(app, reply, '/account', { done: 'joined' })
    }

    const newcomer = readNewcomer(request)
    if ('error' in newcomer) return show(app, request, reply, await accessInvite(app, secret), undefined, newcomer)
    try {
      const opened = await joinAnew(app, request, newcomer, secret)
      if (opened !== undefined) setSessionCookie(reply, request, opened)
      return leadTo(app, reply, '/account', { done: 'joined' })
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'account_exists') throw error
      const invite = await accessInvite(app, secret)
      return show(app, request, reply, invite, undefined, { ...newcomer, error: error.message })
    }
  })
}

async function accessInvite(app: App, secret: string): Promise<InviteShown> {
  const invite = await findInviteShown(app.db, secret)
  if (!invite) throw notFound('invite')
  return invite
}

interface Newcomer {
  email: string
  displayName: string
}

function readNewcomer(request: FastifyRequest): Newcomer | (Newcomer & { error: string }) {
  const { email = '', displayName = '' } = fieldsOf(request)
  const newcomer = { email: email.trim(), displayName }
  if (!isEmail(newcomer.email)) return { ...newcomer, error: 'That is not an e-mail address.' }
  const name = readName(displayName)
  return name === undefined ? { ...newcomer, error: wrongName } : { ...newcomer, displayName: name }
}

/** A personal invite works once. The second request of a double click must not be told that the invite was used. */
async function joinAs(app: App, request: FastifyRequest, session: Session, secret: string): Promise<void> {
  const sent = { userId: session.user.id, fields: { ...fieldsOf(request), url: request.url } }
  await transaction(app.db, authorWith(request, session), (tx) => {
    tx.hold()
    const join = async () => {
      const invite = await accessOpenInvite(tx, secret, session.user.email)
      if (session.organizationId !== null && session.organizationId !== invite.organization_id) {
        throw forbidden('join another organization with a session of single sign-on')
      }
      await acceptInvite(tx, invite, callerOf(session))
      return { at: Date.now() }
    }
    return onlyOnce(tx, app.secrets, sent, join, ({ at }) => Date.now() - at < twoClicksMs)
  })
}

/** Creates an account, signed in with the browser that asked for it. */
async function joinAnew(app: App, request: FastifyRequest, newcomer: Newcomer, secret: string) {
  return transaction(app.db, authorOf(request), (tx) =>
    openOnce(tx, request, undefined, async (browser) => {
      const invite = await accessOpenInvite(tx, secret, newcomer.email)
      const holder = { user: await admitNewcomer(tx, invite, newcomer), organizationId: null }
      return { holder, opened: await signIn(tx, holder, 'invite', browser) }
    }),
  )
}

/** A session is not a token, so it cannot be barred. */
const callerOf = ({ user }: Session): Caller => ({
  user,
  token: { id: nilId, scopes: null },
  membership: undefined,
})

async function show(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  invite: InviteShown,
  session: Session | undefined,
  refused?: Newcomer & { error: string; status?: number },
): Promise<FastifyReply> {
  const holder = session ? { session } : { browser: knowBrowser(request, reply) }
  const waysIn = invite.only_sso
    ? await findWaysInOf(app.db, placeOf(app).link(''), { org: invite.organization_id })
    : []
  const page = invitePage(placeOf(app), {
    invite,
    path: request.url.split('?')[0]!,
    form: formToken(app, holder),
    session,
    waysIn,
    ...(refused && { error: refused.error, newcomer: refused }),
  })
  return answerPage(reply, page, refused ? (refused.status ?? 400) : 200)
}
