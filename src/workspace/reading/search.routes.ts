import { answerPage } from '../../account/answer.ts'
import { requireSession } from '../../account/who.ts'
import { placeOf } from '../../front/place.ts'
import type { Page, Position } from '../../http/paging.ts'
import type { App, Routes } from '../../http/routes.ts'
import { searchOrganization } from '../../search/organization.ts'
import { searchSpace } from '../../search/space.ts'
import { openOrganization, openSpace, organizationPath, spacePath } from '../open.ts'
import { loadPart, partIn } from '../paging.ts'
import { searchText } from '../search-text.ts'
import { longestQuery, searchPage, spaceSearchPage } from './search.page.ts'

/**
 * The searches of the API in the browser, for members. They cover all content that the caller may read, published or
 * not.
 */
export const workspaceSearch: Routes = async (app) => {
  app.get(`${organizationPath}/search`, async (request, reply) => {
    const opened = await openOrganization(app, request, reply, requireSession)
    if (!opened) return reply
    const { membership } = opened.caller
    const asked = await search(app, request, `${opened.path}/search`, (query, part) =>
      searchOrganization(app, membership, query, part),
    )
    return answerPage(reply, searchPage(placeOf(app), { membership, ...asked }))
  })

  app.get(`${spacePath}/~/search`, async (request, reply) => {
    const opened = await openSpace(app, request, reply, requireSession)
    if (!opened) return reply
    const { membership } = opened.caller
    const { space } = opened.access
    const asked = await search(app, request, `${opened.path}/~/search`, (query, part) =>
      searchSpace(app, space, query, part),
    )
    return answerPage(reply, spaceSearchPage(placeOf(app), { membership, space, ...asked }))
  })
}

/** Returns the query and the requested part of its results. Without a query, nothing is searched. */
async function search<Row extends { position: Position }>(
  app: App,
  request: { query: unknown },
  path: string,
  find: (query: string, part: Page) => Promise<{ rows: Row[]; count: number }>,
) {
  const { query: asked } = request.query as Record<string, unknown>
  const query = searchText(asked, longestQuery)
  if (query === '') return { query, found: undefined }
  const found = await loadPart(
    app,
    { path, filter: { query }, page: partIn(request) },
    (part) => find(query, part),
    ({ position }) => position,
  )
  return { query, found }
}
