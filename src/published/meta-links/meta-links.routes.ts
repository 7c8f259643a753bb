import type { Static } from 'typebox'
import { type Caller, findCallerOfToken } from '../../access/caller.ts'
import { pageWithId } from '../../audience/pages.ts'
import type { SiteReader } from '../../audience/reader.ts'
import { visiblePlaces } from '../../audience/snapshots/structure.ts'
import { visitorWith } from '../../audience/visitors/visitor.ts'
import type { SpaceRow } from '../../db/tables.ts'
import { notFound } from '../../http/errors.ts'
import type { App, Routes } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { type ContentParams, accessContent } from '../../pages/access.ts'
import { pageData } from '../../pages/entry-data.ts'
import { families } from '../../pages/families.ts'
import { readPage } from '../../pages/find.ts'
import { withGenerated } from '../../pages/generated.ts'
import { listSitesShowing } from '../../sites/published-place.ts'
import { listRolesIn } from '../../sites/queries.ts'
import type { Found } from '../links.ts'
import { metaLinksOf } from './meta-links.ts'
import { PageMetaLinks } from './meta-links.schema.ts'

/** Returns where readers find a page, and what it is in other languages: what a published page tells search engines. */
export const metaLinkRoutes: Routes = async (app) => {
  for (const { base, config, params, tags, where, operations } of families) {
    app.get(
      `${base}/page/:pageId/meta-links`,
      {
        config,
        schema: {
          operationId: operations.metaLinks,
          summary: `Get where a page ${where} is published, and in which other languages`,
          description:
            'As currently published. A page that no site shows, or that only some readers can see, has none.',
          tags,
          params: Type.Object({ ...params, pageId: Type.String() }),
          response: { 200: PageMetaLinks, ...refusals },
        },
      },
      async (request) => {
        const { pageId, ...names } = request.params as unknown as ContentParams & { pageId: string }
        const content = await accessContent(app, request.caller, names)
        const page = await readPage(app, await withGenerated(app, content, {}), pageId)
        if (!page) throw notFound('page')

        const found = await findPublished(app, request.caller, content.space, pageId)
        return found ? present(app, found) : {}
      },
    )
  }
}

/** Finds the page on the first site that shows it to the caller, as a visitor of whom nothing is known. */
async function findPublished(app: App, caller: Caller, space: SpaceRow, pageId: string): Promise<Found | undefined> {
  for await (const { snapshot, visitor } of readersFor(app, caller, space)) {
    const places = visiblePlaces(snapshot, visitor).filter(({ variant }) => variant.space.id === space.id)
    const place = places.find(({ variant }) => variant.isDefault) ?? places[0]
    if (!place) continue
    const pages = await app.audience.pages(place.variant.head)
    const page = pageWithId(pages, visitor, pageId)
    if (page && pageData(page).type === 'document') return { snapshot, visitor, place, pages, page }
  }
  return undefined
}

/**
 * A caller who reads through a site gets only that site. A member gets every site that shows the space, limited to the
 * spaces that the API shows them as well.
 */
async function* readersFor(app: App, caller: Caller, space: SpaceRow): AsyncGenerator<SiteReader> {
  if (caller.reader) return yield caller.reader
  const member = await findCallerOfToken(app.db, caller.token.id, space.organization_id)
  if (!member?.membership) return
  for (const siteId of await listSitesShowing(app.db, member.membership, space.id)) {
    const [snapshot, roles] = await Promise.all([
      app.audience.snapshots.get(siteId),
      listRolesIn(app.db, member.membership, siteId),
    ])
    if (snapshot) yield { snapshot, visitor: { ...visitorWith(snapshot, {}, {}), spaces: new Set(roles.keys()) } }
  }
}

async function present(app: App, found: Found): Promise<Static<typeof PageMetaLinks>> {
  const { site, path, alternates } = await metaLinksOf(app, found)
  return {
    canonical: { kind: 'url', url: site + path },
    ...(alternates.length > 0 && {
      alternates: alternates.map(({ place, page }) => ({
        kind: 'page' as const,
        page: page.entry,
        space: place.variant.space.id,
      })),
    }),
  }
}
