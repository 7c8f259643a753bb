import type { FastifyRequest } from 'fastify'
import { findCollectionFor } from '../../access/content.ts'
import { collectionRights } from '../../access/rights.ts'
import { type Role, reaches } from '../../access/roles.ts'
import { fieldsOf } from '../../account/forms.ts'
import { hidden, writingOver } from '../../account/parts.ts'
import { type TreeRow, listTree } from '../../collections/queries.ts'
import { accessParent } from '../../collections/tree.ts'
import type { Transaction } from '../../db/transaction.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import type { App } from '../../http/routes.ts'
import type { Opener } from '../open.ts'
import { overtaken } from '../overtaken.ts'
import { type Order, type Placed, orderIn, orderingForm } from './ordering.ts'
import { type Branch, inOrder, mostRows } from './tree.ts'
import { collectionChoices } from './tree.page.ts'

/** Where a user may put something. */
export interface Destinations {
  /** The collection that it is in, if the user sees it; empty for the top level. */
  now: string
  collections: Branch[]
  /** Whether the user may put it at the top level. */
  top: boolean
  /** Its position there, for users who may change it. */
  order: Order | undefined
}

/** What the user chose before it was refused. */
export interface KeptPlace {
  into?: string
  near?: string
}

export async function findDestinations(app: App, caller: Opener, placed: Placed): Promise<Destinations> {
  const { organization, userId } = caller.membership
  const { rows } = await listTree(app.db, organization.id, userId, mostRows)
  return destinationsIn(rows, caller, placed)
}

/** Returns where something can be moved. A collection cannot be moved into itself. */
export function destinationsIn(rows: readonly TreeRow[], caller: Opener, placed: Placed): Destinations {
  const { id } = placed
  const now = rows.find((row) => row.id === id)?.parent ?? ''
  const collections = rows.filter(({ type }) => type === 'collection')
  const open = inOrder(collections, null, id).filter(({ row }) => row.id === now || collectionRights(row.role).create)
  const top = reaches(caller.membership.role, 'create')
  return { now, collections: open, top, order: orderIn(rows, caller, placed) }
}

interface Placing {
  /** The forms are sent to this path followed by `move` and `order`. */
  path: string
  form: string
  destinations: Destinations
  kept: KeptPlace
}

/** The forms for the collection that something is in, and for its position there. */
export function placingForms(place: Place, placing: Placing): Html {
  const { path, form, destinations, kept } = placing
  const { order } = destinations
  return html`${movingForm(place, placing)}
  ${order && orderingForm(place, { action: `${path}order`, form, order, near: kept.near })}`
}

function movingForm(place: Place, { path, form, destinations, kept: { into } }: Placing): Html {
  const { now, collections, top } = destinations
  const others = collections.filter(({ row }) => row.id !== now)
  if (others.length === 0 && (!top || now === ''))
    return html`<p class="aside">There is no other collection you can move it to.</p>`
  const hasTop = top || now === ''
  // What was chosen may no longer exist. A browser would then show the first option as chosen.
  const isThere = into === '' ? hasTop : collections.some(({ row }) => row.id === into)
  const chosen = into !== undefined && isThere ? into : now
  return html`<form ${writingOver(place.link(`${path}move`))} class="fields inline one work-short">
    ${hidden({ form, seen: now })}
    <label class="field grow">
      <span>Collection</span>
      <select name="into">
        ${hasTop && html`<option value="" ${chosen === '' && html`selected`}>top level</option>`}
        ${collectionChoices(collections, chosen)}
      </select>
    </label>
    <button class="btn">Move</button>
  </form>`
}

/**
 * Returns the parent that a form asks for, for something that is in the collection `from`; undefined if it is there
 * already. A collection that the user may not see counts as the top level for them. Requires the tree to be locked, and
 * `organizationRole` to have been read after that.
 */
export async function destinationIn(
  tx: Transaction,
  request: FastifyRequest,
  caller: Opener,
  { from, organizationRole }: { from: string | null; organizationRole: Role | null },
): Promise<string | null | undefined> {
  const { into = '', seen } = fieldsOf(request)
  const { organization } = caller.membership
  const around = from === null ? undefined : await findCollectionFor(tx, caller, from)
  const now = around ? around.collection.id : ''
  if (into === now) return undefined
  if (now !== seen) throw overtaken(around ? `moved it into “${around.collection.title}”` : 'moved it to the top level')
  const id = into === '' ? null : into
  await accessParent(tx, caller, { organizationId: organization.id, id }, organizationRole)
  return id
}
