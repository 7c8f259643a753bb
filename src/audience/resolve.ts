import type { Entry } from '../content/merge/entry.ts'
import { composed, isPlain } from '../content/composed.ts'
import { pageData } from '../pages/entry-data.ts'
import type { Revision } from '../revisions/revision.ts'
import type { FormerPath } from '../sites/former-paths.ts'
import type { FormerPlace } from '../sites/former-places.ts'
import { encodePath, externalTarget } from '../sites/redirects/match.ts'
import { type SpacePages, firstDocument, pageAt, pageWithId, slugsOf } from './pages.ts'
import type { Level, Section, SiteRedirect, SiteSnapshot, Variant } from './snapshots/snapshot.ts'
import {
  type Place,
  firstVariant,
  placeWithId,
  seesSection,
  seesVariant,
  segmentsTo,
  visiblePlaces,
  visibleSections,
} from './snapshots/structure.ts'
import type { Visitor } from './visitors/visitor.ts'

/** A requested path below a site. */
export interface Asked {
  segments: readonly string[]
  /** Whether the path ended in a slash. */
  hasSlash: boolean
  /** The path had extra slashes, so what it leads to has another address. */
  isUntidy?: true
}

/** Where pages and their former paths are looked up. */
export interface Sources {
  pages(at: Revision): SpacePages | Promise<SpacePages>
  formerPath(variant: Variant, path: string): Promise<FormerPath | undefined>
  /** Called only if the site has former places. */
  formerPlaces(snapshot: SiteSnapshot, segments: readonly string[]): Promise<FormerPlace[]>
}

export type Resolution =
  | { kind: 'page'; place: Place; pages: SpacePages; page: Entry }
  /** Something in a variant that is not a page: `~/files/…`. */
  | { kind: 'below'; place: Place; rest: readonly string[] }
  /** Another place on the same site: `path` is encoded, and relative to the site. */
  | { kind: 'moved'; path: string; status: 307 | 308; behind?: Behind }
  | { kind: 'external'; url: string; status: 307 | 308 }
  | { kind: 'missing' }

/** What a redirect adds after the path: `?…` and `#…`, each possibly empty. */
export interface Behind {
  search: string
  hash: string
}

const missing: Resolution = { kind: 'missing' }

/** A moved page may have been below another moved page, and so on. */
const mostSteps = 8

/**
 * Finds what a visitor gets at a path of a site: a page, or where to go for it. Existing content comes first, then
 * former paths of pages, then the site's own redirects, then what a section or variant of the same path covers, then
 * former places of spaces, and for the root of the site, the first place that has something. Every redirect leads to
 * something that exists, in one step, so redirects cannot form a circle.
 */
export async function resolve(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  asked: Asked,
  sources: Sources,
): Promise<Resolution> {
  const found = await find(snapshot, visitor, asked.segments, sources)
  if (found.kind === 'page') return inPlace(snapshot, visitor, asked, found)
  if (found.kind !== 'missing') return found
  return (
    (await redirected(snapshot, visitor, asked.segments, sources, 0)) ??
    (await elsewhere(snapshot, visitor, asked, sources)) ??
    missing
  )
}

/** If the root of the site has nothing for this visitor, it leads to the first place that has something. */
async function elsewhere(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  { segments }: Asked,
  sources: Sources,
): Promise<Resolution | undefined> {
  if (segments.length > 0) return undefined
  for (const place of visiblePlaces(snapshot, visitor)) {
    const pages = await sources.pages(place.variant.head)
    const page = firstDocument(pages, visitor)
    if (page) return { kind: 'moved', path: pathOfPage(snapshot, visitor, { place, pages, page }), status: 307 }
  }
  return undefined
}

/** Each page has one address. Other spellings redirect to it. */
function inPlace(snapshot: SiteSnapshot, visitor: Visitor, asked: Asked, found: Page): Resolution {
  const path = pathOfPage(snapshot, visitor, found)
  const isIt = !asked.isUntidy && path === asPath(asked.segments, asked.hasSlash)
  return isIt ? found : { kind: 'moved', path, status: 308 }
}

type Page = Extract<Resolution, { kind: 'page' }>

/** Returns the encoded path of a page below its site. The landing page has the path of its variant. */
export function pathOfPage(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  { place, pages, page }: Omit<Page, 'kind'>,
): string {
  const isLanding = firstDocument(pages, visitor) === page
  const below = isLanding ? [] : slugsOf(pages.tree, page)
  return asPath(segmentsTo(snapshot, visitor, place, below), isLanding)
}

/** Finds what exists at a path, without any redirects. */
async function find(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  segments: readonly string[],
  sources: Sources,
): Promise<Resolution> {
  const chosen = placeAt(snapshot, visitor, segments)
  if (!chosen) return missing
  const { place, rest, standsIn } = chosen
  if (rest[0] === '~') return { kind: 'below', place, rest: rest.slice(1) }

  const loaded = sources.pages(place.variant.head)
  const pages = loaded instanceof Promise ? await loaded : loaded
  const page = rest.length === 0 ? firstDocument(pages, visitor) : pageAt(pages, visitor, rest)
  if (!page) return missing
  if (standsIn) return { kind: 'moved', path: asPath(segmentsTo(snapshot, visitor, place, []), true), status: 307 }
  const { type } = pageData(page)
  if (type === 'document') return { kind: 'page', place, pages, page }
  const first = type === 'group' ? firstDocument(pages, visitor, page.entry) : undefined
  if (!first) return missing
  return { kind: 'moved', path: pathOfPage(snapshot, visitor, { place, pages, page: first }), status: 307 }
}

interface Chosen {
  place: Place
  rest: readonly string[]
  /**
   * Whether this variant replaces a default that is hidden from the visitor, when none is named. It then shows at its
   * own address.
   */
  standsIn: boolean
}

/** Returns the variant that a path is in, and the rest of the path. */
function placeAt(snapshot: SiteSnapshot, visitor: Visitor, segments: readonly string[]): Chosen | undefined {
  const { sections, root } = snapshot
  if (sections.all.length === 0) return inLevel(root, visitor, segments, undefined)

  const [first] = segments
  const named = itemAt(sections, first)
  if (named && seesSection(named, visitor)) return inLevel(named.variants, visitor, segments.slice(1), named)
  const { default: usual } = sections
  if (usual && seesSection(usual, visitor)) return inLevel(usual.variants, visitor, segments, usual)
  const section = first === undefined ? visibleSections(snapshot, visitor)[0] : undefined
  const chosen = section && inLevel(section.variants, visitor, [], section)
  return chosen && { ...chosen, standsIn: true }
}

/** Finds an item by its path, or by one that looks the same. */
function itemAt<Item extends { path: string }>(level: Level<Item>, path: string | undefined): Item | undefined {
  if (path === undefined) return undefined
  const named = level.byPath.get(path)
  if (named || isPlain(path)) return named
  const wanted = composed(path)
  return level.all.find((item) => composed(item.path) === wanted)
}

function inLevel(
  level: Level<Variant>,
  visitor: Visitor,
  segments: readonly string[],
  section: Place['section'],
): Chosen | undefined {
  const [first] = segments
  const named = itemAt(level, first)
  if (named && seesVariant(named, visitor)) {
    return { place: { section, variant: named }, rest: segments.slice(1), standsIn: false }
  }
  const variant = firstVariant(level, visitor)
  const standsIn = variant !== level.default
  if (!variant || (standsIn && first !== undefined)) return undefined
  return { place: { section, variant }, rest: segments, standsIn }
}

/** Returns the variant that a path is in, whether anything exists at the path or not. */
export const placeOfPath = (snapshot: SiteSnapshot, visitor: Visitor, segments: readonly string[]): Place | undefined =>
  placeAt(snapshot, visitor, segments)?.place

/**
 * Finds where a path without content leads: to the new place of its page, to the target of a redirect, to what a
 * section or variant covers, or to the new place of its space.
 */
async function redirected(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  segments: readonly string[],
  sources: Sources,
  steps: number,
): Promise<Resolution | undefined> {
  if (steps > mostSteps) return undefined
  return (
    (await movedPage(snapshot, visitor, segments, sources)) ??
    (await pointedTo(snapshot, visitor, segments, sources, steps)) ??
    (await firstOf(snapshot, visitor, coveredAt(snapshot, visitor, segments), sources)) ??
    (await firstOf(snapshot, visitor, await leftFrom(snapshot, visitor, segments, sources), sources))
  )
}

async function pointedTo(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  segments: readonly string[],
  sources: Sources,
  steps: number,
): Promise<Resolution | undefined> {
  const matcher = visitor.seesDrafts ? snapshot.draftRedirects : snapshot.redirects
  const match = matcher.isEmpty ? undefined : matcher.find(encodePath(segments))
  if (!match) return undefined

  const { redirect, rest } = match
  const status = redirect.permanent ? 308 : 307
  if (redirect.destination.kind === 'external') {
    return { kind: 'external', url: externalTarget(redirect.destination.url, rest), status }
  }
  const target = await targetOf(snapshot, visitor, redirect, sources)
  if (!target) return undefined
  const leadsTo = [...target, ...rest]
  const found = await find(snapshot, visitor, leadsTo, sources)
  switch (found.kind) {
    case 'page':
      return { kind: 'moved', path: pathOfPage(snapshot, visitor, found), status }
    case 'moved':
      return { ...found, status }
    case 'missing':
      return redirected(snapshot, visitor, leadsTo, sources, steps + 1)
    default:
      return undefined
  }
}

/** Returns the path segments of a redirect's target, if the visitor may see it. */
async function targetOf(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  { destination }: SiteRedirect,
  sources: Sources,
): Promise<string[] | undefined> {
  switch (destination.kind) {
    case 'site-section': {
      const section = snapshot.sections.all.find(({ row }) => row.id === destination.siteSectionId)
      const variant = section && seesSection(section, visitor) ? firstVariant(section.variants, visitor) : undefined
      return variant && segmentsTo(snapshot, visitor, { section, variant }, [])
    }
    case 'site-space': {
      const place = placeWithId(snapshot, visitor, destination.siteSpaceId)
      return place && segmentsTo(snapshot, visitor, place, [])
    }
    case 'site-page': {
      const place = placeWithId(snapshot, visitor, destination.siteSpaceId)
      if (!place) return undefined
      const pages = await sources.pages(place.variant.head)
      const page = pageWithId(pages, visitor, destination.pageId)
      return page && segmentsTo(snapshot, visitor, place, slugsOf(pages.tree, page))
    }
    default:
      return undefined
  }
}

/** Returns the new place of the page that was at this path, or below a page that was. */
async function movedPage(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  segments: readonly string[],
  sources: Sources,
): Promise<Resolution | undefined> {
  const chosen = placeAt(snapshot, visitor, segments)
  if (!chosen || chosen.rest.length === 0) return undefined
  const { place } = chosen
  const pages = await sources.pages(place.variant.head)
  let path = chosen.rest.join('/')
  for (let step = 0; step < mostSteps; step++) {
    const former = await sources.formerPath(place.variant, path)
    const above = former && pageWithId(pages, visitor, former.entry)
    if (!above) return undefined
    const slugs = [...slugsOf(pages.tree, above), ...former.rest.split('/').filter(Boolean)]
    const found = await find(snapshot, visitor, segmentsTo(snapshot, visitor, place, slugs), sources)
    if (found.kind === 'page') return { kind: 'moved', path: pathOfPage(snapshot, visitor, found), status: 307 }
    if (found.kind === 'moved') return found
    if (found.kind !== 'missing' || slugs.join('/') === path) return undefined
    // It was below that page once, and has moved separately before or since.
    path = slugs.join('/')
  }
  return undefined
}

/** A path within a variant. */
type Below = Pick<Chosen, 'place' | 'rest'>

/**
 * Returns where a path would lead if no section or variant had the name it begins with. So a section or variant that is
 * added later does not hide a page from readers who use its former address.
 */
function coveredAt(snapshot: SiteSnapshot, visitor: Visitor, segments: readonly string[]): Below[] {
  const { sections, root } = snapshot
  const ways = (level: Level<Variant>, rest: readonly string[], section?: Section): (Below | undefined)[] => {
    const { default: usual } = level
    const whole = usual && seesVariant(usual, visitor) ? { place: { section, variant: usual }, rest } : undefined
    return [inLevel(level, visitor, rest, section), whole]
  }
  const inSection = (section: Section | undefined, rest: readonly string[]) =>
    section && seesSection(section, visitor) ? ways(section.variants, rest, section) : []
  const all =
    sections.all.length === 0
      ? ways(root, segments)
      : [...inSection(itemAt(sections, segments[0]), segments.slice(1)), ...inSection(sections.default, segments)]

  // Leaves out the way in which the path was read first.
  const nameOf = ({ place, rest }: Below) => `${place.variant.row.id} ${rest.length}`
  const others = new Map(all.flatMap((each) => (each ? [[nameOf(each), each]] : [])))
  const tried = placeAt(snapshot, visitor, segments)
  if (tried) others.delete(nameOf(tried))
  return [...others.values()]
}

/** Returns the current places of the spaces that were at this path, or above it. */
async function leftFrom(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  segments: readonly string[],
  sources: Sources,
): Promise<Below[]> {
  const former = snapshot.hasFormerPlaces ? await sources.formerPlaces(snapshot, segments) : []
  return former.flatMap(({ siteSpaceId, rest }) => {
    const place = placeWithId(snapshot, visitor, siteSpaceId)
    return place ? [{ place, rest }] : []
  })
}

/** Returns the first of these that exists, or existed before a page was moved. */
async function firstOf(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  all: readonly Below[],
  sources: Sources,
): Promise<Resolution | undefined> {
  for (const { place, rest } of all) {
    const leadsTo = segmentsTo(snapshot, visitor, place, rest)
    const found = await find(snapshot, visitor, leadsTo, sources)
    if (found.kind === 'page') return { kind: 'moved', path: pathOfPage(snapshot, visitor, found), status: 307 }
    if (found.kind === 'moved') return found
    if (found.kind === 'below') return { kind: 'moved', path: asPath(leadsTo, false), status: 307 }
    const page = await movedPage(snapshot, visitor, leadsTo, sources)
    if (page) return page
  }
  return undefined
}

/**
 * Joins segments to a path. What has pages below it ends in a slash, a page does not, and the root of a site is empty.
 */
function asPath(segments: readonly string[], hasSlash: boolean): string {
  return segments.length === 0 ? '' : encodePath(segments) + (hasSlash ? '/' : '')
}
