import { recordChange } from '../../changes/record.ts'
import { placeAt } from '../../content/positions.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict } from '../../http/errors.ts'
import { newId } from '../../ids.ts'
import { promoteSection, promoteSpace } from './defaults.ts'
import { freePath } from '../paths.ts'
import type { SiteKey } from '../queries.ts'
import type { HeldSite } from '../see.ts'
import { type PlacedSpace, type SectionRow, type Skeleton, placed, spacesOf } from './structure.ts'
import { type ItemType, deleteSection, deleteSiteSpace, insertSiteSpace } from './queries.ts'

/** What changes of a site's structure are made of. The site is locked, and whoever calls this touches it. */

/** A space in the last place of a section, or at the root. The first one there is the default. */
export async function putSpace(
  tx: Transaction,
  site: SiteKey,
  skeleton: Skeleton,
  space: { id: string; title: string },
  sectionId: string | null,
): Promise<PlacedSpace> {
  const level = spacesOf(skeleton, sectionId)
  const id = newId()
  const row: PlacedSpace = {
    organization_id: site.organization_id,
    site_id: site.id,
    id,
    section_id: sectionId,
    space_id: space.id,
    title: null,
    path: freePath(space.title, level),
    condition: null,
    position: placeAt(placed(level), level.length, id).position,
    is_default: level.length === 0,
    space_title: space.title,
    in_trash: false,
  }
  await insertSiteSpace(tx, row)
  recordChange(tx, { ...about(site, 'site-space', id), action: 'site-space.added' })
  return row
}

/** A section whose last space goes, goes with it. */
export async function dropSpace(tx: Transaction, site: SiteKey, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  const section = skeleton.sections.find(({ id }) => id === row.section_id)
  await deleteSiteSpace(tx, row)
  recordChange(tx, { ...about(site, 'site-space', row.id), action: 'site-space.removed' })
  if (section && spacesOf(skeleton, section.id).length === 1) return dropSection(tx, site, skeleton, section)
  await promoteSpace(tx, skeleton, row)
}

/** With all spaces in it. */
export async function dropSection(tx: Transaction, site: SiteKey, skeleton: Skeleton, row: SectionRow): Promise<void> {
  await deleteSection(tx, row)
  await promoteSection(tx, skeleton, row)
  recordChange(tx, { ...about(site, 'site-section', row.id), action: 'site-section.removed' })
}

/** Readers of a published site find something there. */
export function requireRest({ site, skeleton }: HeldSite, leaving: (row: PlacedSpace) => boolean): void {
  const rest = skeleton.siteSpaces.filter((row) => !row.in_trash && !leaving(row))
  if (site.published && rest.length === 0) {
    throw conflict(
      'This is all that the published site shows. Unpublish it first (take it offline), or add another space.',
    )
  }
}

export const about = (site: SiteKey, type: ItemType, id: string) => ({
  organizationId: site.organization_id,
  target: { type, id: `${site.id}/${id}` },
})

/** Which of these fields a request gave, for the record. */
export const given = (fields: object) =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]))
