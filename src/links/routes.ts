import type { FastifyRequest } from 'fastify'
import { notFound } from '../http/errors.ts'
import { pageOf, presentPage } from '../http/paging.ts'
import type { App, Routes } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { readPolicy } from '../pages/families.ts'
import { type Entry, findEntry, page } from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import { standInChangeRequest, standInSpace } from './access.ts'
import { linksOfBranch, linksOfBranchPage } from './branch.ts'
import { type LinkQuestion, onMain, readLinks } from './list.ts'
import { type Standpoint, loadLocations } from './locations.ts'
import { findMadePages, isMade } from './made.ts'
import { presentLink, spotsOf } from './present.ts'
import { ChangeRequestLinksQuery, Links, LinksQuery } from './schema.ts'

const config = { policy: readPolicy }
const ofSpace = { spaceId: Type.String() }
const ofChangeRequest = { ...ofSpace, changeRequestId: Type.String() }
const ofPage = { pageId: Type.String() }
const ofMadePages =
  'Pages generated from a specification can be link targets. The links in their own text are not listed.'

export const linkRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/links',
    {
      config,
      schema: {
        operationId: 'listSpaceLinks',
        summary: 'List the links of a space',
        tags: ['spaces'],
        params: Type.Object(ofSpace),
        querystring: LinksQuery,
        response: { 200: Links, ...refusals },
      },
    },
    async (request) => {
      const from = await standInSpace(app, request, request.params)
      const made = await findMadePages(app, from.main)
      return answer(app, request, from, { status: request.query.status, made })
    },
  )

  app.get(
    '/spaces/:spaceId/content/page/:pageId/links',
    {
      config,
      schema: {
        operationId: 'listPageLinksInSpace',
        summary: 'List the links of a page of a space',
        description: ofMadePages,
        tags: ['space-content'],
        params: Type.Object({ ...ofSpace, ...ofPage }),
        querystring: LinksQuery,
        response: { 200: Links, ...refusals },
      },
    },
    async (request) => {
      const from = await standInSpace(app, request, request.params)
      const made = await findMadePages(app, from.main)
      const { pageId } = request.params
      if (!isMade(made, pageId)) await accessPage(app, from.main, pageId)
      return answer(app, request, from, { status: request.query.status, source: pageId, made })
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/links',
    {
      config,
      schema: {
        operationId: 'listChangeRequestLinks',
        summary: 'List the links of a space as changed by a change request',
        description: '`stats.broken.changeRequest` is the number of links that the change request would break.',
        tags: ['change-requests'],
        params: Type.Object(ofChangeRequest),
        querystring: ChangeRequestLinksQuery,
        response: { 200: Links, ...refusals },
      },
    },
    async (request) => {
      const from = await standInChangeRequest(app, request, request.params)
      const { status, brokenContext: brokenBy } = request.query
      const { head } = from.changeRequest
      const [branch, made] = await Promise.all([linksOfBranch(app.db, { ...from, head }), findMadePages(app, head)])
      return answer(app, request, from, { status, brokenBy, branch, made })
    },
  )

  app.get(
    '/spaces/:spaceId/change-requests/:changeRequestId/content/page/:pageId/links',
    {
      config,
      schema: {
        operationId: 'listPageLinksInChangeRequest',
        summary: 'List the links of a page of a change request',
        description: ofMadePages,
        tags: ['change-request-content'],
        params: Type.Object({ ...ofChangeRequest, ...ofPage }),
        querystring: LinksQuery,
        response: { 200: Links, ...refusals },
      },
    },
    async (request) => {
      const from = await standInChangeRequest(app, request, request.params)
      const { head } = from.changeRequest
      const made = await findMadePages(app, head)
      const { pageId } = request.params
      const branch = isMade(made, pageId)
        ? onMain
        : await linksOfBranchPage(app.db, { ...from, head }, await accessPage(app, head, pageId))
      return answer(app, request, from, { status: request.query.status, source: pageId, branch, made })
    },
  )
}

async function accessPage(app: App, at: Revision, id: string): Promise<Entry> {
  const entry = await findEntry(app.db, at, id)
  if (entry?.kind !== page) throw notFound('page')
  return entry
}

type Filter = Omit<LinkQuestion, 'spaceId' | 'main' | 'userId'>

async function answer(app: App, request: FastifyRequest, from: Standpoint, filter: Filter) {
  const { caller } = request
  const { spaceId, main } = from
  const page = pageOf(request)
  const list = await readLinks(app.db, { spaceId, main, userId: caller.user.id, ...filter }, page)
  const shown = list.rows.slice(0, page.limit)
  const show = await loadLocations(
    app,
    caller,
    from,
    shown.flatMap((row) => spotsOf(spaceId, row)),
  )
  const answer = presentPage(
    request,
    page,
    list,
    ({ source, ord }) => [source, ord],
    (row) => presentLink(spaceId, row, show),
  )
  return { ...answer, stats: list.stats }
}
