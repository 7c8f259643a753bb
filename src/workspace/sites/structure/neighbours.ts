import type { Fields } from '../../../account/forms.ts'
import { buttonForm } from '../../../account/parts.ts'
import type { Transaction } from '../../../db/transaction.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import type { HeldSite } from '../../../sites/see.ts'
import type { ItemType } from '../../../sites/structure/queries.ts'
import { itemIn } from '../../../sites/structure/show.ts'
import { sortItem } from '../../../sites/structure/sort.ts'
import {
  type LinkRow,
  type ShownGroup,
  type ShownSection,
  type ShownSpace,
  type Structure,
  isLink,
} from '../../../sites/structure/structure.ts'
import { overtaken } from '../../overtaken.ts'

/** Moves sections, menus, links and spaces of a site up and down among the neighbours that the user sees. */

type Row = ShownSpace | ShownSection | ShownGroup | LinkRow

/**
 * Buttons that swap an item with its neighbours. A button without a neighbour is disabled but keeps its place, so that
 * the buttons line up.
 */
export function movingUpAndDown(
  place: Place,
  structure: Structure,
  { id, title, action, fields }: { id: string; title: string; action: string; fields: Record<string, string> },
): Html {
  const { before, after } = neighboursOf(structure, id)
  if (!before && !after) return html``
  const button = (near: Row | undefined, side: string, label: string) =>
    near
      ? buttonForm(place, { action, fields: { ...fields, near: near.id, side }, label, name: `${label}: ${title}` })
      : html`<button type="button" class="btn" disabled>${label}</button>`
  return html`${button(before, 'before', 'Up')} ${button(after, 'after', 'Down')}`
}

/** Moves an item past its neighbour, unless that is a different one than the user saw. */
export async function moveBeside(
  tx: Transaction,
  held: HeldSite,
  { type, id }: { type: ItemType; id: string },
  fields: Fields,
): Promise<void> {
  const side = fields.side === 'before' ? 'before' : 'after'
  const neighbour = neighboursOf(held.structure, id)[side]
  if (!neighbour || neighbour.id !== fields.near) throw overtaken('changed the order')
  const beside = { type: typeOf(neighbour), id: neighbour.id, side, field: 'near' } as const
  await sortItem(tx, held, itemIn(held.structure, type, id), beside)
}

function neighboursOf({ root, top, groups, sections }: Structure, id: string) {
  const inGroups = groups.map((group) => group.children)
  const inSections = sections.map(({ siteSpaces }) => siteSpaces)
  const levels: Row[][] = [root, top, ...inGroups, ...inSections]
  const level = levels.find((rows) => rows.some((row) => row.id === id)) ?? []
  const at = level.findIndex((row) => row.id === id)
  return { before: level[at - 1], after: level[at + 1] }
}

function typeOf(row: Row): ItemType {
  if (isLink(row)) return 'site-external-link'
  if ('sections' in row) return 'site-section-group'
  return 'siteSpaces' in row ? 'site-section' : 'site-space'
}
