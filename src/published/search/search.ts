import { asIndex, asIndexOf, findDrafted } from '../../audience/preview/drafted.ts'
import {
  type Hidden,
  firstOfEach,
  headsOf,
  hiddenFrom,
  inSpaces,
  placesToSearch,
  searchCurrent,
} from '../../audience/search/search.ts'
import { type SpacePages, isOffMenu, pageWithId } from '../../audience/pages.ts'
import { pathOfPage } from '../../audience/resolve.ts'
import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import { type Place, visiblePlaces, visibleSections, visibleVariants } from '../../audience/snapshots/structure.ts'
import type { Visitor } from '../../audience/visitors/visitor.ts'
import type { Entry } from '../../content/merge/entry.ts'
import { type Statement, sql } from '../../db/sql.ts'
import type { App } from '../../http/routes.ts'
import { pageData } from '../../pages/entry-data.ts'
import { lexiconOf } from '../../search/words/lexicon.ts'
import { listLexicons } from '../../search/indexing/progress.queries.ts'
import type { Sought } from '../../search/nodes.ts'
import { type Ranked, mostItems, rankPages } from '../../search/queries.ts'
import type { Scope } from '../../search/scope.ts'
import { type Mark, Needle } from '../../search/needle.ts'
import { type Found, findFirst } from '../../search/search.ts'
import { keyOf, showPages } from '../../search/show.ts'
import { shortened } from '../../shortened.ts'
import { titleAt } from '../site-title.ts'

/** What a reader asks: the words, and where to look. */
export interface Question {
  text: string
  /** A section; without one, all of them. */
  sectionId?: string
  /**
   * The variant where the reader is. In other sections, the default is searched. Ignored if the reader sees no such
   * place.
   */
  siteSpaceId?: string
  /** Which page of ten results, counted from one. */
  page?: number
}

export interface Hit {
  title: string
  href: string
  /** Where the page or part is, in words. */
  place: string
  text: string
  /** Whether this is a part of the page in the hit before it. */
  heading?: boolean
  /** Where in its title and its text the words were found. */
  marks?: { title: Mark[]; text: Mark[] }
}

export interface Answer {
  /** Number of pages found, up to a thousand. */
  count: number
  hits: Hit[]
}

interface Reader {
  snapshot: SiteSnapshot
  visitor: Visitor
  base: string
}

/** Number of found pages that are returned at once. */
export const mostPages = 10
const partsOfPage = 2
const longestQuestion = 512

/**
 * Searches what a reader of a site may find there. Nothing that a condition hides from them is revealed, not even as a
 * number.
 */
export async function searchSite(app: App, reader: Reader, question: Question): Promise<Answer> {
  const words = shortened(question.text, longestQuestion).trim()
  let now: Reader | undefined
  return searchCurrent(app, reader.snapshot.site.id, async () => {
    now = now ? await renewed(app, now) : reader
    const places = now ? placesFor(now, question) : []
    if (!now || places.length === 0) return { result: nothingFound, heads: [] }
    if (words === '') return { result: await suggest(app, now, places), heads: [] }
    const result = await searchIn(app, now, places, words, question.page ?? 1)
    const { main } = now.snapshot.draft ?? {}
    return { result, heads: [...headsOf(places), ...(main ? [main] : [])] }
  })
}

/** Returns the same reader with the current state of the site. */
async function renewed(app: App, { snapshot: { site, draft }, visitor, base }: Reader): Promise<Reader | undefined> {
  const known = await app.audience.snapshots.get(site.id)
  if (!known) return undefined
  const snapshot = (await draft?.renew(known)) ?? known
  return { snapshot, visitor: await app.audience.asSeen(snapshot, visitor), base }
}

const nothingFound: Answer = { count: 0, hits: [] }

/** Returns the places that are searched for a reader's question. */
export function placesFor(
  { snapshot, visitor }: Pick<Reader, 'snapshot' | 'visitor'>,
  { sectionId, siteSpaceId }: Pick<Question, 'sectionId' | 'siteSpaceId'>,
): Place[] {
  const seen = visiblePlaces(snapshot, visitor)
  const here = seen.some(({ variant }) => variant.row.id === siteSpaceId) ? { siteSpaceId } : {}
  const all = placesToSearch(snapshot, seen, here)
  return sectionId === undefined ? all : all.filter(({ section }) => section?.row.id === sectionId)
}

async function searchIn(
  app: App,
  reader: Reader,
  places: readonly Place[],
  words: string,
  page: number,
): Promise<Answer> {
  const { visitor } = reader
  const bySpace = firstOfEach(places)
  const each = await Promise.all([...bySpace.values()].map(({ variant }) => hiddenFrom(app, variant, visitor)))
  const hidden = { pages: each.flatMap(({ pages }) => pages), partly: each.flatMap(({ partly }) => partly) }
  const sources = await sourcesOf(app, reader, bySpace, hidden)
  const { scope } = sources
  const lexicons = [lexiconOf(null).name, ...sources.lexicons, ...(await listLexicons(app.db, scope))]
  // All results are ranked in any case. Those of earlier pages are cut off afterwards.
  const limit = page * mostPages
  const found = await findFirst(app.db, { text: words, scope, lexicons }, { limit, after: undefined }, (sought) =>
    sources.rank(sought, limit),
  )
  if (!found) return nothingFound

  const rows = found.result.rows.slice(limit - mostPages, limit)
  const shown = await sources.show(rows, found)
  const anchorsOf = new Map(hidden.partly.map(({ spaceId, pageId, anchors }) => [`${spaceId} ${pageId}`, anchors]))
  const hits: Hit[] = []
  for (const row of rows) {
    const detail = shown.get(keyOf(row))
    const place = bySpace.get(row.space_id)!
    const about = await describe(app, reader, place, row.page_id)
    if (!detail || !about) continue
    const [best] = detail.sections
    hits.push({ ...about, title: detail.title, text: best?.id === row.page_id || !best ? (best?.body ?? '') : '' })
    for (const part of detail.sections.filter(({ id }) => id !== row.page_id)) {
      hits.push({
        // A heading may consist of nothing but the name of another page.
        title: part.title || detail.title,
        href: `${about.href}#${anchorsOf.get(keyOf(row))?.get(part.id) ?? part.id}`,
        place: detail.title,
        text: part.body,
        heading: true,
      })
    }
  }
  return { count: found.result.count, hits: await marked(app, found, hits) }
}

/** What is searched: the index and, in a preview of a change request, also the pages that it changes. */
interface Sources {
  /** For the index. */
  scope: Scope
  lexicons: string[]
  rank(sought: Sought, limit: number): Promise<Ranked>
  show(rows: Ranked['rows'], found: Found<unknown>): ReturnType<typeof showPages>
}

async function sourcesOf(
  app: App,
  { snapshot: { draft, organization } }: Reader,
  bySpace: ReadonlyMap<string, Place>,
  hidden: Hidden,
): Promise<Sources> {
  const spaceIds = [...bySpace.keys()]
  const place = bySpace.get(draft?.spaceId ?? '')
  const drafted = place && draft?.main ? await findDrafted(app, place.variant, draft.main) : undefined
  if (!drafted) {
    const scope = inSpaces(organization.id, spaceIds, hidden)
    return {
      scope,
      lexicons: [],
      rank: (sought, limit) => rankPages(app.db, scope, sought, limit),
      show: (rows, found) => showPages(app, scope, rows, found, partsOfPage),
    }
  }

  const { spaceId, replaced } = drafted
  const scope = inSpaces(organization.id, spaceIds, { ...hidden, pages: [...hidden.pages, ...replaced] })
  const own = inSpaces(organization.id, [spaceId], hidden)
  const ownScope = (index: Statement): Scope => ({ ...own, tables: sql`${index}, ${own.tables!}`, isShort: true })
  return {
    scope,
    lexicons: [lexiconOf(place!.variant.space.language).name],
    async rank(sought, limit) {
      const both = await Promise.all([
        rankPages(app.db, scope, sought, limit),
        rankPages(app.db, ownScope(asIndex(organization.id, drafted, sought)), sought, limit),
      ])
      const rows = both.flatMap((ranked) => ranked.rows).toSorted(bestFirst)
      return { count: Math.min(mostItems, both[0].count + both[1].count), rows: rows.slice(0, limit + 1) }
    },
    async show(rows, found) {
      const isOwn = (row: Ranked['rows'][number]) => row.space_id === spaceId && drafted.pages.has(row.page_id)
      const ownRows = rows.filter(isOwn)
      const index = asIndexOf(organization.id, drafted, new Set(ownRows.map(({ page_id }) => page_id)))
      const ownPages = async (some: Ranked['rows']) => some.map(({ page_id }) => drafted.pages.get(page_id)!)
      const both = await Promise.all([
        showPages(
          app,
          scope,
          rows.filter((row) => !isOwn(row)),
          found,
          partsOfPage,
        ),
        showPages(app, ownScope(index), ownRows, found, partsOfPage, ownPages),
      ])
      return new Map(both.flatMap((shown) => [...shown]))
    },
  }
}

const bestFirst = (a: Ranked['rows'][number], b: Ranked['rows'][number]) =>
  b.score - a.score || (a.page_id < b.page_id ? -1 : 1)

async function marked(app: App, found: Found<unknown>, hits: Hit[]): Promise<Hit[]> {
  const texts = hits.flatMap(({ title, text }) => [title, text])
  const needle = await Needle.of(app.db, found, texts)
  return hits.map((hit) => ({ ...hit, marks: { title: needle.marks(hit.title), text: needle.marks(hit.text) } }))
}

/** Returns where a page is, for this reader. */
async function describe(app: App, reader: Reader, place: Place, pageId: string) {
  const { snapshot, visitor, base } = reader
  const pages = await app.audience.pages(place.variant.head)
  const page = pageWithId(pages, visitor, pageId)
  if (!page) return undefined
  const href = base + pathOfPage(snapshot, visitor, { place, pages, page })
  return { href, place: wayTo(reader, place, pages, page) }
}

/** Returns where a page is in words: the names of its place among those that the visitor sees, and the pages above it. */
export function wayTo(
  { snapshot, visitor }: Pick<Reader, 'snapshot' | 'visitor'>,
  place: Place,
  { tree }: SpacePages,
  page: Entry,
): string {
  const above: string[] = []
  for (let up = tree.byId.get(page.parent); up; up = tree.byId.get(up.parent)) above.unshift(pageData(up).title)
  return endsOf([...namesOf(snapshot, visitor, place), ...above]).join(' › ') || titleAt(snapshot, place)
}

/** Both ends of a long path are enough to say where a page is, and leave room for its words. */
function endsOf(way: string[]): string[] {
  return way.length > 3 ? [way[0]!, '…', way.at(-1)!] : way
}

/**
 * Returns the names that distinguish a place from the others of its site that the visitor sees. Empty if there is only
 * one.
 */
export function namesOf(snapshot: SiteSnapshot, visitor: Visitor, { section, variant }: Place): string[] {
  const level = section?.variants ?? snapshot.root
  const names = [
    ...(section && visibleSections(snapshot, visitor).length > 1 ? [section.row.title] : []),
    ...(visibleVariants(level, visitor).length > 1 ? [variant.title] : []),
  ]
  // A section and its first variant often have the same name.
  return [...new Set(names)]
}

/** Returns suggestions for an empty question: the pages where a reader would begin. */
async function suggest(app: App, reader: Reader, [first]: readonly Place[]): Promise<Answer> {
  const { tree } = await app.audience.pages(first!.variant.head)
  const hits: Hit[] = []
  for (const page of tree.roots.flatMap((root) => [root, ...tree.childrenOf(root.entry)])) {
    const { type, title, description } = pageData(page)
    if (type !== 'document' || isOffMenu(tree, page) || hits.length >= 6) continue
    const about = await describe(app, reader, first!, page.entry)
    if (about) hits.push({ ...about, title, text: description ?? '' })
  }
  return { count: hits.length, hits }
}
