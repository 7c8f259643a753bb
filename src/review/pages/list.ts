import type { FastifyReply } from 'fastify'
import { leadTo, pathWith } from '../../account/answer.ts'
import type { App } from '../../http/routes.ts'
import { soughtIn } from './tree.page.ts'

/** Where a page stands in the list of a change request. */
export const placeInList = (pageId: string) => `page-${pageId}`

/** What somebody looks for in the list, as an address says it once more; nothing where they look at all. */
export const findAgain = (sought: string) => ({ find: sought === '' ? undefined : sought })

/** That somebody was in the list, and at which page. */
export function listIn({ query }: { query: unknown }): string | undefined {
  const { pages } = query as { pages?: unknown }
  return typeof pages === 'string' && pages !== '' ? pages : undefined
}

interface InList {
  /** Of the change request. */
  path: string
  sought: string
  /** Where somebody was; undefined where that is gone. */
  page: string | undefined
}

const queryOf = ({ sought, page }: InList) => ({ ...findAgain(sought), pages: page ?? 'open' })

const partOf = ({ page }: InList) => (page === undefined ? 'pages' : placeInList(page))

/** The address of a change request with the list open, where somebody was in it. */
export const pathOfList = (list: InList): string => `${pathWith(list.path, queryOf(list))}#${partOf(list)}`

/** After a form about a page: the list is open where somebody was in it. */
export const leadToList = (app: App, reply: FastifyReply, list: Omit<InList, 'sought'>, done: string) => {
  const at = { ...list, sought: soughtIn(reply.request) }
  return leadTo(app, reply, list.path, { done, ...queryOf(at) }, partOf(at))
}
