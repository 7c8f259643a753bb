import type { FastifyReply } from 'fastify'
import type { App } from '../http/routes.ts'
import { placeOf } from './place.ts'

/**
 * Returns the page to show at an address that has none. Somebody who reloads the response to a form gets to an address
 * that only takes the form: it leads to the page with the form, or else to the nearest page above it. A slash at the
 * end is removed. Only the address counts, and the result is the same for everybody: it does not depend on what the
 * address names.
 */
export function pageInstead(app: App, url: string): string | undefined {
  const tidy = withoutSlash(app, url)
  if (tidy !== undefined) return tidy
  const bare = bareOf(url.split('?')[0]!)
  const found = app.routeAt(bare)
  if (!found?.methods.has('POST') || found.methods.has('GET')) return undefined
  if (found.page !== undefined) return filledIn(found.page, bare)
  return above(bare).find((each) => isPage(app, each))
}

/** Returns the address of a page without a slash at the end, if the given one has such a slash. */
function withoutSlash(app: App, url: string): string | undefined {
  const [path = '', ...query] = url.split('?')
  const bare = bareOf(path)
  return bare !== path && bare !== '' && isPage(app, bare) ? [bare, ...query].join('?') : undefined
}

const bareOf = (path: string) => path.replace(/(?<!\/)\/+$/, '')

/** For requests that found nothing: redirects to another page, or returns undefined if there is none. */
export const leadToPage = (app: App, reply: FastifyReply) => lead(app, reply, pageInstead)

/** The same for programs, which get an error for anything else that is wrong with an address. */
export const leadWithoutSlash = (app: App, reply: FastifyReply) => lead(app, reply, withoutSlash)

function lead(app: App, reply: FastifyReply, instead: typeof pageInstead): FastifyReply | undefined {
  const { method, url } = reply.request
  const page = method === 'GET' || method === 'HEAD' ? instead(app, url) : undefined
  if (page === undefined) return undefined
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
  return reply.redirect(placeOf(app).link(page), 303)
}

/** Whether a path is a page. Wildcard routes do not count, because they may have nothing at an address. */
function isPage(app: App, path: string): boolean {
  const found = app.routeAt(path)
  return found?.methods.has('GET') === true && !found.path.endsWith('*')
}

/** Returns the paths above, beginning with the nearest one. */
function above(path: string): string[] {
  const segments = path.split('/')
  return segments.map((_, at) => segments.slice(0, at).join('/')).filter((each) => each !== '').toReversed() // prettier-ignore
}

/** Fills the parameters in the route of a page with the segments of an address at the same positions. */
function filledIn(page: string, address: string): string {
  const said = address.split('/')
  const segments = page.split('/').map((segment, at) => (segment.startsWith(':') ? (said[at] ?? '') : segment))
  return segments.join('/')
}
