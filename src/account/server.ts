import { noteRefusal } from '../audit/trail.ts'
import { placeOf } from '../front/place.ts'
import { titleOf } from '../front/refusals.ts'
import { type ApiError, inSentence, readError } from '../http/errors.ts'
import { refuseUntilReady } from '../http/health.ts'
import type { Routes } from '../http/routes.ts'
import { oidcRoutes } from '../oidc/routes.ts'
import { answerPage } from './answer.ts'
import { takeForms } from './forms.ts'
import { invitePageRoutes } from './invite.routes.ts'
import { unsubscribeRoutes } from './mail.routes.ts'
import { noticePage } from './notice.page.ts'
import { accountRoutes } from './routes.ts'
import { signInRoutes } from './sign-in.routes.ts'

/**
 * The pages for people with an account: signing in, their account, joining, and the given other pages. They accept
 * forms and answer with pages.
 */
export const personalPages =
  (pages: readonly Routes[]): Routes =>
  async (app) => {
    takeForms(app)
    app.setErrorHandler((error, request, reply) => {
      const known = readError(error, request)
      return answerPage(reply.headers(known.headers), noticePage(placeOf(app), noticeOf(known)), known.status)
    })
    app.addHook('onRequest', async () => refuseUntilReady(app.health))
    app.addHook('onRequest', async (request, reply) => {
      if (request.method === 'POST') app.limit?.count(request, reply)
    })
    app.addHook('onResponse', noteRefusal)

    app.register(signInRoutes)
    if (app.config.oidc) app.register(oidcRoutes(app.config.oidc))
    app.register(accountRoutes)
    app.register(invitePageRoutes)
    app.register(unsubscribeRoutes)
    for (const each of pages) app.register(each)
  }

function noticeOf(error: ApiError) {
  const { status } = error
  const title = titleOf(status)
  const message = inSentence(error)
  if (status === 404) return { title, text: `${message} It may have been used, revoked or expired.` }
  if (status === 503) return { title, text: 'The server cannot answer right now. Try again in a moment.' }
  return { title, text: message }
}
