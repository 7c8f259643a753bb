import type { FastifyRequest } from 'fastify'
import { collectionRights } from '../../access/rights.ts'
import { type Role, reaches } from '../../access/roles.ts'
import { fieldsOf } from '../../account/forms.ts'
import { hidden, writingOver } from '../../account/parts.ts'
import { type TreeRow, listTree } from '../../collections/queries.ts'
import { type Move, accessPlace } from '../../collections/tree.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { Opener } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { inOrder, mostRows } from './tree.ts'

/** An item of the tree, and the collection that it is in, no matter who sees that collection; null is the top level. */
export interface Placed {
  id: string
  parent: string | null
}

/** The position of an item among the neighbours that the user sees. */
export interface Order {
  others: TreeRow[]
  /** The item that it comes after; empty if it is the first. */
  behind: string
}

/** With more items than this, no order is offered. Nobody looks through more. */
const mostOthers = 500

/** Returns undefined if the user may not change the order there, or if there are no other items or too many. */
export function orderIn(rows: readonly TreeRow[], { membership }: Opener, { id, parent }: Placed): Order | undefined {
  const around = rows.find((row) => row.id === parent)
  const mayOrder = parent === null ? reaches(membership.role, 'create') : around && collectionRights(around.role).create
  const order = orderOf(rows, { id, parent })
  return mayOrder && order.others.length > 0 && order.others.length <= mostOthers ? order : undefined
}

function orderOf(rows: readonly TreeRow[], { id, parent }: Placed): Order {
  const level = inOrder(
    rows.filter((row) => row.parent === parent && !row.isLifted),
    parent,
  ).filter(({ depth }) => depth === 0)
  const at = level.findIndex(({ row }) => row.id === id)
  return {
    others: level.flatMap(({ row }) => (row.id === id ? [] : [row])),
    behind: level[at - 1]?.row.id ?? '',
  }
}

/** `near` is what the user chose before it was refused. */
export function orderingForm(
  place: Place,
  { action, form, order, near }: { action: string; form: string; order: Order; near: string | undefined },
): Html {
  const { others, behind } = order
  const isThere = near === '' || others.some(({ id }) => id === near)
  const chosen = near !== undefined && isThere ? near : behind
  return html`<form ${writingOver(place.link(action))} class="fields inline one work-short">
    ${hidden({ form, seen: behind })}
    <label class="field grow">
      <span>Position</span>
      <select name="near">
        <option value="" ${chosen === '' && html`selected`}>first</option>
        ${others.map(
          ({ id, title }) => html`<option value="${id}" ${chosen === id && html`selected`}>after “${title}”</option>`,
        )}
      </select>
    </label>
    <button class="btn">Save position</button>
  </form>`
}

/**
 * Returns the position that a form asks for; undefined if the item is already there. Requires the tree to be locked.
 */
export async function positionIn(
  tx: Transaction,
  request: FastifyRequest,
  caller: Opener,
  { id, parent, organizationRole }: Placed & { organizationRole: Role | null },
): Promise<Move['position']> {
  const { near = '', seen } = fieldsOf(request)
  const { organization, userId } = caller.membership
  await accessPlace(tx, caller, { organizationId: organization.id, id: parent }, organizationRole)
  const { rows } = await listTree(tx, organization.id, userId, mostRows)
  const { others, behind } = orderOf(rows, { id, parent })
  if (near === behind) return undefined
  const neighbour = near === '' ? others[0] : others.find((row) => row.id === near)
  if (seen !== behind || !neighbour) throw overtaken('changed the order')
  return { [near === '' ? 'before' : 'after']: named(neighbour) }
}

const named = ({ type, id }: TreeRow) =>
  type === 'space' ? ({ type, space: id } as const) : ({ type, collection: id } as const)
