import { answerPage } from '../../account/answer.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { Routes } from '../../http/routes.ts'
import { searchOrganization } from '../../search/organization.ts'
import { openOrganization, organizationPath } from '../open.ts'
import { loadPart, partIn } from '../paging.ts'
import { longestQuery, searchPage } from './search.page.ts'

/** The search of the API, for members with a browser: in what they may read, published or not. */
export const workspaceSearch: Routes = async (app) => {
  app.get(`${organizationPath}/search`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSession)
    if (!opened) return reply
    const { membership } = opened.caller
    const { query: asked } = request.query as Record<string, unknown>
    const query = typeof asked === 'string' ? asked.trim().slice(0, longestQuery).toWellFormed() : ''
    const found =
      query === ''
        ? undefined
        : await loadPart(
            app,
            { path: `${opened.path}/search`, filter: { query }, page: partIn(request) },
            (part) => searchOrganization(app, membership, query, part),
            ({ position }) => position,
          )
    return answerPage(reply, searchPage(placeOf(app), { membership, query, found }))
  })
}
