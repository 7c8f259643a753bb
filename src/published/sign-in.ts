import type { FastifyReply } from 'fastify'
import { readReturnPath } from '../audience/addresses.ts'
import { clearCookie, writeCookie } from '../audience/cookies.ts'
import { signInUrl } from '../audience/sign-in-url.ts'
import { tokenOf } from '../audience/visitor.ts'
import type { App } from '../http/routes.ts'
import { describeNotice } from './headers.ts'
import { showNotice, signInFailed, signInNeeded, signedOut } from './notices.ts'
import { type Visit, publicBase, queryWithout } from './visit.ts'

/** How a visitor's token comes along in an address. */
export const tokenParameter = 'jwt_token'

/**
 * A visitor comes back from the site's own sign-in, with a token in the address. It leaves the address at once: there
 * it would be kept in histories and logs, and be passed on.
 */
export function takeToken(app: App, reply: FastifyReply, visit: Visit): FastifyReply {
  const { snapshot, jar, path, query } = visit
  const token = query.get(tokenParameter)!
  const read = tokenOf(app.secrets, snapshot, token)
  // Not back to the sign-in: one that signs with a wrong key would send them here again, for ever.
  if (!read && snapshot.site.visibility === 'visitor-auth')
    return showNotice(reply, signInFailed(signInUrl(snapshot, path)))
  if (read) reply.header('set-cookie', writeCookie(jar, 'visitor', token, read.expires - Date.now() / 1000))
  return leadTo(reply, publicBase(visit, false) + path + queryWithout(visit, tokenParameter))
}

/** Off to the site's own sign-in, which leads back to this path. */
export function askToSignIn(reply: FastifyReply, visit: Visit): FastifyReply {
  const address = signInUrl(visit.snapshot, visit.path)
  return address === undefined ? showNotice(reply, signInNeeded) : leadTo(reply, address)
}

/** `~/auth/login` and `~/auth/logout`, and the same below `~gitbook`. */
export function answerSignIn(reply: FastifyReply, visit: Visit): FastifyReply | undefined {
  const [, action] = /^(?:~|~gitbook)\/auth\/(login|logout)\/?$/.exec(visit.path) ?? []
  if (action === 'login') {
    return askToSignIn(reply, { ...visit, path: readReturnPath(visit.query.get('location') ?? '') })
  }
  return action === 'logout' ? signOut(reply, visit) : undefined
}

function signOut(reply: FastifyReply, { snapshot, jar }: Visit): FastifyReply {
  const kinds = ['visitor', 'claims', 'share', 'preview'] as const
  reply.header(
    'set-cookie',
    kinds.map((kind) => clearCookie(jar, kind)),
  )
  const { auth_logout_url: elsewhere } = snapshot.site
  // Written as it was typed in, and a header takes no letters of other scripts.
  return elsewhere === null ? showNotice(reply, signedOut) : leadTo(reply, new URL(elsewhere).href)
}

/** For one visitor, and for once. */
export function leadTo(reply: FastifyReply, location: string, status: 307 | 308 = 307): FastifyReply {
  return describeNotice(reply.code(status)).header('location', location).send('')
}
