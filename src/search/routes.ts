import { accessOrganization } from '../access/caller.ts'
import { accessSpace } from '../access/content.ts'
import { listOf, pageOf, presentPage } from '../http/paging.ts'
import { type Routes, token } from '../http/routes.ts'
import { refusals } from '../http/schemas.ts'
import Type from '../http/type.ts'
import { searchOrganization } from './organization.ts'
import { FoundPage, FoundSpace, SearchQuery } from './schema.ts'
import { searchSpace } from './space.ts'

export const searchRoutes: Routes = async (app) => {
  app.get(
    '/spaces/:spaceId/search',
    {
      config: { policy: token('space:read', 'the role read') },
      schema: {
        operationId: 'searchSpaceContent',
        summary: 'Search the pages of a space',
        description:
          'The best pages first, each with its 10 best sections. If only few pages match, the last word also matches the beginning of longer words; if none match, misspelt words are corrected. `count` is exact up to 1,000.',
        tags: ['spaces'],
        params: Type.Object({ spaceId: Type.String() }),
        querystring: SearchQuery,
        response: { 200: listOf(FoundPage), ...refusals },
      },
    },
    async (request) => {
      const { space } = await accessSpace(app.db, request.caller, request.params.spaceId, 'view')
      const page = pageOf(request)
      const found = await searchSpace(app, space, request.query.query, page)
      const list = presentPage(
        request,
        page,
        found,
        ({ position }) => position,
        (row) => row.page,
      )
      // A page that was deleted at this very moment is missing.
      return { ...list, items: list.items.filter((item) => item !== undefined) }
    },
  )

  app.get(
    '/orgs/:organizationId/search',
    {
      config: { policy: token('organization:search', 'to be a member; only what the caller can read is searched') },
      schema: {
        operationId: 'searchOrganizationContent',
        summary: 'Search the pages of an organization',
        description:
          'Grouped by space, best match first; each space has its 10 best pages, each with its best section. `count` is the number of spaces.',
        tags: ['organizations'],
        params: Type.Object({ organizationId: Type.String() }),
        querystring: SearchQuery,
        response: { 200: listOf(FoundSpace), ...refusals },
      },
    },
    async (request) => {
      const membership = accessOrganization(request.caller, 'view')
      const page = pageOf(request)
      const list = await searchOrganization(app, membership, request.query.query, page)
      return presentPage(
        request,
        page,
        list,
        ({ position }) => position,
        ({ space }) => space,
      )
    },
  )
}
