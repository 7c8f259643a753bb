import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserRow } from '../db/tables.ts'
import { hashOf } from '../secrets.ts'
import { noteSeen } from './open.ts'
import { findLiveSession, lifeDays } from './queries.ts'

/** What our own pages remember of a browser: who signed in, and, before that, which browser is about to. */
type CookieName = 'session' | 'sign-in'

export interface Session {
  id: string
  user: UserRow
  /** Set: it gives rights in that organization only. */
  organizationId: string | null
}

/**
 * Nobody has shown yet that they read the address of the account. For whoever comes by single sign-on, the organization
 * answers for it.
 */
export const isMereClaim = ({ user, organizationId }: Session): boolean =>
  !user.email_verified && organizationId === null

const daySeconds = 86_400

/**
 * Scripts cannot read it, other websites cannot send it along with more than a link, and it is for this host alone: the
 * hosts of sites never get to see it. It opens our own pages; the API takes no cookie at all.
 */
export function setSessionCookie(reply: FastifyReply, request: FastifyRequest, secret: string): void {
  setCookie(reply, request, 'session', secret, lifeDays * daySeconds)
}

export function clearSessionCookie(reply: FastifyReply, request: FastifyRequest): void {
  setCookie(reply, request, 'session', '', 0)
}

/** Whoever is signed in with the browser that sent this, as the database knows them at this moment. */
export async function findSession(request: FastifyRequest): Promise<Session | undefined> {
  const secret = readCookie(request, 'session')
  if (secret === undefined) return undefined
  const { db, log } = request.server
  const found = await findLiveSession(db, hashOf(secret))
  if (!found) return undefined
  const { session_id: id, user_id, organization_id: organizationId, is_stale, ...user } = found
  // Nobody waits for it: that somebody was here is not worth a failed page.
  if (is_stale) {
    const seen = noteSeen(db, { id, user_id, organization_id: organizationId })
    seen.catch((error: unknown) => log.warn({ err: error }, 'a session was not marked as seen'))
  }
  return { id, user: { id: user_id, ...user }, organizationId }
}

/** Signed in, and with nothing begun since: in another tab, or the end of that login was loaded again. */
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

/** A secret of ours, or undefined: nothing else is worth a look. */
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

/** Where cookies travel over TLS only. A proxy in front of us may speak plain HTTP to us. */
const isSecure = (request: FastifyRequest) => request.protocol === 'https' || request.server.url.startsWith('https:')
