import type { Page, Position } from '../../http/paging.ts'
import type { GroupRow, PlacedSpace, SectionRow, Structure } from './structure.ts'

/**
 * Lists of a site's structure. It is read whole, since its order goes through several tables; the token of a page holds
 * a place in that order, as everywhere.
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

/** One in a group stands where the group does. */
export const placeOfSection =
  ({ groups }: Structure) =>
  (row: SectionRow) => [...placeOfGroup(groups.find(({ id }) => id === row.group_id) ?? row), row.position, row.id]

/** What stands at the root comes first. */
export function placeOfSpace(structure: Structure) {
  return (row: PlacedSpace) => {
    const section = structure.sections.find(({ id }) => id === row.section_id)
    return [...(section ? placeOfSection(structure)(section) : ['', '', '', '']), row.position, row.id]
  }
}
