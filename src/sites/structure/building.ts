import { recordChange } from '../../changes/record.ts'
import { placeAt } from '../../content/positions.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { promoteSection, promoteSpace } from './defaults.ts'
import { freePath } from '../paths.ts'
import type { SiteKey } from '../queries.ts'
import type { HeldSite } from '../see.ts'
import {
  type PlacedSpace,
  type SectionRow,
  type Skeleton,
  isHidden,
  membersOf,
  placed,
  spacesOf,
  topOf,
} from './structure.ts'
import {
  type ItemType,
  deleteSection,
  deleteSiteSpace,
  insertSection,
  insertSiteSpace,
  putRootInto,
} from './queries.ts'

/**
 * Building blocks for changes of a site's structure. They require the site to be locked, and the caller must call
 * `touchSite`.
 */

/** How a space appears in a site. By default: under its own title, to all readers, in the last place. */
type Showing = Partial<Pick<PlacedSpace, 'title' | 'condition' | 'draft'>> & { behind?: PlacedSpace }

/** Adds a space to a section, or to the root. The first one there becomes the default. */
export async function putSpace(
  tx: Transaction,
  site: SiteKey,
  skeleton: Skeleton,
  space: { id: string; title: string },
  sectionId: string | null,
  { title = null, condition = null, draft = false, behind }: Showing = {},
): Promise<PlacedSpace> {
  const level = spacesOf(skeleton, sectionId)
  const id = newId()
  const at = behind ? level.findIndex((row) => row.id === behind.id) + 1 : level.length
  const row: PlacedSpace = {
    organization_id: site.organization_id,
    site_id: site.id,
    id,
    section_id: sectionId,
    space_id: space.id,
    title,
    path: freePath(title ?? space.title, level),
    condition,
    draft,
    position: placeAt(placed(level), at, id).position,
    is_default: level.length === 0,
    space_title: space.title,
    in_trash: false,
  }
  await insertSiteSpace(tx, row)
  recordChange(tx, { ...about(site, 'site-space', id), action: 'site-space.added' })
  return row
}

/** Creates an empty section. The caller must add a space to it right away. */
export async function putSection(
  tx: Transaction,
  site: SiteKey,
  skeleton: Skeleton,
  { title, icon, at, draft = false }: { title: string; icon: string | null; at: number; draft?: boolean },
): Promise<SectionRow> {
  const id = newId()
  const row: SectionRow = {
    organization_id: site.organization_id,
    site_id: site.id,
    id,
    group_id: null,
    title,
    description: null,
    // As in updates, an empty icon means none.
    icon: icon || null,
    path: freePath(title, skeleton.sections),
    condition: null,
    draft,
    position: placeAt(placed(topOf(skeleton)), at, id).position,
    is_default: skeleton.sections.length === 0,
  }
  await insertSection(tx, row)
  recordChange(tx, { ...about(site, 'site-section', id), action: 'site-section.added' })
  return row
}

/**
 * Moves the spaces at the root into a new section. Their addresses do not change: the section is the default and needs
 * no path.
 */
export async function withoutRoot(tx: Transaction, site: HeldSite['site'], skeleton: Skeleton): Promise<Skeleton> {
  const root = spacesOf(skeleton, null)
  if (root.length === 0) return skeleton
  const only = root.length === 1 ? (root[0]!.title ?? root[0]!.space_title) : site.title
  const title = longEnough(only, site.title)
  const section = await putSection(tx, site, skeleton, { title, icon: null, at: 0 })
  await putRootInto(tx, site, section.id)
  return {
    ...skeleton,
    sections: [...skeleton.sections, section],
    siteSpaces: skeleton.siteSpaces.map((row) => ({ ...row, section_id: section.id })),
  }
}

/** Returns the title if it is long enough for a section. A space may have a shorter one. */
export const longEnough = (title: string, otherwise: string) => ([...title].length < 2 ? otherwise : title)

/** Returns the position of the last place in a group, or outside of all groups, for a section or a link. */
export function lastPlace(skeleton: Skeleton, groupId: string | null, id: string): string {
  const level = groupId === null ? topOf(skeleton) : membersOf(skeleton, groupId)
  return placeAt(placed(level), level.length, id).position
}

/** Returns the position right after a group. */
export function placeBehind(skeleton: Skeleton, groupId: string, id: string): string {
  const top = topOf(skeleton)
  return placeAt(placed(top), top.findIndex((each) => each.id === groupId) + 1, id).position
}

export async function dropSpace(tx: Transaction, site: SiteKey, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  await deleteSiteSpace(tx, row)
  recordChange(tx, { ...about(site, 'site-space', row.id), action: 'site-space.removed' })
  await closeGap(tx, site, skeleton, row)
}

/**
 * Adjusts the level that `row` has just left: if the section has no other space, it is removed. Otherwise, if `row` was
 * the default, the next space becomes the default.
 */
export async function closeGap(tx: Transaction, site: SiteKey, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  const section = skeleton.sections.find(({ id }) => id === row.section_id)
  if (section && spacesOf(skeleton, section.id).length === 1) return dropSection(tx, site, skeleton, section)
  await promoteSpace(tx, skeleton, row)
}

/** Removes a section with all spaces in it. */
export async function dropSection(tx: Transaction, site: SiteKey, skeleton: Skeleton, row: SectionRow): Promise<void> {
  await deleteSection(tx, row)
  await promoteSection(tx, skeleton, row)
  recordChange(tx, { ...about(site, 'site-section', row.id), action: 'site-section.removed' })
}

/** Refuses a change that would leave readers of a published site without any content. */
export function requireRest({ site, skeleton }: HeldSite, leaving: (row: PlacedSpace) => boolean): void {
  const shown = skeleton.siteSpaces.filter((row) => !row.in_trash && !isHidden(skeleton, row))
  if (site.published && shown.length > 0 && shown.every(leaving)) {
    throw conflict('This is the only content of the published site. Unpublish the site first, or add another space.')
  }
}

export const about = (site: SiteKey, type: ItemType, id: string) => ({
  organizationId: site.organization_id,
  target: { type, id: `${site.id}/${id}` },
})

/** Returns the names of the fields that a request set, for the audit record. */
export const given = (fields: object) =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))
