import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPage, leadTo } from '../account/answer.ts'
import { refusedPage } from '../account/refused.page.ts'
import { noteRefusedSignIn } from '../account/refused.ts'
import { knowBrowser } from '../account/who.ts'
import type { OidcConfig } from '../config.ts'
import { transaction } from '../db/transaction.ts'
import { placeOf } from '../front/place.ts'
import type { App, Routes } from '../http/routes.ts'
import { authorOf } from '../http/write.ts'
import { findSession, hasArrived, readCookie, setCookie, setSessionCookie } from '../sessions/cookie.ts'
import { readNext } from '../sessions/next.ts'
import { signInByAddress } from '../sessions/sign-in.ts'
import { callbackPath, startPath } from './addresses.ts'
import { admit } from './admit.ts'
import { type Begun, begin, findBegun, nextIn } from './begun.ts'
import { Provider, type Vouched } from './provider.ts'
import { LoginRefused } from './refusal.ts'
import { whyOf } from './why.ts'

/** The routes that a browser takes to the provider of this installation and back. */
export const oidcRoutes =
  (config: OidcConfig): Routes =>
  async (app) => {
    const provider = new Provider(config, () => app.url + callbackPath)
    const options = { exposeHeadRoute: false }
    app.setErrorHandler((error, request, reply) => showRefusal(app, error, request, reply))
    app.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
      app.limit?.count(request, reply)
    })

    app.get<{ Querystring: { next?: unknown } }>(startPath, options, async (request, reply) => {
      const login = begin(app.secrets, knowBrowser(request, reply), readNext(request.query.next))
      return reply.redirect(await provider.startAddress(login), 303)
    })

    app.get<{ Querystring: { state?: unknown } }>(callbackPath, options, async (request, reply) => {
      if (await hasArrived(request))
        return leadTo(app, reply, nextIn(app.secrets, String(request.query.state)) ?? '/account')
      const login = requireBegun(app, request, request.query.state)
      const vouched = await provider.vouch(new URL(request.url, app.url).search, login)
      const secret = await enter(app, request, config, vouched)
      setSessionCookie(reply, request, secret)
      setCookie(reply, request, 'sign-in', '', 0)
      return leadTo(app, reply, login.next ?? '/account')
    })
  }

function requireBegun(app: App, request: FastifyRequest, state: unknown): Begun {
  const browser = readCookie(request, 'sign-in')
  const begun = browser === undefined ? undefined : findBegun(app.secrets, browser, String(state))
  if (!begun) throw new LoginRefused('unknown-login')
  return begun
}

/** Returns the secret of the new session. */
async function enter(app: App, request: FastifyRequest, config: OidcConfig, vouched: Vouched): Promise<string> {
  const browser = {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    former: await findSession(request),
  }
  try {
    return await transaction(app.db, authorOf(request), async (tx) => {
      const holder = await admit(tx, config, vouched)
      return (await signInByAddress(tx, holder, 'oidc', browser)).secret
    })
  } catch (error) {
    if (error instanceof LoginRefused) noteRefusedSignIn(app, request, vouched.email, error.reason)
    throw error
  }
}

/** Shows an error page to the user. The details are logged. */
function showRefusal(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  // Other errors are shown as on any other page.
  if (!(error instanceof LoginRefused)) throw error
  const { reason, status, message, cause } = error
  request.log[status >= 500 ? 'error' : 'info']({ reason, why: whyOf(cause) }, 'a login was refused')
  const page = refusedPage(placeOf(app), {
    message,
    way: { label: 'Back to sign-in', address: placeOf(app).link('/login') },
    whom: 'the operator of this installation',
    requestId: request.id,
  })
  return answerPage(reply, page, status)
}
