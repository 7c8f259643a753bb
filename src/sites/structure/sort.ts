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

/** A part of a site's structure that has a position among siblings. */
export type Item =
  | { type: 'site-space'; row: PlacedSpace }
  | { type: 'site-section'; row: SectionRow }
  | { type: 'site-section-group'; row: GroupRow }
  | { type: 'site-external-link'; row: LinkRow }

/** The item to be placed next to. `field` is where the request names it. */
export interface Neighbour {
  type: ItemType
  id: string
  side: 'before' | 'after'
  field: string
}

/**
 * Places an item next to another one on the same level, or between two, of which the one it comes after is given first.
 * Without neighbours, it becomes the last. Placing it where it already is counts as no change.
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

/**
 * Returns the index next to a neighbour. An item that the caller does not see cannot be a neighbour, but it keeps its
 * place among the others.
 */
function placeBeside(siblings: Item[], structure: Structure, { type, id, side, field }: Neighbour): number {
  const index = siblings.findIndex((each) => each.type === type && each.row.id === id)
  if (index === -1 || !isShown(structure, id)) throw invalid(field, 'sibling', 'must be on the same level of this site')
  return side === 'before' ? index : index + 1
}

const isShown = ({ siteSpaces, sections, groups, links }: Structure, id: string): boolean =>
  [...siteSpaces, ...sections, ...groups, ...links].some((each) => each.id === id)

/** Lists the level that an item is on, in order, including the item. */
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
