import type { FastifyReply } from 'fastify'
import type { App } from '../http/routes.ts'
import { placeOf } from './place.ts'

/**
 * The page that somebody looks for at an address without one. An address that only takes a form is reached by loading its
 * answer again: it leads to the page that the form is on, or else to the nearest one above. A slash at the end is one too
 * many. This goes by addresses alone, alike for everybody: it knows nothing of what they name.
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

/** The address of a page, where there is one slash too many behind it. */
function withoutSlash(app: App, url: string): string | undefined {
  const [path = '', ...query] = url.split('?')
  const bare = bareOf(path)
  return bare !== path && bare !== '' && isPage(app, bare) ? [bare, ...query].join('?') : undefined
}

const bareOf = (path: string) => path.replace(/(?<!\/)\/+$/, '')

/** For answers to whoever found nothing: undefined where there is no page instead. */
export const leadToPage = (app: App, reply: FastifyReply) => lead(app, reply, pageInstead)

/** The same for programs, which are told what else is wrong with an address. */
export const leadWithoutSlash = (app: App, reply: FastifyReply) => lead(app, reply, withoutSlash)

function lead(app: App, reply: FastifyReply, instead: typeof pageInstead): FastifyReply | undefined {
  const { method, url } = reply.request
  const page = method === 'GET' || method === 'HEAD' ? instead(app, url) : undefined
  if (page === undefined) return undefined
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
  return reply.redirect(placeOf(app).link(page), 303)
}

/** Routes that take whatever is below them may have nothing at an address. */
function isPage(app: App, path: string): boolean {
  const found = app.routeAt(path)
  return found?.methods.has('GET') === true && !found.path.endsWith('*')
}

/** From the nearest one on. */
function above(path: string): string[] {
  const segments = path.split('/')
  return segments.map((_, at) => segments.slice(0, at).join('/')).filter((each) => each !== '').toReversed() // prettier-ignore
}

/** The path of a page as its route declares it, with what an address beside it says. */
function filledIn(page: string, address: string): string {
  const said = address.split('/')
  const segments = page.split('/').map((segment, at) => (segment.startsWith(':') ? (said[at] ?? '') : segment))
  return segments.join('/')
}
