import type { FastifyReply } from 'fastify'
import { readReturnPath } from '../audience/addresses.ts'
import { clearCookie, writeCookie } from '../audience/visitors/cookies.ts'
import { signInUrl } from '../audience/visitors/sign-in-url.ts'
import { skewSeconds } from '../audience/visitors/visitor-token.ts'
import { tokenOf } from '../audience/visitors/visitor.ts'
import type { App } from '../http/routes.ts'
import { describeNotice } from './sending/headers.ts'
import { previewLeft, showNotice, signInFailed, signInNeeded, signedOut } from './notices/notices.ts'
import { type Visit, publicBase, queryWithout } from './visit.ts'

/** The parameter of an address that contains a visitor's token. */
export const tokenParameter = 'jwt_token'

/** How long signing in may take. */
const askedSeconds = 3_600
const maxAsked = 1_500

/**
 * Handles a visitor who comes back from the site's own sign-in, with a token in the address. The token is removed from
 * the address at once: otherwise it would be kept in histories and logs, and be passed on.
 */
export function takeToken(app: App, reply: FastifyReply, visit: Visit): FastifyReply {
  const { snapshot, jar, path, query } = visit
  const token = query.get(tokenParameter)!
  const read = tokenOf(app.secrets, snapshot, token)
  // Not back to the sign-in: if it signs with a wrong key, it would send the visitor here again in an endless loop.
  if (!read && snapshot.site.visibility === 'visitor-auth')
    return showNotice(reply, signInFailed(signInUrl(snapshot, path)))
  // The cookie lasts as long as the token is accepted. If it ended sooner, the visitor would be sent to sign in again
  // in an endless loop.
  const seconds = read && read.expires + skewSeconds - Date.now() / 1000
  if (seconds !== undefined) reply.header('set-cookie', writeCookie(jar, 'visitor', token, seconds))
  return leadTo(
    reply,
    publicBase(visit, false) + path + (queryWithout(visit, tokenParameter) || askedBefore(reply, visit)),
  )
}

/**
 * Redirects to the site's own sign-in, which leads back to this path. The query is kept here in the meantime, because
 * most services append a question mark and the token to the address that they were given.
 */
export function askToSignIn(reply: FastifyReply, visit: Visit): FastifyReply {
  const address = signInUrl(visit.snapshot, visit.path)
  if (address === undefined) return showNotice(reply, signInNeeded)
  const asked = Buffer.from(visit.path + queryWithout(visit)).toString('base64url')
  if (visit.query.size > 0 && asked.length <= maxAsked)
    reply.header('set-cookie', writeCookie(visit.jar, 'asked', asked, askedSeconds))
  return leadTo(reply, address)
}

/** Returns the query with which the visitor was sent to sign in, if they come back to the same path. */
function askedBefore(reply: FastifyReply, visit: Visit): string {
  const asked = visit.cookie('asked')
  if (asked === undefined) return ''
  reply.header('set-cookie', clearCookie(visit.jar, 'asked'))
  const [path, ...query] = Buffer.from(asked, 'base64url').toString().split('?')
  return path === visit.path ? queryWithout({ query: new URLSearchParams(query.join('?')) }, tokenParameter) : ''
}

/** `~/auth/login` and `~/auth/logout`, and the same below `~gitbook`. */
export function answerSignIn(reply: FastifyReply, visit: Visit, isPreview: boolean): FastifyReply | undefined {
  const [, action] = /^(?:~|~gitbook)\/auth\/(login|logout)\/?$/.exec(visit.path) ?? []
  if (action === 'login') return askToSignIn(reply, returning(visit))
  if (action !== 'logout') return undefined
  return isPreview ? leavePreview(reply, visit) : signOut(reply, visit)
}

/** Returns the visit as if the address in `location` had been requested. */
function returning(visit: Visit): Visit {
  const [path = '', ...query] = readReturnPath(visit.query.get('location') ?? '')
    .split('#')[0]!
    .split('?')
  return { ...visit, path, query: new URLSearchParams(query.join('?')) }
}

/** Leads back to the published site. The visitor stays signed in there, and at the site's own sign-in. */
function leavePreview(reply: FastifyReply, { snapshot, jar, basePath }: Visit): FastifyReply {
  reply.header('set-cookie', clearCookie(jar, 'preview'))
  return snapshot.site.published ? leadTo(reply, basePath) : showNotice(reply, previewLeft)
}

function signOut(reply: FastifyReply, { snapshot, jar }: Visit): FastifyReply {
  const kinds = ['visitor', 'claims', 'share', 'preview', 'asked'] as const
  reply.header(
    'set-cookie',
    kinds.map((kind) => clearCookie(jar, kind)),
  )
  const { auth_logout_url: elsewhere } = snapshot.site
  // Stored as it was typed, but a header cannot contain letters of other scripts.
  return elsewhere === null ? showNotice(reply, signedOut) : leadTo(reply, new URL(elsewhere).href)
}

/** Redirects one visitor, once: the answer must not be cached. */
export function leadTo(reply: FastifyReply, location: string, status: 303 | 307 | 308 = 307): FastifyReply {
  return describeNotice(reply.code(status)).header('location', location).send('')
}
