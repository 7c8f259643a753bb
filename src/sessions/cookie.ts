import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserRow } from '../db/tables.ts'
import { hashOf } from '../secrets.ts'
import { noteSeen } from './open.ts'
import { findLiveSession, lifeDays } from './queries.ts'

/** The cookies that our own pages set: one for the signed-in user, and one for the browser before it signs in. */
type CookieName = 'session' | 'sign-in'

export interface Session {
  id: string
  user: UserRow
  /** If set, the session gives rights in that organization only. */
  organizationId: string | null
}

/**
 * Whether nobody has proved yet that they read the address of the account. For users who sign in by single sign-on, the
 * organization vouches for it.
 */
export const isMereClaim = ({ user, organizationId }: Session): boolean =>
  !user.email_verified && organizationId === null

const daySeconds = 86_400

/**
 * Sets the session cookie. Scripts cannot read it, other websites can only send it along when a link is followed, and
 * it is for this host alone: the hosts of sites never receive it. It gives access to our own pages. The API accepts no
 * cookies.
 */
export function setSessionCookie(reply: FastifyReply, request: FastifyRequest, secret: string): void {
  setCookie(reply, request, 'session', secret, lifeDays * daySeconds)
}

export function clearSessionCookie(reply: FastifyReply, request: FastifyRequest): void {
  setCookie(reply, request, 'session', '', 0)
}

/** Returns the session of the browser that sent this request, with the user as currently stored in the database. */
export async function findSession(request: FastifyRequest): Promise<Session | undefined> {
  const secret = readCookie(request, 'session')
  if (secret === undefined) return undefined
  const { db, log } = request.server
  const found = await findLiveSession(db, hashOf(secret))
  if (!found) return undefined
  const { session_id: id, user_id, organization_id: organizationId, is_stale, ...user } = found
  // Not awaited: the page must not fail because the visit could not be recorded.
  if (is_stale) {
    const seen = noteSeen(db, { id, user_id, organization_id: organizationId })
    seen.catch((error: unknown) => log.warn({ err: error }, 'a session was not marked as seen'))
  }
  return { id, user: { id: user_id, ...user }, organizationId }
}

/**
 * Whether the browser is signed in and has begun no other sign-in since: the user signed in in another tab, or reloaded
 * the end of the sign-in.
 */
export const hasArrived = async (request: FastifyRequest): Promise<boolean> =>
  readCookie(request, 'sign-in') === undefined && (await findSession(request)) !== undefined

export function setCookie(
  reply: FastifyReply,
  request: FastifyRequest,
  name: CookieName,
  value: string,
  maxAgeSeconds: number,
): void {
  const secure = isSecure(request) ? '; Secure' : ''
  const cookie = `${nameOf(request, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
  reply.header('set-cookie', cookie)
}

/** Returns the value of the cookie if it looks like one of our secrets. Anything else is ignored. */
export function readCookie(request: FastifyRequest, name: CookieName): string | undefined {
  const wanted = nameOf(request, name)
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at === -1 || pair.slice(0, at).trim() !== wanted) continue
    const value = pair.slice(at + 1).trim()
    return /^[\w-]{43}$/.test(value) ? value : undefined
  }
  return undefined
}

/** Over TLS, a name that only this host itself can have set. */
const nameOf = (request: FastifyRequest, name: CookieName) => `${isSecure(request) ? '__Host-' : ''}lectern-${name}`

/** Whether cookies travel over TLS only. A proxy in front of us may use plain HTTP to reach us. */
const isSecure = (request: FastifyRequest) => request.protocol === 'https' || request.server.url.startsWith('https:')
