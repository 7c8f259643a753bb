import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { notFound } from '../http/errors.ts'
import { listOf, pageOf, pageQuery, presentPage } from '../http/paging.ts'
import type { App, Routes } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { readPolicy } from '../pages/families.ts'
import { type Kind, file, findEntry, page } from '../revisions/entries.ts'
import { standInChangeRequest, standInSpace } from './access.ts'
import { readBacklinks } from './backlinks.ts'
import { linksOfBranch } from './branch.ts'
import { type Location, type Standpoint, loadLocations } from './locations.ts'
import { type MadePages, findMadePages, isMade } from './made.ts'
import { ContentLocation } from './schema.ts'

/** A route that lists what links to a page or a file, in a space or in a change request. */
interface Family {
  path: string
  operationId: string
  noun: 'page' | 'file'
  params: Record<string, TSchema>
  tag: string
}

const ofSpace = { spaceId: Type.String() }
const ofChangeRequest = { ...ofSpace, changeRequestId: Type.String() }

const families: Family[] = [
  {
    path: '/spaces/:spaceId/content/files/:fileId/backlinks',
    operationId: 'listSpaceFileBacklinks',
    noun: 'file',
    params: { ...ofSpace, fileId: Type.String() },
    tag: 'space-content',
  },
  {
    path: '/spaces/:spaceId/content/page/:pageId/backlinks',
    operationId: 'listSpacePageBacklinks',
    noun: 'page',
    params: { ...ofSpace, pageId: Type.String() },
    tag: 'space-content',
  },
  {
    path: '/spaces/:spaceId/change-requests/:changeRequestId/content/files/:fileId/backlinks',
    operationId: 'listChangeRequestFileBacklinks',
    noun: 'file',
    params: { ...ofChangeRequest, fileId: Type.String() },
    tag: 'change-request-content',
  },
  {
    path: '/spaces/:spaceId/change-requests/:changeRequestId/content/page/:pageId/backlinks',
    operationId: 'listChangeRequestPageBacklinks',
    noun: 'page',
    params: { ...ofChangeRequest, pageId: Type.String() },
    tag: 'change-request-content',
  },
]

interface Params {
  spaceId: string
  changeRequestId?: string
  pageId?: string
  fileId?: string
}

export const backlinkRoutes: Routes = async (app) => {
  for (const { path, operationId, noun, params, tag } of families) {
    app.get(
      path,
      {
        config: { policy: readPolicy },
        schema: {
          operationId,
          summary: `List what links to a ${noun}${'changeRequestId' in params ? ' of a change request' : ''}`,
          description: 'Each page once, including pages of other spaces that the caller can see.',
          tags: [tag],
          params: Type.Object(params),
          querystring: Type.Object(pageQuery),
          response: { 200: listOf(ContentLocation), ...refusals },
        },
      },
      async (request) => {
        const params = request.params as unknown as Params
        const from = await stand(app, request, params)
        const target = (params.pageId ?? params.fileId)!
        const made = noun === 'page' ? await findMadePages(app, from.changeRequest?.head ?? from.main) : undefined
        if (!isMade(made, target)) await requireEntry(app, from, target, noun)
        return answer(app, request, from, target, made)
      },
    )
  }
}

async function stand(app: App, request: FastifyRequest, { spaceId, changeRequestId }: Params): Promise<Standpoint> {
  if (changeRequestId === undefined) return standInSpace(app, request, { spaceId })
  return standInChangeRequest(app, request, { spaceId, changeRequestId })
}

async function requireEntry(app: App, from: Standpoint, id: string, noun: Family['noun']): Promise<void> {
  const kind: Kind = noun === 'page' ? page : file
  const found = await findEntry(app.db, from.changeRequest?.head ?? from.main, id)
  if (found?.kind !== kind) throw notFound(noun)
}

async function answer(
  app: App,
  request: FastifyRequest,
  from: Standpoint,
  target: string,
  made: MadePages | undefined,
) {
  const { caller } = request
  const { spaceId, main, changeRequest } = from
  const branch = changeRequest && (await linksOfBranch(app.db, { spaceId, main, head: changeRequest.head }))
  const page = pageOf(request)
  const list = await readBacklinks(app.db, { spaceId, main, userId: caller.user.id, target, branch, made }, page)
  const spots = list.rows.slice(0, page.limit).map(({ spaceId, source: entry }) => ({ spaceId, entry }))
  const show = await loadLocations(app, caller, from, spots)
  const { items, ...envelope } = presentPage(
    request,
    page,
    list,
    ({ line_id, source }) => [line_id, source],
    ({ spaceId, source: entry }) => show({ spaceId, entry }),
  )
  return { ...envelope, items: items.filter((item): item is Location => item !== undefined) }
}
