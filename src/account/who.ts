import type { FastifyReply, FastifyRequest } from 'fastify'
import { pageInstead } from '../front/page-instead.ts'
import type { App } from '../http/routes.ts'
import { mayCreateOrganizations } from '../organizations/access.ts'
import { newSecret } from '../secrets.ts'
import { type Session, findSession, readCookie, setCookie } from '../sessions/cookie.ts'
import type { Author } from '../db/transaction.ts'
import { authorOf } from '../http/write.ts'
import { leadTo } from './answer.ts'
import { requireOwnForm } from './forms.ts'

/**
 * Returns the session of a signed-in person. Anybody else is redirected to sign in and then back, and the reply is
 * already sent.
 */
export async function requireSession(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  const session = await findSession(request)
  // A submitted form cannot be sent again after signing in, so it leads back to its page.
  const next = (request.method === 'POST' && pageInstead(app, request.url)) || request.url
  if (!session) leadTo(app, reply, '/login', { next })
  return session
}

/** The same for a form: requires a session, and that the form is ours. */
export async function requireSessionForm(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session | undefined> {
  const session = await requireSession(app, request, reply)
  if (session) requireOwnForm(app, request, { session })
  return session
}

const daySeconds = 86_400

/** Returns a secret that identifies a browser before anybody has signed in. Forms and codes are bound to it. */
export function knowBrowser(request: FastifyRequest, reply: FastifyReply): string {
  const known = readCookie(request, 'sign-in')
  const secret = known ?? newSecret()
  if (known === undefined) setCookie(reply, request, 'sign-in', secret, daySeconds)
  return secret
}

/** The author of changes by a signed-in person. No token is involved. */
export const authorWith = (request: FastifyRequest, { user }: Pick<Session, 'user'>): Author => ({
  ...authorOf(request),
  actorId: user.id,
})

/** A session limited to one organization could not open a new one. */
export const mayMakeOrganizations = ({ user, organizationId }: Session): boolean =>
  organizationId === null && mayCreateOrganizations(user)
