import type { Transaction } from '../../db/transaction.ts'
import { rememberPlaces } from '../former-places.ts'
import {
  type PlacedSpace,
  type SectionRow,
  type Skeleton,
  isHidden,
  sectionsInOrder,
  spacesOf,
  standIn,
} from './structure.ts'
import { moveDefault } from './queries.ts'

/**
 * Each non-empty level of a site has exactly one default. A space in the trash can be the default until it is
 * permanently deleted.
 */

/** Returns whether the default changed. */
export async function setDefaultSpace(tx: Transaction, skeleton: Skeleton, row: PlacedSpace): Promise<boolean> {
  const current = spacesOf(skeleton, row.section_id).find((each) => each.is_default)
  if (current?.id === row.id) return false
  if (current) await rememberPlaces(tx, siteOf(row), skeleton, [current])
  await moveDefault(tx, 'site-space', current, row)
  return true
}

/** The same for a section. */
export async function setDefaultSection(tx: Transaction, skeleton: Skeleton, row: SectionRow): Promise<boolean> {
  const current = skeleton.sections.find((each) => each.is_default)
  if (current?.id === row.id) return false
  if (current) await rememberPlaces(tx, siteOf(row), skeleton, spacesOf(skeleton, current.id))
  await moveDefault(tx, 'site-section', current, row)
  return true
}

const siteOf = ({ organization_id, site_id }: PlacedSpace | SectionRow) => ({ organization_id, id: site_id })

/** Called after `row` was removed: if it was the default, the next one becomes the default. */
export async function promoteSpace(tx: Transaction, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  if (!row.is_default) return
  const isThere = (each: PlacedSpace) => !each.in_trash
  const isShown = (each: PlacedSpace) => isThere(each) && !isHidden(skeleton, each)
  await moveDefault(tx, 'site-space', undefined, nextOf(spacesOf(skeleton, row.section_id), row, [isShown, isThere]))
}

/** The same for a section. */
export async function promoteSection(tx: Transaction, skeleton: Skeleton, row: SectionRow): Promise<void> {
  if (!row.is_default) return
  const left = ({ id }: SectionRow) => spacesOf(skeleton, id).filter((each) => !each.in_trash)
  const isThere = (each: SectionRow) => left(each).length > 0
  const isShown = (each: SectionRow) => left(each).some((space) => !isHidden(skeleton, space))
  await moveDefault(tx, 'site-section', undefined, nextOf(sectionsInOrder(skeleton), row, [isShown, isThere]))
}

/**
 * Returns the next row, preferably one that readers see, or at least one that is not in the trash. `wishes` are tried
 * in their order.
 */
function nextOf<Row extends { id: string; is_default: boolean }>(
  level: Row[],
  gone: Row,
  wishes: ((row: Row) => boolean)[],
): Row | undefined {
  const remaining = level.filter(({ id }) => id !== gone.id)
  const wish = wishes.find((each) => remaining.some(each)) ?? (() => true)
  return standIn(level, (row) => row.id !== gone.id && wish(row))
}
