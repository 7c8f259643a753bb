import { appPath } from '../../app-path.ts'
import type { Membership } from '../../access/caller.ts'
import { collectionRights } from '../../access/rights.ts'
import type { Role } from '../../access/roles.ts'
import { hidden, section, writingOver } from '../../account/parts.ts'
import type { TreeRow } from '../../collections/queries.ts'
import type { CollectionRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import { longestTitle } from './content-title.ts'
import { frame } from '../frame.ts'
import { type Typed, makingForms } from './making.page.ts'
import { type Destinations, type KeptPlace, placingForms } from './moving.ts'
import type { Said } from '../said.ts'
import { asSeen } from '../seen.ts'
import { saidOn, tabsOfCollection } from '../top.ts'
import type { Branch } from './tree.ts'
import { iconsOfTree, treeOf } from './tree.page.ts'

interface Parts extends Said {
  membership: Membership
  /** The path of the collection. */
  path: string
  collection: CollectionRow
  form: string
}

interface CollectionParts extends Parts, Typed {
  role: Role
  /** The collection that contains this one, if the user may see it. */
  up: TreeRow | undefined
  branches: Branch[]
}

/** The content of a collection. Members who may add to it get forms for that. */
export function collectionPage(place: Place, parts: CollectionParts): Html {
  const { membership, path, collection, role, up, branches } = parts
  const { organization } = membership
  const home = appPath.organization(organization.id)
  const { admin, create } = collectionRights(role)
  const none = create
    ? 'Nothing here yet. Create a space below, or move one here in its settings.'
    : 'Nothing here that you can read.'
  return frame(
    place,
    collection.title,
    html`<p class="review-space">
        <a href="${place.link(home)}">${organization.title}</a>${
          up && html` › <a href="${place.link(`${home}/c/${up.id}`)}">${up.title}</a>`
        }
      </p>
      <h1>${collection.title}</h1>
      ${collection.description !== null && html`<p class="review-standing">${collection.description}</p>`}
      ${admin && tabsOfCollection(place, path)} ${saidOn(parts)}
      <section aria-label="What is in it" class="work-tree">
        ${treeOf(place, home, { branches, count: branches.length, none })}
      </section>
      ${create && makingForms(place, path, parts.form, parts)}`,
    iconsOfTree,
  )
}

/** What the user typed or chose before it was refused. */
export interface KeptSettings extends KeptPlace {
  title?: string
  description?: string
}

interface SettingsParts extends Parts, KeptSettings {
  destinations: Destinations
  /** Whether the collection contains nothing that the user may see. */
  isEmpty: boolean
}

export const longestDescription = 100

export function collectionSettingsPage(place: Place, parts: SettingsParts): Html {
  const { membership, path, collection, form, destinations } = parts
  const { organization } = membership
  const placing = { path: `${path}/`, form, destinations, kept: parts }
  return frame(
    place,
    `Settings · ${collection.title}`,
    html`<p class="review-space">
        <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a> ›
        <a href="${place.link(path)}">${collection.title}</a>
      </p>
      <h1>Settings</h1>
      ${tabsOfCollection(place, path, 'Settings')} ${saidOn(parts)}
      ${section('collection-title', 'Title', 'Name and purpose of the collection.', naming(place, parts))}
      ${section('place', 'Place', 'Everything in it moves along.', placingForms(place, placing))}
      ${section('delete', 'Delete', 'Only an empty collection can be deleted.', deleting(place, parts))}`,
  )
}

const naming = (place: Place, { path, form, collection, title, description }: SettingsParts) =>
  html`<form ${writingOver(place.link(`${path}/settings`))} class="fields">
    ${hidden({ form, seen: namesOf(collection) })}
    <label class="field">
      <span>Title</span>
      <input
        name="title"
        value="${title ?? collection.title}"
        maxlength="${longestTitle}"
        autocomplete="off"
        required
      />
    </label>
    <label class="field">
      <span>Description (optional)</span>
      <input
        name="description"
        value="${description ?? descriptionOf(collection)}"
        maxlength="${longestDescription}"
        autocomplete="off"
      />
    </label>
    <button class="btn">Save</button>
  </form>`

/** The description as the field shows it, in one line. Programs may have written it in several. */
export const descriptionOf = ({ description }: CollectionRow) => (description ?? '').replace(/\s+/g, ' ').trim()

/** Identifies the title and description that the user had seen when they changed them. */
export const namesOf = ({ title, description }: CollectionRow) => asSeen([title, description])

function deleting(place: Place, { path, form, collection, isEmpty }: SettingsParts): Html {
  if (!isEmpty) return html`<p class="aside">First move or delete what is in it.</p>`
  return asking(
    'Delete this collection',
    html`<form method="post" action="${place.link(`${path}/delete`)}" class="review-ask">
      ${hidden({ form })}
      <p>Delete “${collection.title}”? Roles given on it are lost. This cannot be undone.</p>
      <button class="btn danger">Delete collection</button>
    </form>`,
  )
}
