import type { FastifyReply } from 'fastify'
import { leadTo, pathWith } from '../../account/answer.ts'
import type { App } from '../../http/routes.ts'
import { soughtIn } from './tree.page.ts'

/** Id of the element for a page in the list of a change request. */
export const placeInList = (pageId: string) => `page-${pageId}`

/** The search in the list as a query parameter; undefined if nothing is searched for. */
export const findAgain = (sought: string) => ({ find: sought === '' ? undefined : sought })

/** Reads from the address where the user was in the list of pages; undefined if they were not there. */
export function listIn({ query }: { query: unknown }): string | undefined {
  const { pages } = query as { pages?: unknown }
  return typeof pages === 'string' && pages !== '' ? pages : undefined
}

interface InList {
  /** Path of the change request. */
  path: string
  sought: string
  /** The page where the user was; undefined if it no longer exists. */
  page: string | undefined
}

const queryOf = ({ sought, page }: InList) => ({ ...findAgain(sought), pages: page ?? 'open' })

const partOf = ({ page }: InList) => (page === undefined ? 'pages' : placeInList(page))

/** Returns the address of a change request with the list open at the page where the user was. */
export const pathOfList = (list: InList): string => `${pathWith(list.path, queryOf(list))}#${partOf(list)}`

/** Redirects after a form about a page: the list is open at the page where the user was. */
export const leadToList = (app: App, reply: FastifyReply, list: Omit<InList, 'sought'>, done: string) => {
  const at = { ...list, sought: soughtIn(reply.request) }
  return leadTo(app, reply, list.path, { done, ...queryOf(at) }, partOf(at))
}
