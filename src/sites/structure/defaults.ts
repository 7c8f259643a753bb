import type { Transaction } from '../../db/transaction.ts'
import { rememberPlaces } from '../former-places.ts'
import { type PlacedSpace, type SectionRow, type Skeleton, sectionsInOrder, spacesOf, standIn } from './structure.ts'
import { moveDefault } from './queries.ts'

/** Each level of a site that holds anything has exactly one default. What is in the trash may be it, until it is gone. */

export async function setDefaultSpace(tx: Transaction, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  const current = spacesOf(skeleton, row.section_id).find((each) => each.is_default)
  if (current?.id === row.id) return
  if (current) await rememberPlaces(tx, siteOf(row), skeleton, [current])
  await moveDefault(tx, 'site-space', current, row)
}

export async function setDefaultSection(tx: Transaction, skeleton: Skeleton, row: SectionRow): Promise<void> {
  const current = skeleton.sections.find((each) => each.is_default)
  if (current?.id === row.id) return
  if (current) await rememberPlaces(tx, siteOf(row), skeleton, spacesOf(skeleton, current.id))
  await moveDefault(tx, 'site-section', current, row)
}

const siteOf = ({ organization_id, site_id }: PlacedSpace | SectionRow) => ({ organization_id, id: site_id })

/** `row` was just removed: if it was the default, the next one becomes it. */
export async function promoteSpace(tx: Transaction, skeleton: Skeleton, row: PlacedSpace): Promise<void> {
  if (!row.is_default) return
  const next = nextOf(spacesOf(skeleton, row.section_id), row, (each) => !each.in_trash)
  await moveDefault(tx, 'site-space', undefined, next)
}

/** The same for a section. */
export async function promoteSection(tx: Transaction, skeleton: Skeleton, row: SectionRow): Promise<void> {
  if (!row.is_default) return
  const isSeen = ({ id }: SectionRow) => spacesOf(skeleton, id).some((each) => !each.in_trash)
  await moveDefault(tx, 'site-section', undefined, nextOf(sectionsInOrder(skeleton), row, isSeen))
}

/** Preferably one that can be seen. */
function nextOf<Row extends { id: string; is_default: boolean }>(
  level: Row[],
  gone: Row,
  isSeen: (row: Row) => boolean,
): Row | undefined {
  const remains = (row: Row) => row.id !== gone.id
  return standIn(level, (row) => remains(row) && isSeen(row)) ?? standIn(level, remains)
}
