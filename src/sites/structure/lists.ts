import type { Page, Position } from '../../http/paging.ts'
import type { GroupRow, PlacedSpace, SectionRow, Structure } from './structure.ts'

/**
 * Pages through lists of a site's structure. The structure is read as a whole, since its order involves several tables.
 * As everywhere, the page token contains a position in that order.
 */
export function pageThrough<Row>(all: Row[], page: Page, placeOf: (row: Row) => string[]) {
  const { after, limit } = page
  const start = after === undefined ? 0 : all.findIndex((row) => isBehind(placeOf(row), after))
  return { rows: start === -1 ? [] : all.slice(start, start + limit + 1), count: all.length }
}

function isBehind(place: string[], after: Position): boolean {
  const differs = place.findIndex((part, i) => part !== after[i])
  return differs !== -1 && place[differs]! > String(after[differs])
}

export const placeOfGroup = ({ position, id }: Pick<GroupRow, 'position' | 'id'>) => [position, id]

/** A section in a group has the place of the group. */
export const placeOfSection =
  ({ groups }: Structure) =>
  (row: SectionRow) => [...placeOfGroup(groups.find(({ id }) => id === row.group_id) ?? row), row.position, row.id]

/** Spaces at the root come first. */
export function placeOfSpace(structure: Structure) {
  return (row: PlacedSpace) => {
    const section = structure.sections.find(({ id }) => id === row.section_id)
    return [...(section ? placeOfSection(structure)(section) : ['', '', '', '']), row.position, row.id]
  }
}
