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

/** What was asked for, below a site. */
export interface Asked {
  segments: readonly string[]
  /** Whether it ended in a slash. */
  hasSlash: boolean
  /** It had slashes too many: whatever is there has another address. */
  isUntidy?: true
}

/** Where pages, and where they lay before, are looked up. */
export interface Sources {
  pages(at: Revision): SpacePages | Promise<SpacePages>
  formerPath(variant: Variant, path: string): Promise<FormerPath | undefined>
  /** Asked only where some are known. */
  formerPlaces(snapshot: SiteSnapshot, segments: readonly string[]): Promise<FormerPlace[]>
}

export type Resolution =
  | { kind: 'page'; place: Place; pages: SpacePages; page: Entry }
  /** Something of a variant that is no page: `~/files/…`. */
  | { kind: 'below'; place: Place; rest: readonly string[] }
  /** Elsewhere on the same site: `path` is encoded, below it. */
  | { kind: 'moved'; path: string; status: 307 | 308; behind?: Behind }
  | { kind: 'external'; url: string; status: 307 | 308 }
  | { kind: 'missing' }

/** What a redirect has behind the path: `?…` and `#…`, or nothing. */
export interface Behind {
  search: string
  hash: string
}

const missing: Resolution = { kind: 'missing' }

/** A page that moved may have been below one that moved, and so on. */
const mostSteps = 8

/**
 * What a visitor finds at a path of a site: a page, or where to go for it. What is there comes first, then where pages
 * lay before, then the site's own redirects, then what a section or variant of the same path covers, then where spaces
 * stood before, and for the site itself, the first place that has something. Whatever leads on leads to something that is
 * there, in one step: redirects cannot form a circle.
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

/** Where readers begin there may be nothing for this visitor: they begin at the first place that has something. */
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

/** The one address of a page. Another spelling of it leads there. */
function inPlace(snapshot: SiteSnapshot, visitor: Visitor, asked: Asked, found: Page): Resolution {
  const path = pathOfPage(snapshot, visitor, found)
  const isIt = !asked.isUntidy && path === asPath(asked.segments, asked.hasSlash)
  return isIt ? found : { kind: 'moved', path, status: 308 }
}

type Page = Extract<Resolution, { kind: 'page' }>

/** Where a page shows, encoded, below its site. That of a landing page is its variant's. */
export function pathOfPage(
  snapshot: SiteSnapshot,
  visitor: Visitor,
  { place, pages, page }: Omit<Page, 'kind'>,
): string {
  const isLanding = firstDocument(pages, visitor) === page
  const below = isLanding ? [] : slugsOf(pages.tree, page)
  return asPath(segmentsTo(snapshot, visitor, place, below), isLanding)
}

/** What has a place of its own, without any redirect. */
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
  /** The default is hidden from this visitor: where nothing is named, this one shows, at its own address. */
  standsIn: boolean
}

/** Which variant a path is in, and what is left of the path there. */
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

/** By its path, or by one that looks the same. */
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

/** Which variant a path is in, whether something is there or not. */
export const placeOfPath = (snapshot: SiteSnapshot, visitor: Visitor, segments: readonly string[]): Place | undefined =>
  placeAt(snapshot, visitor, segments)?.place

/** Where a path that leads to nothing leads on: to where its page went, where somebody pointed it, or its space went. */
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

/** The segments of what a redirect points to, as far as the visitor may see it. */
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

/** Where the page went that lay at this path, or below one that did. */
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
    // It was below that page once, and moved by itself before or since.
    path = slugs.join('/')
  }
  return undefined
}

/** A path within a variant. */
type Below = Pick<Chosen, 'place' | 'rest'>

/**
 * What a path would lead to if no section or variant were called like its beginning: one that was made later takes no
 * page away from those who come by the address that it had.
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

  // Without the way in which the path was read first of all.
  const nameOf = ({ place, rest }: Below) => `${place.variant.row.id} ${rest.length}`
  const others = new Map(all.flatMap((each) => (each ? [[nameOf(each), each]] : [])))
  const tried = placeAt(snapshot, visitor, segments)
  if (tried) others.delete(nameOf(tried))
  return [...others.values()]
}

/** Where the spaces are that stood at this path, or above it. */
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

/** The first of these that is there, or was before it was moved. */
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

/** What has pages below it ends in a slash, a page does not; the root of a site is nothing at all. */
function asPath(segments: readonly string[], hasSlash: boolean): string {
  return segments.length === 0 ? '' : encodePath(segments) + (hasSlash ? '/' : '')
}
