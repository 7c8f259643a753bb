import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { noticeStyle } from '../notices/notice-style.ts'

/** Nothing but what comes from the site itself; only images and media may come from anywhere. No inline script or style. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "img-src 'self' http: https: data:",
  "media-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ')

/** A notice has its few lines of style in itself, and no script at all. */
const noticePolicy = (formAction: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', noticeStyle, 'base64')}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'self'",
  ].join('; ')

const withoutForm = noticePolicy("'none'")

export interface Manner {
  /** Whether everybody gets the same: only then may anybody keep it. */
  isShared: boolean
  isIndexed: boolean
}

/** How a page of this site may be kept and found. Without a site, and for refusals: not at all. */
export function mannerOf({ site }: SiteSnapshot, isKnown: boolean): Manner {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
  return { isShared: isOpen && !isKnown, isIndexed: site.visibility === 'public' && !isKnown }
}

const refusal: Manner = { isShared: false, isIndexed: false }

export const cacheControl = ({ isShared }: Manner) => (isShared ? 'public, no-cache' : 'private, no-store')

/** How a page of a site, or something else of it, goes out. */
export function describePage(
  reply: FastifyReply,
  manner: Manner,
  type = 'text/html; charset=utf-8',
  policy = pagePolicy,
): FastifyReply {
  // What a cookie says may change the page: whoever keeps it must tell the two apart.
  if (manner.isShared) reply.header('vary', 'cookie, accept')
  if (!manner.isIndexed) reply.header('x-robots-tag', 'noindex')
  return reply.headers({
    'content-type': type,
    'content-security-policy': policy,
    // The address of what is not open to all may hold a secret.
    'referrer-policy': manner.isShared ? 'strict-origin-when-cross-origin' : 'no-referrer',
    'cache-control': cacheControl(manner),
  })
}

/** A notice, or a redirect. */
export const describeNotice = (reply: FastifyReply) =>
  describePage(reply, refusal, 'text/html; charset=utf-8', withoutForm)

/** A notice with a form in it. Browsers say where a form comes from only if they may say so of the page. */
export function describeForm(reply: FastifyReply, action: string): FastifyReply {
  // A proxy may show the site on another host than the one that is asked for the form.
  const targets = URL.canParse(action) ? `'self' ${new URL(action).origin}` : "'self'"
  const policy = noticePolicy(targets)
  return describePage(reply, refusal, 'text/html; charset=utf-8', policy).header('referrer-policy', 'same-origin')
}
