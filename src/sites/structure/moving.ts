import { recordChange } from '../../changes/record.ts'
import { placeAt } from '../../content/positions.ts'
import type { Transaction } from '../../db/transaction.ts'
import { conflict } from '../../http/errors.ts'
import { rememberPlaces } from '../former-places.ts'
import type { SiteKey } from '../queries.ts'
import { leadFromSection } from '../redirects/queries.ts'
import type { HeldSite } from '../see.ts'
import { touchSite } from '../touch.ts'
import { about, closeGap, dropSection, longEnough, putSection, requireRest, withoutRoot } from './building.ts'
import { putToRoot, updateSiteSpace } from './queries.ts'
import type { SectionDraft } from './sections.actions.ts'
import { type PlacedSpace, type Skeleton, isHidden, placed, spacesOf, topOf } from './structure.ts'

/**
 * Moves spaces of a site to other places in it, with everything that belongs to them. Old addresses lead to the new
 * ones.
 */

/** Returns the row as the last one of a section. The first space there is the default. */
export function lastIn(skeleton: Skeleton, row: PlacedSpace, sectionId: string): PlacedSpace {
  const level = spacesOf(skeleton, sectionId)
  const { position } = placeAt(placed(level), level.length, row.id)
  return { ...row, section_id: sectionId, position, is_default: level.length === 0 }
}

/**
 * Cleans up after a row was moved elsewhere. If it was the last one of its section, the section is removed, and
 * redirects to the section lead to the row.
 */
export async function leave(tx: Transaction, site: SiteKey, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  const isLast = spacesOf(skeleton, row.section_id).length === 1
  if (isLast && row.section_id !== null) await leadFromSection(tx, site, row.section_id, row.id)
  await closeGap(tx, site, skeleton, row)
}

/** Moves a space to a new section in the last place. Other spaces at the root get a section, too, before it. */
export async function moveToNewSection(
  tx: Transaction,
  held: HeldSite,
  { id }: PlacedSpace,
  { title, ...more }: SectionDraft,
): Promise<string> {
  const { site, skeleton } = held
  const before = await withoutRoot(tx, site, skeleton)
  const row = before.siteSpaces.find((each) => each.id === id)!
  if (more.draft && !isHidden(before, row)) requireRest(held, (each) => each.id === id)
  if (spacesOf(before, row.section_id).length === 1)
    throw conflict('It is already the only space of its section, or of the site.')
  await rememberPlaces(tx, site, skeleton, [skeleton.siteSpaces.find((each) => each.id === id)!])
  const named = { ...more, title: title ?? longEnough(row.title ?? row.space_title, site.title) }
  const section = await putSection(tx, site, before, { icon: null, ...named, at: topOf(before).length })
  await updateSiteSpace(tx, lastIn(before, row, section.id))
  await closeGap(tx, site, before, row)
  recordChange(tx, { ...about(site, 'site-space', id), action: 'site-space.updated', fields: ['sectionId'] })
  touchSite(tx, site)
  return section.id
}

/** Moves all spaces of the only section of a site to the root, so that the site has no sections any more. */
export async function takeOutOfSections(tx: Transaction, { site, skeleton }: HeldSite): Promise<void> {
  const [section, ...others] = skeleton.sections
  if (!section) return
  if (others.length > 0) throw conflict('The site has other sections. Move or remove their spaces first.')
  if (skeleton.links.length + skeleton.groups.length > 0)
    throw conflict('The site has links or menus among its sections. Remove them first.')
  // Content that only some readers see must not become visible to others this way.
  if (section.draft || section.condition !== null)
    throw conflict('This section is not visible to all readers, but its content would be. Change its visibility first.')
  const rows = spacesOf(skeleton, section.id)
  await rememberPlaces(tx, site, skeleton, rows)
  await putToRoot(tx, section)
  await leadFromSection(tx, site, section.id, rows.find((row) => row.is_default)!.id)
  await dropSection(tx, site, skeleton, section)
  for (const { id } of rows) {
    recordChange(tx, { ...about(site, 'site-space', id), action: 'site-space.updated', fields: ['sectionId'] })
  }
  touchSite(tx, site)
}
