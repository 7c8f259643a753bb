import type { LinkRow } from '../../sites/structure/structure.ts'
import { conditionOf, isShown } from './conditions.ts'
import type { Level, Section, SiteSnapshot, Variant } from './snapshot.ts'
import type { Visitor } from '../visitors/visitor.ts'

/** A variant, and the section it stands in, where the site has sections. */
export interface Place {
  section: Section | undefined
  variant: Variant
}

/** What a visitor sees of how a site is built. A section of which no variant is left is not there. */
export function visibleSections({ sections }: SiteSnapshot, visitor: Visitor): Section[] {
  return sections.all.filter((section) => seesSection(section, visitor))
}

export function visibleVariants(level: Level<Variant>, visitor: Visitor): Variant[] {
  return level.all.filter((variant) => seesVariant(variant, visitor))
}

/** Everything a visitor may read. */
export function visiblePlaces(snapshot: SiteSnapshot, visitor: Visitor): Place[] {
  const at = (section: Section | undefined, level: Level<Variant>) =>
    visibleVariants(level, visitor).map((variant) => ({ section, variant }))
  return [
    ...at(undefined, snapshot.root),
    ...visibleSections(snapshot, visitor).flatMap((section) => at(section, section.variants)),
  ]
}

/** A variant by its id, for a visitor who may read it. */
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

/** What shows of a section where no variant of it is named: its default, or the first one that the visitor sees. */
export function firstVariant(level: Level<Variant>, visitor: Visitor): Variant | undefined {
  if (level.default && seesVariant(level.default, visitor)) return level.default
  return level.all.find((variant) => seesVariant(variant, visitor))
}

/**
 * What shows of a section for somebody who comes from another variant of the site: the one that is called the same, or
 * has the same path; else what shows of it anyhow. So whoever reads version 2 goes on reading version 2.
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

/** A link out of the site, among its sections. */
export const seesLink = ({ condition, draft }: LinkRow, { scope, seesDrafts }: Visitor): boolean =>
  isShown(conditionOf(condition), scope) && (!draft || seesDrafts === true)

/**
 * Where something is, below its site: the segments of the path. What is the default of its level is left out, unless
 * what follows would then be taken for a section or a variant.
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

/** What a site has for machines. It is there whatever pages are called. */
function isFileOfSite(segments: readonly string[]): boolean {
  const [name = ''] = segments
  return segments.length === 1 && /^(?:robots\.txt|sitemap(?:-\d{1,4})?\.xml|llms(?:-full)?\.txt)$/.test(name)
}

/** The same for everybody, whatever conditions hide from them; but nobody's address tells that there is a draft. */
function isTaken(
  level: Level<Section> | Level<Variant>,
  { seesDrafts = false }: Pick<Visitor, 'seesDrafts'>,
  [first]: readonly string[],
): boolean {
  const named = first === undefined ? undefined : level.byPath.get(first)
  return named !== undefined && (seesDrafts || !isDraft(named))
}

/** Of a section: all that stands in it. */
export const isDraft = (item: Section | Variant): boolean =>
  'variants' in item ? item.variants.all.every(isDraft) : item.isDraft
