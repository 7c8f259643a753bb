import { byPosition } from '../../content/positions.ts'
import type { SiteExternalLinkRow, SiteSectionGroupRow, SiteSectionRow, SiteSpaceRow } from '../../db/tables.ts'

/**
 * How a site is built: its spaces are at the root or in sections, and sections are in groups or outside of them. If
 * there are sections, links to other websites can be placed among them.
 */

/**
 * A space in a site, with the fields needed from the space itself. A space in the trash keeps its place but is not
 * shown.
 */
export type PlacedSpace = Omit<SiteSpaceRow, 'customization' | 'created_at'> & {
  space_title: string
  in_trash: boolean
}
export type SectionRow = Omit<SiteSectionRow, 'created_at'>
export type GroupRow = Omit<SiteSectionGroupRow, 'created_at'>
export type LinkRow = Omit<SiteExternalLinkRow, 'created_at'>

/** All rows of a site's structure, unordered. */
export interface Skeleton {
  groups: GroupRow[]
  sections: SectionRow[]
  links: LinkRow[]
  siteSpaces: PlacedSpace[]
}

/** A space as it is shown. If the default one is in the trash, another one is the default instead. */
export type ShownSpace = PlacedSpace & {
  isDefault: boolean
  /** Whether it is hidden from readers, because it or its section is a draft. */
  isHidden: boolean
} & StandIn
export type ShownSection = SectionRow & { isDefault: boolean; siteSpaces: ShownSpace[] } & StandIn

interface StandIn {
  /** Readers are led to it from the address where a draft will be shown. */
  standsIn?: true
}

export type ShownGroup = GroupRow & {
  sections: ShownSection[]
  /** The sections of the group, with the links among them. */
  children: (ShownSection | LinkRow)[]
}

/** What one user sees of the structure, all in order. */
export interface Structure {
  /** Whether the site consists of sections. Otherwise, its spaces are at the root. */
  inSections: boolean
  root: ShownSpace[]
  /** Groups, and the sections and links outside of them. */
  top: (ShownSection | ShownGroup | LinkRow)[]
  groups: ShownGroup[]
  /** All sections. Those of a group are listed where the group is. */
  sections: ShownSection[]
  /** All links, inside and outside of groups. */
  links: LinkRow[]
  /** All spaces: those at the root, or section by section. */
  siteSpaces: ShownSpace[]
}

/** Arranges the structure for a user who may see these spaces. A section without visible spaces is left out. */
export function arrange(skeleton: Skeleton, maySee: (spaceId: string) => boolean): Structure {
  const visible = (siteSpaces: ShownSpace[]) => siteSpaces.filter((each) => maySee(each.space_id))
  const root = visible(shownLevel(skeleton, null))
  const shown = shownSections(skeleton)
    .map((section) => ({ ...section, siteSpaces: visible(section.siteSpaces) }))
    .filter((section) => section.siteSpaces.length > 0)

  const { links } = skeleton
  const within = <Row extends { group_id: string | null }>(rows: Row[], groupId: string | null) =>
    rows.filter((row) => row.group_id === groupId)
  const groups = inOrder(skeleton.groups).map((group) => {
    const sections = within(shown, group.id)
    return { ...group, sections, children: inOrder([...sections, ...within(links, group.id)]) }
  })
  return {
    inSections: skeleton.sections.length > 0 || (groups.length + links.length > 0 && skeleton.siteSpaces.length === 0),
    root,
    top: inOrder([...within(shown, null), ...groups, ...within(links, null)]),
    groups,
    sections: shown,
    links,
    siteSpaces: [...root, ...shown.flatMap((section) => section.siteSpaces)],
  }
}

/** Keeps only what can be shown to readers. A group in which everything is a draft is removed. */
export function withoutDrafts(structure: Structure): Structure {
  const spaces = (level: ShownSpace[]) => withoutHidden(level, ({ isHidden }) => isHidden)
  const root = spaces(structure.root)
  const sections = withoutHidden(
    structure.sections.map((section) => ({ ...section, siteSpaces: spaces(section.siteSpaces) })),
    ({ siteSpaces }) => siteSpaces.length === 0,
  )
  const links = structure.links.filter(({ draft }) => !draft)
  const left = new Map<string, ShownSection | LinkRow>([...sections, ...links].map((each) => [each.id, each]))
  const groups = structure.groups.flatMap((group) => {
    const children = group.children.flatMap(({ id }) => left.get(id) ?? [])
    return children.length === 0
      ? []
      : { ...group, sections: sections.filter((each) => each.group_id === group.id), children }
  })
  return {
    ...structure,
    root,
    top: structure.top.flatMap(({ id }) => left.get(id) ?? groups.find((group) => group.id === id) ?? []),
    groups,
    sections,
    links,
    siteSpaces: [...root, ...sections.flatMap((section) => section.siteSpaces)],
  }
}

/**
 * Removes hidden rows from a level, which must be in order. If the default is hidden, the first remaining row stands in
 * for it and keeps its own address.
 */
function withoutHidden<Row extends { isDefault: boolean; standsIn?: true }>(
  level: readonly Row[],
  isHidden: (row: Row) => boolean,
): Row[] {
  const isStoodFor = level.some((row) => row.isDefault && isHidden(row))
  return level
    .filter((row) => !isHidden(row))
    .map((row, at) => (isStoodFor && at === 0 ? { ...row, standsIn: true } : row))
}

/** Whether readers do not see it yet, because it or its section is a draft. */
export const isHidden = ({ sections }: Skeleton, { draft, section_id }: PlacedSpace): boolean =>
  draft || sections.some((section) => section.id === section_id && section.draft)

export const isGroup = (each: ShownSection | ShownGroup | LinkRow): each is ShownGroup => 'sections' in each

export const isLink = (each: object): each is LinkRow => 'url' in each

/**
 * Lists in order the sections that have spaces outside of the trash, with those spaces, regardless of who may see them.
 */
export function shownSections(skeleton: Skeleton): ShownSection[] {
  const all = sectionsInOrder(skeleton).map((section) => ({ ...section, siteSpaces: shownLevel(skeleton, section.id) }))
  const isSeen = ({ siteSpaces }: { siteSpaces: ShownSpace[] }) => siteSpaces.length > 0
  const chosen = standIn(all, isSeen)
  return all.filter(isSeen).map((section) => ({ ...section, isDefault: section.id === chosen?.id }))
}

/** Lists all sections in order. Those in a group are listed where the group is. */
export function sectionsInOrder(skeleton: Skeleton): SectionRow[] {
  return topOf(skeleton).flatMap((each) => {
    if (isLink(each)) return []
    return 'is_default' in each ? [each] : sectionsOf(skeleton, each.id)
  })
}

/** Lists the sections of a group, or those outside of all groups, in order. */
function sectionsOf({ sections }: Skeleton, groupId: string | null): SectionRow[] {
  return inOrder(sections.filter((section) => section.group_id === groupId))
}

/** Lists the sections and links of a group, or those outside of all groups, in order. */
export function membersOf(skeleton: Skeleton, groupId: string | null): (SectionRow | LinkRow)[] {
  return inOrder([...sectionsOf(skeleton, groupId), ...skeleton.links.filter((link) => link.group_id === groupId)])
}

/** Lists groups, and the sections and links outside of them, in order. */
export function topOf(skeleton: Skeleton): (SectionRow | GroupRow | LinkRow)[] {
  return inOrder([...membersOf(skeleton, null), ...skeleton.groups])
}

/** Lists the spaces of a section, or at the root, that are not in the trash, regardless of who may see them. */
function shownLevel(skeleton: Skeleton, sectionId: string | null): ShownSpace[] {
  const level = spacesOf(skeleton, sectionId)
  const chosen = standIn(level, (each) => !each.in_trash)
  return level
    .filter((each) => !each.in_trash)
    .map((each) => ({ ...each, isDefault: each.id === chosen?.id, isHidden: isHidden(skeleton, each) }))
}

/** Lists the spaces of a section, or at the root, in order, including those in the trash. */
export function spacesOf({ siteSpaces }: Skeleton, sectionId: string | null): PlacedSpace[] {
  return inOrder(siteSpaces.filter((each) => each.section_id === sectionId))
}

/** Returns the default of a level if it can be seen, else the next one that can. `level` is in order. */
export function standIn<Row extends { is_default: boolean }>(
  level: readonly Row[],
  isSeen: (row: Row) => boolean,
): Row | undefined {
  const at = level.findIndex((row) => row.is_default)
  return [...level.slice(Math.max(at, 0)), ...level.slice(0, Math.max(at, 0))].find(isSeen)
}

function inOrder<Row extends { id: string; position: string }>(rows: readonly Row[]): Row[] {
  const placeOf = ({ id, position }: Row) => ({ entry: id, position })
  return rows.toSorted((a, b) => byPosition(placeOf(a), placeOf(b)))
}

/** Converts siblings to the form that `placeAt` takes. */
export const placed = (rows: readonly { id: string; position: string }[]) =>
  rows.map(({ id, position }) => ({ entry: id, position }))
