import type { LinkRow } from '../../sites/structure/structure.ts'
import { conditionOf, isShown } from './conditions.ts'
import type { Level, Section, SiteSnapshot, Variant } from './snapshot.ts'
import type { Visitor } from '../visitors/visitor.ts'

/** A variant, and its section if the site has sections. */
export interface Place {
  section: Section | undefined
  variant: Variant
}

/** Returns the sections that a visitor sees. A section without any visible variant is left out. */
export function visibleSections({ sections }: SiteSnapshot, visitor: Visitor): Section[] {
  return sections.all.filter((section) => seesSection(section, visitor))
}

export function visibleVariants(level: Level<Variant>, visitor: Visitor): Variant[] {
  return level.all.filter((variant) => seesVariant(variant, visitor))
}

/** Returns all places that a visitor may read. */
export function visiblePlaces(snapshot: SiteSnapshot, visitor: Visitor): Place[] {
  const at = (section: Section | undefined, level: Level<Variant>) =>
    visibleVariants(level, visitor).map((variant) => ({ section, variant }))
  return [
    ...at(undefined, snapshot.root),
    ...visibleSections(snapshot, visitor).flatMap((section) => at(section, section.variants)),
  ]
}

/** Returns a variant by its id, if the visitor may read it. */
export function placeWithId(snapshot: SiteSnapshot, visitor: Visitor, variantId: string): Place | undefined {
  const variant = snapshot.variants.get(variantId)
  if (!variant) return undefined
  const section = sectionOf(snapshot, variant)
  if (!seesVariant(variant, visitor) || (section && !seesSection(section, visitor))) return undefined
  return { section, variant }
}

export function sectionOf({ sections }: SiteSnapshot, { row }: Variant): Section | undefined {
  return row.section_id === null ? undefined : sections.all.find((section) => section.row.id === row.section_id)
}

/** Returns what shows if no variant is named: the default, or the first one that the visitor sees. */
export function firstVariant(level: Level<Variant>, visitor: Visitor): Variant | undefined {
  if (level.default && seesVariant(level.default, visitor)) return level.default
  return level.all.find((variant) => seesVariant(variant, visitor))
}

/**
 * Returns what a section shows to a reader who comes from another variant of the site: the variant with the same title
 * or the same path, otherwise what it shows anyway. So a reader of version 2 stays in version 2.
 */
export function variantLike(level: Level<Variant>, visitor: Visitor, from: Variant): Variant | undefined {
  const visible = visibleVariants(level, visitor)
  return (
    visible.find((variant) => variant === from) ??
    visible.find(({ title }) => title === from.title) ??
    visible.find(({ path }) => path === from.path) ??
    firstVariant(level, visitor)
  )
}

export function seesSection(section: Section, visitor: Visitor): boolean {
  return isShown(section.condition, visitor.scope) && section.variants.all.some((each) => seesVariant(each, visitor))
}

export function seesVariant({ condition, isDraft, space, head }: Variant, visitor: Visitor): boolean {
  const { scope, spaces, seesDrafts, emptied } = visitor
  return (
    isShown(condition, scope) &&
    (!isDraft || seesDrafts === true) &&
    (spaces === undefined || spaces.has(space.id)) &&
    !emptied?.has(head.id)
  )
}

/** Whether a visitor sees an external link among the sections of a site. */
export const seesLink = ({ condition, draft }: LinkRow, { scope, seesDrafts }: Visitor): boolean =>
  isShown(conditionOf(condition), scope) && (!draft || seesDrafts === true)

/**
 * Returns the path segments of a place below its site. The default of a level is left out, unless what follows would
 * then be taken for a section or a variant.
 */
export function segmentsTo(
  snapshot: SiteSnapshot,
  visitor: Pick<Visitor, 'seesDrafts'>,
  { section, variant }: Place,
  below: readonly string[],
): string[] {
  const level = section?.variants ?? snapshot.root
  const isFree = variant.isDefault && !isTaken(level, visitor, below)
  const inLevel = isFree ? below : [variant.path, ...below]
  if (!section) return isFileOfSite(inLevel) ? [variant.path, ...below] : [...inLevel]
  const isAtRoot = section.isDefault && !isTaken(snapshot.sections, visitor, inLevel) && !isFileOfSite(inLevel)
  return isAtRoot ? [...inLevel] : [section.path, ...inLevel]
}

/** Whether this is one of a site's files for machines. They have priority over pages of the same name. */
function isFileOfSite(segments: readonly string[]): boolean {
  const [name = ''] = segments
  return segments.length === 1 && /^(?:robots\.txt|sitemap(?:-\d{1,4})?\.xml|llms(?:-full)?\.txt)$/.test(name)
}

/**
 * Whether a path would be taken for another item of the level. The same for all visitors, whatever conditions hide from
 * them. But drafts do not count, so that nobody's address reveals them, except for viewers who see drafts.
 */
function isTaken(
  level: Level<Section> | Level<Variant>,
  { seesDrafts = false }: Pick<Visitor, 'seesDrafts'>,
  [first]: readonly string[],
): boolean {
  const named = first === undefined ? undefined : level.byPath.get(first)
  return named !== undefined && (seesDrafts || !isDraft(named))
}

/** Whether an item is a draft. For a section: whether everything in it is. */
export const isDraft = (item: Section | Variant): boolean =>
  'variants' in item ? item.variants.all.every(isDraft) : item.isDraft
