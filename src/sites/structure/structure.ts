import { byPosition } from '../../content/positions.ts'
import type { SiteExternalLinkRow, SiteSectionGroupRow, SiteSectionRow, SiteSpaceRow } from '../../db/tables.ts'

/**
 * How a site is built: its spaces stand at the root, or in sections; these stand alone, or in groups. Where there are
 * sections, links that lead out of the site may stand among them.
 */

/** A space in a site, with what is needed of the space itself. One in the trash keeps its place, and shows nowhere. */
export type PlacedSpace = Omit<SiteSpaceRow, 'customization' | 'created_at'> & {
  space_title: string
  in_trash: boolean
}
export type SectionRow = Omit<SiteSectionRow, 'created_at'>
export type GroupRow = Omit<SiteSectionGroupRow, 'created_at'>
export type LinkRow = Omit<SiteExternalLinkRow, 'created_at'>

/** All rows of a site's structure, in no order. */
export interface Skeleton {
  groups: GroupRow[]
  sections: SectionRow[]
  links: LinkRow[]
  siteSpaces: PlacedSpace[]
}

/** As it is shown: the default may stand in for one in the trash. */
export type ShownSpace = PlacedSpace & {
  isDefault: boolean
  /** Readers do not see it: it is a draft, or its section is. */
  isHidden: boolean
} & StandIn
export type ShownSection = SectionRow & { isDefault: boolean; siteSpaces: ShownSpace[] } & StandIn

interface StandIn {
  /** Readers are led to it from where a draft will be shown. */
  standsIn?: true
}

export type ShownGroup = GroupRow & {
  sections: ShownSection[]
  /** The same, with the links among them. */
  children: (ShownSection | LinkRow)[]
}

/** What somebody sees of it, all in order. */
export interface Structure {
  /** Whether it is built of sections; else of spaces at its root. */
  inSections: boolean
  root: ShownSpace[]
  /** Sections and links outside of groups, and groups. */
  top: (ShownSection | ShownGroup | LinkRow)[]
  groups: ShownGroup[]
  /** All of them, those of a group where the group stands. */
  sections: ShownSection[]
  /** All of them, wherever they stand. */
  links: LinkRow[]
  /** All of them, at the root or section by section. */
  siteSpaces: ShownSpace[]
}

/** For somebody who may see these spaces. A section of which nothing is left to see is not there either. */
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

/** What readers could be shown. A menu of nothing else than drafts is none. */
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

/** Of a level that is in order. What is shown in the place of a draft keeps the address that it has. */
function withoutHidden<Row extends { isDefault: boolean; standsIn?: true }>(
  level: readonly Row[],
  isHidden: (row: Row) => boolean,
): Row[] {
  const isStoodFor = level.some((row) => row.isDefault && isHidden(row))
  return level
    .filter((row) => !isHidden(row))
    .map((row, at) => (isStoodFor && at === 0 ? { ...row, standsIn: true } : row))
}

/** Whether readers do not see it yet, by itself or with all of its section. */
export const isHidden = ({ sections }: Skeleton, { draft, section_id }: PlacedSpace): boolean =>
  draft || sections.some((section) => section.id === section_id && section.draft)

export const isGroup = (each: ShownSection | ShownGroup | LinkRow): each is ShownGroup => 'sections' in each

export const isLink = (each: object): each is LinkRow => 'url' in each

/** Sections of which something is out of the trash, with that, whoever may see it; in order. */
export function shownSections(skeleton: Skeleton): ShownSection[] {
  const all = sectionsInOrder(skeleton).map((section) => ({ ...section, siteSpaces: shownLevel(skeleton, section.id) }))
  const isSeen = ({ siteSpaces }: { siteSpaces: ShownSpace[] }) => siteSpaces.length > 0
  const chosen = standIn(all, isSeen)
  return all.filter(isSeen).map((section) => ({ ...section, isDefault: section.id === chosen?.id }))
}

/** Those in a group stand where the group does. */
export function sectionsInOrder(skeleton: Skeleton): SectionRow[] {
  return topOf(skeleton).flatMap((each) => {
    if (isLink(each)) return []
    return 'is_default' in each ? [each] : sectionsOf(skeleton, each.id)
  })
}

/** The sections in a group, or outside of all, in order. */
function sectionsOf({ sections }: Skeleton, groupId: string | null): SectionRow[] {
  return inOrder(sections.filter((section) => section.group_id === groupId))
}

/** The same with the links among them. */
export function membersOf(skeleton: Skeleton, groupId: string | null): (SectionRow | LinkRow)[] {
  return inOrder([...sectionsOf(skeleton, groupId), ...skeleton.links.filter((link) => link.group_id === groupId)])
}

/** Groups, and the sections and links outside of them, in order. */
export function topOf(skeleton: Skeleton): (SectionRow | GroupRow | LinkRow)[] {
  return inOrder([...membersOf(skeleton, null), ...skeleton.groups])
}

/** The spaces of a section, or at the root, out of the trash, whoever may see them. */
function shownLevel(skeleton: Skeleton, sectionId: string | null): ShownSpace[] {
  const level = spacesOf(skeleton, sectionId)
  const chosen = standIn(level, (each) => !each.in_trash)
  return level
    .filter((each) => !each.in_trash)
    .map((each) => ({ ...each, isDefault: each.id === chosen?.id, isHidden: isHidden(skeleton, each) }))
}

/** The spaces of a section, or at the root, in order, with those in the trash. */
export function spacesOf({ siteSpaces }: Skeleton, sectionId: string | null): PlacedSpace[] {
  return inOrder(siteSpaces.filter((each) => each.section_id === sectionId))
}

/** The default of a level as long as it can be seen, else the next one that can. `level` is in order. */
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

/** Siblings as `placeAt` takes them. */
export const placed = (rows: readonly { id: string; position: string }[]) =>
  rows.map(({ id, position }) => ({ entry: id, position }))
