import { recordChange } from '../../changes/record.ts'
import { placeAt } from '../../content/positions.ts'
import type { Transaction } from '../../db/transaction.ts'
import { invalid } from '../../http/errors.ts'
import { about } from './building.ts'
import type { HeldSite } from '../see.ts'
import {
  type GroupRow,
  type LinkRow,
  type PlacedSpace,
  type SectionRow,
  type Skeleton,
  type Structure,
  isLink,
  membersOf,
  spacesOf,
  topOf,
} from './structure.ts'
import { type ItemType, setPosition } from './queries.ts'
import { touchSite } from '../touch.ts'

/** A part of a site's structure that has a place among others. */
export type Item =
  | { type: 'site-space'; row: PlacedSpace }
  | { type: 'site-section'; row: SectionRow }
  | { type: 'site-section-group'; row: GroupRow }
  | { type: 'site-external-link'; row: LinkRow }

/** Beside what: `field` is where the request says so. */
export interface Neighbour {
  type: ItemType
  id: string
  side: 'before' | 'after'
  field: string
}

/**
 * Puts it next to another one on the same level, or between two, the one it comes after first; without any, last. Where
 * it stands already is no change.
 */
export async function sortItem(
  tx: Transaction,
  { site, skeleton, structure }: HeldSite,
  item: Item,
  ...neighbours: readonly (Neighbour | undefined)[]
): Promise<void> {
  const level = levelOf(skeleton, item)
  const siblings = level.filter(({ row }) => row.id !== item.row.id)
  const indexes = neighbours.flatMap((each) => (each ? [placeBeside(siblings, structure, each)] : []))
  const index = indexes.at(-1) ?? siblings.length
  if (indexes.some((each) => each > index)) {
    throw invalid('body.position', 'order', '`after` must come before `before`')
  }
  if (level[index]?.row.id === item.row.id) return
  const places = siblings.map(({ row }) => ({ entry: row.id, position: row.position }))
  const { position, rekeyed } = placeAt(places, index, item.row.id)
  await setPosition(tx, item.type, item.row, position)
  for (const moved of rekeyed) {
    const { type, row } = siblings.find((each) => each.row.id === moved.entry)!
    await setPosition(tx, type, row, moved.position)
  }
  recordChange(tx, { ...about(site, item.type, item.row.id), action: `${item.type}.moved` })
  touchSite(tx, site)
}

/** What the caller does not see is nothing to stand next to, though it keeps its place among the others. */
function placeBeside(siblings: Item[], structure: Structure, { type, id, side, field }: Neighbour): number {
  const index = siblings.findIndex((each) => each.type === type && each.row.id === id)
  if (index === -1 || !isShown(structure, id)) throw invalid(field, 'sibling', 'must be on the same level of this site')
  return side === 'before' ? index : index + 1
}

const isShown = ({ siteSpaces, sections, groups, links }: Structure, id: string): boolean =>
  [...siteSpaces, ...sections, ...groups, ...links].some((each) => each.id === id)

/** In order, itself included. */
function levelOf(skeleton: Skeleton, item: Item): Item[] {
  if (item.type === 'site-space') {
    return spacesOf(skeleton, item.row.section_id).map((row) => ({ type: 'site-space', row }))
  }
  const groupId = item.type === 'site-section-group' ? null : item.row.group_id
  const level = groupId === null ? topOf(skeleton) : membersOf(skeleton, groupId)
  return level.map((row) => {
    if (isLink(row)) return { type: 'site-external-link', row }
    return 'is_default' in row ? { type: 'site-section', row } : { type: 'site-section-group', row }
  })
}
