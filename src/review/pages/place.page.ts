import { pathWith } from '../../account/answer.ts'
import { hidden, writingOver } from '../../account/parts.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { ListedPages } from './first-pages.ts'
import { findAgain, pathOfList } from './list.ts'
import { type Starts, startName } from './starts.ts'
import { choicesOf } from './tree.page.ts'
import { type Around, buttonsWithBack, withinPage } from '../within.page.ts'

/** In characters, as form fields count them. */
export const longestTitle = 100
/** A title that came from elsewhere may be this long, and is kept. */
export const longestFormer = 500
export const longestAddress = 2048

export const kinds = {
  document: 'Page',
  group: 'Group of pages',
  link: 'Link to another website',
  computed: 'API reference: one page per tag of a specification',
} as const
export const spots = {
  after: 'After',
  before: 'Before',
  first: 'Below, first',
  last: 'Below, last',
} as const

export type Spot = keyof typeof spots

/** What the user entered for a new page. */
export interface NewPage {
  title: string
  kind: string
  address: string
  /** Name of the specification that an API reference is generated from. */
  spec: string
  below: string
  /** The page to start from, as the ids of its space and the page; empty for an empty page. */
  start: string
}

/** Specifications that an API reference can be generated from. */
export interface ListedSpecs {
  names: string[]
  more: number
}

export function newPage(
  place: Place,
  around: Around,
  pages: ListedPages,
  specs: ListedSpecs,
  starts: readonly Starts[],
  { title, kind, address, spec, below, start }: NewPage,
): Html {
  const { path, form } = around
  const { computed: _, ...withoutSpecs } = kinds
  return withinPage(
    place,
    around,
    'New page',
    html`<form method="post" action="${place.link(`${path}/pages`)}" class="fields review-place">
      ${hidden({ form })}
      <label class="field">
        <span>Title</span>
        <input name="title" value="${title}" maxlength="${longestTitle}" autocomplete="off" required autofocus />
      </label>
      <label class="field">
        <span>Type</span>
        <select name="kind">
          ${choices(specs.names.length > 0 ? kinds : withoutSpecs, kind)}
        </select>
      </label>
      ${starts.length > 0 && startChoice(starts, start)}
      <label class="field">
        <span>Address (links only)</span>
        <input name="address" type="url" value="${address}" maxlength="${longestAddress}" placeholder="https://" />
      </label>
      ${specs.names.length > 0 && specChoice(specs, spec)}
      <label class="field">
        <span>Parent page</span>
        <select name="below">
          <option value="">None (end of the space)</option>
          ${choicesOf(pages, below)}
        </select>
      </label>
      ${unlisted(pages)} ${buttonsWithBack(place, path, html`<button class="btn primary">Add page</button>`)}
    </form>`,
  )
}

const startChoice = (starts: readonly Starts[], chosen: string): Html =>
  html`<label class="field">
    <span>Start from (pages only)</span>
    <select name="start">
      <option value="">An empty page</option>
      ${starts.map(
        ({ label, spaceId, pages }) =>
          html`<optgroup label="${label}">
            ${choicesOf(pages, chosen, ({ entry }) => startName(spaceId, entry))}
          </optgroup>`,
      )}
    </select>
  </label>`

const specChoice = ({ names, more }: ListedSpecs, chosen: string): Html =>
  html`<label class="field">
      <span>Specification (API references only)</span>
      <select name="spec">
        <option value="">None</option>
        ${choices(Object.fromEntries(names.map((name) => [name, name])), chosen)}
      </select>
    </label>
    ${more > 0 && html`<p class="none">${more} more specifications are not listed here. Use the API for them.</p>`}`

/** For a page about an entry of the list, from which the user comes and to which they return. */
export interface Listed extends Around {
  /** The search text in the list. */
  sought: string
}

const formOf = (place: Place, { path, sought }: Listed, { entry }: Entry, verb: string) =>
  place.link(pathWith(`${path}/pages/${entry}/${verb}`, findAgain(sought)))

const backTo = ({ path, sought }: Listed, { entry }: Entry) => pathOfList({ path, sought, page: entry })

/** What the user entered for an existing group or link. `address` is undefined if there is none to enter. */
export interface Named {
  title: string
  address: string | undefined
}

/**
 * For groups and links, which have no text to contain their title. `seen` identifies the title and address when the
 * form was opened.
 */
export function titlePage(place: Place, around: Listed, page: Entry, { title, address }: Named, seen: string): Html {
  const { form } = around
  return withinPage(
    place,
    around,
    `Edit “${pageData(page).title}”`,
    html`<form ${writingOver(formOf(place, around, page, 'title'))} class="fields review-place">
      ${hidden({ form, seen })}
      <label class="field">
        <span>Title</span>
        <input name="title" value="${title}" maxlength="${longestFormer}" autocomplete="off" required />
      </label>
      ${
        address !== undefined &&
        html`<label class="field">
          <span>Address</span>
          <input name="address" type="url" value="${address}" maxlength="${longestAddress}" required />
        </label>`
      }
      ${buttonsWithBack(place, backTo(around, page), html`<button class="btn primary">Save</button>`)}
    </form>`,
  )
}

/** Where a page is, or where the user wanted it; `slug` is the part of the address that they wanted for it. */
export interface At {
  spot: string
  near: string
  slug?: string
}

export function placePage(place: Place, around: Listed, page: Entry, pages: ListedPages, at: At): Html {
  const { form } = around
  const { title } = pageData(page)
  const body = html`<form method="post" action="${formOf(place, around, page, 'place')}" class="fields review-place">
    ${hidden({ form })}
    <p>Pages below it move along.</p>
    <label class="field">
      <span>Position</span>
      <select name="spot">
        ${choices(spots, at.spot)}
      </select>
    </label>
    <label class="field">
      <span>Page</span>
      <select name="near">
        ${choicesOf(pages, at.near)}
      </select>
    </label>
    ${unlisted(pages)} ${buttonsWithBack(place, backTo(around, page), html`<button class="btn primary">Move</button>`)}
  </form>`
  const alone = html`<p class="none">There is no other page to move it to.</p>`
  return withinPage(
    place,
    around,
    `Move “${title}”`,
    html`${pages.shown.length === 0 ? alone : body} ${hasAddress(page) && addressForm(place, around, page, at)}`,
  )
}

/** A link leads elsewhere, so readers would find nothing at its own address. */
export const hasAddress = (page: Entry) => pageData(page).type !== 'link'

export const longestSlug = 100

/** `seen` is the slug when the form was opened, so that a change by someone else is not overwritten. */
function addressForm(place: Place, around: Listed, page: Entry, at: At): Html {
  const { slug } = page
  return html`<section aria-label="Address">
    <h2>Address</h2>
    <p class="aside">
      The address does not depend on the title. If the page is published, its current address keeps working.
    </p>
    <form ${writingOver(formOf(place, around, page, 'address'))} class="fields review-place">
      ${hidden({ form: around.form, seen: slug! })}
      <label class="field">
        <span>Path (empty: made from the title)</span>
        <input
          name="slug"
          value="${at.slug ?? slug}"
          maxlength="${longestSlug}"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
        />
      </label>
      <div class="review-buttons"><button class="btn">Change address</button></div>
    </form>
  </section>`
}

/** Of a long list, the first titles are enough to show what it is about. */
const mostNamed = 50

const stillSeen = 'If it is published, readers see it until this change request is merged.'

const neverSeen = (below: number) =>
  below > 0
    ? 'They are new in this change request: no reader has seen them, and they cannot be restored.'
    : 'It is new in this change request: no reader has seen it, and it cannot be restored.'

/** `seen` identifies the pages that the question is about: nothing else is deleted. `isNew`: none existed before. */
export function deletePage(
  place: Place,
  around: Listed,
  { page, below, seen, isNew }: { page: Entry; below: readonly Entry[]; seen: string; isNew: boolean },
): Html {
  const { form } = around
  const { title } = pageData(page)
  const count = below.length
  const more = count - mostNamed
  return withinPage(
    place,
    around,
    `Delete “${title}”?`,
    html`${
        count > 0 &&
        html`<p>${count === 1 ? 'The page' : `The ${count} pages`} below it will be deleted too:</p>
          <ul class="review-named">
            ${below.slice(0, mostNamed).map((each) => html`<li>${pageData(each).title}</li>`)}
          </ul>
          ${more > 0 && html`<p class="none">And ${more} more.</p>`}`
      }
      <p>Links to it will no longer work. ${isNew ? neverSeen(count) : stillSeen}</p>
      <form ${writingOver(formOf(place, around, page, 'delete'))} class="fields">
        ${hidden({ form, seen })}
        ${buttonsWithBack(
          place,
          backTo(around, page),
          html`<button class="btn danger">${count > 0 ? `Delete ${count + 1} pages` : 'Delete page'}</button>`,
        )}
      </form>`,
  )
}

const choices = (all: Record<string, string>, chosen: string) =>
  Object.entries(all).map(
    ([value, label]) => html`<option value="${value}" ${value === chosen && html` selected`}>${label}</option>`,
  )

export const unlisted = ({ more }: ListedPages) =>
  more > 0 && html`<p class="none">${more} more pages are not listed here. Use the API for them.</p>`
