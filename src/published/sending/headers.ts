import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { noticeStyle } from '../notices/notice-style.ts'

/**
 * Allows only what comes from the site itself, except images and media, which may come from anywhere. No inline script
 * or style.
 */
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

/** A notice contains its few lines of style itself, and no script at all. */
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
  /** Whether everybody gets the same answer: only then may caches store it. */
  isShared: boolean
  isIndexed: boolean
}

/** Returns how a page of this site may be cached and indexed. Without a site, and for refusals: not at all. */
export function mannerOf({ site }: SiteSnapshot, isKnown: boolean): Manner {
  const isOpen = site.visibility === 'public' || site.visibility === 'unlisted'
  return { isShared: isOpen && !isKnown, isIndexed: site.visibility === 'public' && !isKnown }
}

const refusal: Manner = { isShared: false, isIndexed: false }

export const cacheControl = ({ isShared }: Manner) => (isShared ? 'public, no-cache' : 'private, no-store')

/** Sets the headers of a page of a site, or of something else on it. */
export function describePage(
  reply: FastifyReply,
  manner: Manner,
  type = 'text/html; charset=utf-8',
  policy = pagePolicy,
): FastifyReply {
  // Cookies may change the page, so caches must keep the variants apart.
  if (manner.isShared) reply.header('vary', 'cookie, accept')
  if (!manner.isIndexed) reply.header('x-robots-tag', 'noindex')
  return reply.headers({
    'content-type': type,
    'content-security-policy': policy,
    // On sites that are not open to all, an address may contain a secret.
    'referrer-policy': manner.isShared ? 'strict-origin-when-cross-origin' : 'no-referrer',
    'cache-control': cacheControl(manner),
  })
}

/** Sets the headers of a notice or a redirect. */
export const describeNotice = (reply: FastifyReply) =>
  describePage(reply, refusal, 'text/html; charset=utf-8', withoutForm)

/**
 * Sets the headers of a notice that contains a form. Browsers report where a form comes from only if the referrer
 * policy of the page allows it.
 */
export function describeForm(reply: FastifyReply, action: string): FastifyReply {
  // A proxy may show the site on a different host than the one that receives the form.
  const targets = URL.canParse(action) ? `'self' ${new URL(action).origin}` : "'self'"
  const policy = noticePolicy(targets)
  return describePage(reply, refusal, 'text/html; charset=utf-8', policy).header('referrer-policy', 'same-origin')
}
