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

/** Spaces of a site that get to other places in it, with all that belongs to them. Old addresses lead to the new ones. */

/** As it stands in the last place of a section. The first one there is the default. */
export function lastIn(skeleton: Skeleton, row: PlacedSpace, sectionId: string): PlacedSpace {
  const level = spacesOf(skeleton, sectionId)
  const { position } = placeAt(placed(level), level.length, row.id)
  return { ...row, section_id: sectionId, position, is_default: level.length === 0 }
}

/** It stands elsewhere now. Where it was the last one of its section, that goes, and what led there leads to it. */
export async function leave(tx: Transaction, site: SiteKey, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  const isLast = spacesOf(skeleton, row.section_id).length === 1
  if (isLast && row.section_id !== null) await leadFromSection(tx, site, row.section_id, row.id)
  await closeGap(tx, site, skeleton, row)
}

/** It gets a section of its own, in the last place. What else stood beside it at the root gets one, too, in front. */
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

/** Out of the only section of a site, all that is in it: the site is built without sections then. */
export async function takeOutOfSections(tx: Transaction, { site, skeleton }: HeldSite): Promise<void> {
  const [section, ...others] = skeleton.sections
  if (!section) return
  if (others.length > 0) throw conflict('The site has other sections. Move or remove their spaces first.')
  if (skeleton.links.length + skeleton.groups.length > 0)
    throw conflict('The site has links or menus among its sections. Remove them first.')
  // What only some readers see is not shown to others by this.
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
