import type { Caller } from '../../access/caller.ts'
import { accessChangeRequest } from '../../change-requests/access.ts'
import { conflict, invalid, notFound } from '../../http/errors.ts'
import type { App } from '../../http/routes.ts'
import { isId } from '../../ids.ts'
import type { ClaimValues } from '../../sites/adaptive/claims.ts'
import { findSiteShowing } from '../../sites/queries.ts'
import { encodePath } from '../../sites/redirects/match.ts'
import { pageWithId } from '../pages.ts'
import { type Previewed, previewAddress, previewFor } from './preview.ts'
import { pathOfPage } from '../resolve.ts'
import { segmentsTo, visiblePlaces } from '../snapshots/structure.ts'

interface Wanted {
  site?: string
  page?: string
  claims: ClaimValues
}

/**
 * Returns the address where a browser sees a change request as a site will show it. `caller` must have the membership
 * of its organization.
 */
export async function addressOfChange(
  app: App,
  caller: Caller,
  names: { spaceId: string; changeRequestId: string },
  { site: siteId, page, claims }: Wanted,
): Promise<string> {
  const { space, changeRequest } = await accessChangeRequest(app.db, caller, names, 'view')
  const { membership } = caller
  if (membership?.organization.id !== space.organization_id) throw notFound('space')
  const isName = siteId === undefined || isId(siteId)
  const site = isName ? await findSiteShowing(app.db, membership, space.id, siteId) : undefined
  const snapshot = site && (await app.audience.snapshots.get(site.id))
  if (!snapshot) {
    if (siteId === undefined) throw shownNowhere()
    throw invalid('query.site', 'exists', 'is not a site that contains this space')
  }

  const change = { space: space.id, id: changeRequest.id }
  const preview = { site: site.id, organization: space.organization_id, claims, draft: false, change }
  const path = await pathIn(app, await previewFor(app, caller, snapshot, preview), space.id, page)
  return previewAddress(app, snapshot, path, preview, caller)
}

const shownNowhere = () =>
  conflict(
    'No site that you can see contains this space. Add the space to a site first; the site does not have to be published.',
  )

/** Returns the path of the space, or of a page in it. */
async function pathIn(app: App, { snapshot, visitor }: Previewed, spaceId: string, pageId: string | undefined) {
  const place = visiblePlaces(snapshot, visitor).find(({ variant }) => variant.space.id === spaceId)
  if (!place) throw shownNowhere()
  if (pageId === undefined) {
    const segments = segmentsTo(snapshot, visitor, place, [])
    return encodePath(segments) + (segments.length > 0 ? '/' : '')
  }
  const pages = await app.audience.pages(place.variant.head)
  const page = pageWithId(pages, visitor, pageId)
  if (!page) throw invalid('query.page', 'exists', 'is not a page of this change request that this visitor can see')
  return pathOfPage(snapshot, visitor, { place, pages, page })
}
