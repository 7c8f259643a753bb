import { requireMatch } from '../http/conditional.ts'
import { notFound } from '../http/errors.ts'
import { byAge, listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { Nothing, refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { write } from '../http/write.ts'
import { endSession, endSessions } from './open.ts'
import { presentSession } from './present.ts'
import { findSessionOf, listSessionsOf } from './queries.ts'
import { Session } from './schema.ts'

const ofSession = Type.Object({ sessionId: Type.String() })
const tags = ['sessions']

/**
 * Endpoints for the caller's own sessions. Sessions give no access to the API: these calls need a token, like all
 * others.
 */
export const sessionRoutes: Routes = async (app) => {
  app.get(
    '/user/sessions',
    {
      config: { policy: token('user:read', 'nothing more than a token') },
      schema: {
        operationId: 'listSessions',
        summary: 'List your browser sessions',
        tags,
        querystring: Type.Object(pageQuery),
        response: { 200: listOf(Session), ...refusals },
      },
    },
    async (request) => {
      const page = pageOf(request)
      const list = await listSessionsOf(app.db, request.caller.user.id, page)
      return presentPage(request, page, list, byAge, (row) => presentSession(row, app.url))
    },
  )

  app.delete(
    '/user/sessions',
    {
      config: { policy: token(null, 'a token without restricted scopes') },
      schema: {
        operationId: 'endAllSessions',
        summary: 'Sign out everywhere',
        description: 'Ends all of your browser sessions. API tokens keep working.',
        tags,
        response: { 204: Nothing('All sessions have ended'), ...refusals },
      },
    },
    async (request) => {
      await write(request, async (tx) => {
        await endSessions(tx, request.caller.user.id, null)
      })
    },
  )

  app.get(
    '/user/sessions/:sessionId',
    {
      config: { policy: token('user:read', 'to own the session') },
      schema: {
        operationId: 'getSession',
        summary: 'Get one of your sessions',
        tags,
        params: ofSession,
        response: { 200: Session, ...refusals },
      },
    },
    async (request) => {
      const found = await findSessionOf(app.db, request.caller.user.id, request.params.sessionId)
      if (!found) throw notFound('session')
      return presentSession(found, app.url)
    },
  )

  app.delete(
    '/user/sessions/:sessionId',
    {
      config: { policy: token(null, 'to own the session') },
      schema: {
        operationId: 'endSession',
        summary: 'Sign out one browser',
        tags,
        params: ofSession,
        response: { 204: Nothing('The session has ended'), ...refusals },
      },
    },
    async (request) => {
      const { user } = request.caller
      await write(request, async (tx) => {
        const found = await findSessionOf(tx, user.id, request.params.sessionId)
        if (!found) throw notFound('session')
        requireMatch(request, presentSession(found, app.url))
        await endSession(tx, user.id, found.id)
      })
    },
  )
}
