import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { type Page, listOf, pageOf, pageQuery, presentPage } from '../../http/paging.ts'
import { type App, type Routes, token } from '../../http/routes.ts'
import { refusals } from '../../http/schemas.ts'
import Type from '../../http/type.ts'
import { lexiconOf } from '../../search/words/lexicon.ts'
import { listLexicons } from '../../search/indexing/progress.queries.ts'
import type { RankedSpaces } from '../../search/in-spaces.queries.ts'
import { type Found, findFirst } from '../../search/search.ts'
import { keyOf, showPages } from '../../search/show.ts'
import type { Scope } from '../../search/scope.ts'
import { rankSpaces } from '../../search/spaces.queries.ts'
import { accessSite } from '../../sites/access.ts'
import { listRolesIn } from '../../sites/queries.ts'
import { pageWithId } from '../pages.ts'
import { pathOfPage } from '../resolve.ts'
import { FoundInSite, SiteSearch } from './search.schema.ts'
import {
  type Hidden,
  firstOfEach,
  headsOf,
  hiddenFrom,
  inSpaces,
  nothingHidden,
  placesToSearch,
  searchCurrent,
} from './search.ts'
import type { SiteSnapshot } from '../snapshots/snapshot.ts'
import { type Place, visiblePlaces } from '../snapshots/structure.ts'
import type { Visitor } from '../visitors/visitor.ts'

const sectionsOfPage = 3

export const siteSearchRoutes: Routes = async (app) => {
  app.post(
    '/orgs/:organizationId/sites/:siteId/search',
    {
      config: {
        policy: token('site:search', 'to see the site; only spaces that the caller can read are searched'),
        readers: true,
      },
      schema: {
        operationId: 'searchSiteContent',
        summary: 'Search the pages of a site',
        description:
          'Grouped by space, best match first; each space has its 10 best pages, each with its 3 best sections. `count` is the number of spaces.',
        tags: ['sites'],
        params: Type.Object({ organizationId: Type.String(), siteId: Type.String() }),
        querystring: Type.Object(pageQuery),
        body: SiteSearch,
        response: { 200: listOf(FoundInSite), ...refusals },
      },
    },
    async (request) => {
      const { siteId, organizationId } = request.params
      const asked = hash('sha256', JSON.stringify(request.body), 'base64url').slice(0, 16)
      const { after, limit } = pageOf(request)
      if (after && after[0] !== asked)
        throw new ApiError('invalid_page_token', 'This page token belongs to a different search.')
      const page = { limit, after: after?.slice(1) }

      const answer = await searchCurrent(app, siteId, async () => {
        const seen = await seeSite(app, request.caller, organizationId, siteId)
        const places = placesToSearch(seen.snapshot, seen.places, request.body)
        const result = await search(app, seen, places, request.body.query, page)
        // Nothing is hidden from members.
        return { result, heads: seen.isVisitor ? headsOf(places) : [] }
      })
      if (!answer) return { count: 0, items: [] }
      const positionOf = ({ score, id }: Row) => [asked, answer.way, score, id]
      return presentPage(request, page, { rows: answer.spaces, count: answer.count }, positionOf, answer.present)
    },
  )
}

/** A site as seen by the caller: members by their own rights, visitors by what the site shows them. */
interface Seen {
  snapshot: SiteSnapshot
  visitor: Visitor
  places: Place[]
  isVisitor: boolean
}

async function seeSite(app: App, caller: Caller, organizationId: string, siteId: string): Promise<Seen> {
  if (caller.reader) {
    const snapshot = await app.audience.snapshots.get(caller.reader.snapshot.site.id)
    if (!snapshot || snapshot.site.id !== siteId || snapshot.organization.id !== organizationId) throw notFound('site')
    const visitor = await app.audience.asSeen(snapshot, caller.reader.visitor)
    return { snapshot, visitor, places: visiblePlaces(snapshot, visitor), isVisitor: true }
  }
  const { membership } = await accessSite(app.db, caller, siteId, 'view')
  const [snapshot, roles] = await Promise.all([
    app.audience.snapshots.get(siteId),
    listRolesIn(app.db, membership, siteId),
  ])
  if (!snapshot) throw notFound('site')
  const all = [...snapshot.variants.values()].filter(({ space }) => roles.has(space.id))
  const sections = new Map(snapshot.sections.all.map((section) => [section.row.id, section]))
  const places = all.map((variant) => ({ section: sections.get(variant.row.section_id ?? ''), variant }))
  return { snapshot, visitor: { scope: undefined, isKnown: false }, places, isVisitor: false }
}

type Row = RankedSpaces['spaces'][number]

interface Answer extends RankedSpaces {
  way: number
  present: (row: Row) => Static<typeof FoundInSite>
}

async function search(app: App, seen: Seen, places: Place[], text: string, page: Page): Promise<Answer | undefined> {
  const { snapshot, visitor, isVisitor } = seen
  const organizationId = snapshot.organization.id
  if (places.length === 0) return undefined
  // A space that is in a site twice is shown at a place that readers can see, if there is one.
  const draftsLast = places.toSorted((a, b) => Number(a.variant.isDraft) - Number(b.variant.isDraft))
  const bySpace = firstOfEach(draftsLast)
  const hidden = isVisitor ? await allHidden(app, places, visitor) : nothingHidden
  const scope = inSpaces(organizationId, [...bySpace.keys()], hidden)
  const lexicons = [lexiconOf(null).name, ...(await listLexicons(app.db, scope))]
  const question = { text, scope, lexicons }
  const found = await findFirst(app.db, question, page, (sought, after) =>
    rankSpaces(app.db, scope, sought, page.limit, after),
  )
  if (!found) return undefined
  const present = await presenter(app, seen, bySpace, scope, found, page.limit)
  return { ...found.result, way: found.way, present }
}

async function allHidden(app: App, places: Place[], visitor: Visitor): Promise<Hidden> {
  const each = await Promise.all(places.map(({ variant }) => hiddenFrom(app, variant, visitor)))
  return { pages: each.flatMap(({ pages }) => pages), partly: each.flatMap(({ partly }) => partly) }
}

/** Presents results at the place where the site shows them. */
async function presenter(
  app: App,
  { snapshot, visitor, isVisitor }: Seen,
  bySpace: Map<string, Place>,
  scope: Scope,
  found: Found<RankedSpaces>,
  limit: number,
) {
  const shown = found.result.spaces.slice(0, limit)
  const ranked = shown.flatMap(({ pages }) => pages)
  const [details, trees] = await Promise.all([
    showPages(app, scope, ranked, found, sectionsOfPage),
    Promise.all(shown.map(async ({ id }) => [id, await app.audience.pages(bySpace.get(id)!.variant.head)] as const)),
  ])
  const pagesOf = new Map(trees)
  const base = snapshot.site.published ? app.audience.canonicalAddress(snapshot) : undefined

  const presentFound = (row: Row['pages'][number]) => {
    const place = bySpace.get(row.space_id)!
    const pages = pagesOf.get(row.space_id)!
    const detail = details.get(keyOf(row))
    const page = isVisitor ? pageWithId(pages, visitor, row.page_id) : pages.tree.byId.get(row.page_id)
    if (!detail || !page) return []
    const isShown = base !== undefined && !place.variant.isDraft
    const published = isShown && base + pathOfPage(snapshot, visitor, { place, pages, page })
    return { ...detail, urls: { ...detail.urls, ...(published && { published }) } }
  }
  return ({ id, score, pages }: Row) => ({
    type: 'space' as const,
    id,
    title: bySpace.get(id)!.variant.space.title,
    score,
    pages: pages.flatMap(presentFound),
  })
}
