import { pathWith } from '../../../account/answer.ts'
import { buttonForm, hidden, writingOver } from '../../../account/parts.ts'
import type { SiteRedirectRow } from '../../../db/tables.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import type { ShownSpace } from '../../../sites/structure/structure.ts'
import { asking } from '../../asking.ts'
import { type BelowSite, belowSite } from '../below-site.ts'
import { type Part, partLinks } from '../../paging.ts'
import { type TypedRedirect, redirectFields } from './fields.ts'
import { counted, rows } from '../../rows.ts'
import { previewOf } from '../structure/site-spaces.page.ts'
import type { Said } from '../../said.ts'

/**
 * A redirect, and the path that it leads to on the site; undefined if the target is outside the site or no longer
 * exists.
 */
export type ShownRedirect = SiteRedirectRow & { path: string | undefined }

interface RedirectsParts extends BelowSite, Said {
  redirects: Part<ShownRedirect>
  /** Whether these are drafts. */
  drafts: boolean
  search: string | undefined
  /** Which part of the list this is, unless it is the first one. */
  page: string | undefined
  /** The spaces whose pages redirects can lead to. */
  spaces: ShownSpace[]
  /** What the user typed before it was refused. */
  typed?: TypedRedirect
  /** The period of the insights that the user comes from, and goes back to afterwards. */
  days?: number | undefined
}

export const longestSearch = 512

/** Where old paths of a site lead. Those who may edit the site can add and delete redirects. */
export function redirectsPage(place: Place, parts: RedirectsParts): Html {
  const { path, rights, redirects, search, drafts } = parts
  const { count } = redirects
  return belowSite(
    place,
    parts,
    'Redirects',
    html`<p class="aside">
        Where readers of an old path are sent. Existing pages always come first. Pages, versions and sections that were
        moved or renamed need no redirect.
      </p>
      ${rights.edit && adding(place, parts)}
      <section aria-labelledby="redirects">
        <h2 id="redirects">
          ${search === undefined ? counted(count, drafts ? 'draft' : 'redirect') : `${count.toLocaleString('en')} found`}
        </h2>
        ${isLong(parts) && searching(place, parts)} ${others(place, path, drafts)}
        ${rows(
          redirects.rows.map((row) => rowOf(place, parts, row)),
          noneOf(parts),
        )}
        ${partLinks(place, redirects, '#redirects')}
      </section>`,
  )
}

function noneOf({ redirects: { first }, search }: RedirectsParts): string {
  if (first !== undefined) return 'There are no more.'
  return search === undefined ? 'None yet.' : 'No redirect matches.'
}

const isLong = ({ redirects: { first, next }, search }: RedirectsParts) => (first ?? next ?? search) !== undefined

/** Links to the redirects that are not shown: drafts, or active ones. */
const others = (place: Place, path: string, drafts: boolean) =>
  drafts
    ? html`<p class="aside work-note">
        Only previews of the site follow drafts. <a href="${place.link(`${path}/redirects`)}">Active redirects</a>
      </p>`
    : html`<p class="aside work-note">
        <a href="${place.link(`${path}/redirects?drafts=on`)}">Drafts</a> are followed only by previews.
      </p>`

const searching = (place: Place, { path, search, drafts }: RedirectsParts) =>
  html`<form
    method="get"
    action="${place.link(`${path}/redirects`)}#redirects"
    class="fields inline one work-seek"
    role="search"
  >
    ${drafts && hidden({ drafts: 'on' })}
    <label class="field grow">
      <span>Part of the path or target</span>
      <input name="search" type="search" value="${search ?? ''}" maxlength="${longestSearch}" autocomplete="off" />
    </label>
    <button class="btn">Search</button>
  </form>`

function adding(place: Place, { path, form, typed, spaces, drafts, days }: RedirectsParts): Html {
  return html`<section aria-labelledby="new">
    <h2 id="new">New redirect</h2>
    <form method="post" action="${place.link(`${path}/redirects`)}" class="fields">
      ${hidden({ form, days: days?.toString() })} ${redirectFields(spaces, typed)}
      <label class="choice">
        <input type="checkbox" name="draft" value="on" ${drafts && html`checked`} />
        <span class="row-main">
          <span>A draft</span>
          <span class="row-more">Only previews follow it until you publish it.</span>
        </span>
      </label>
      <div><button class="btn primary">Add redirect</button></div>
    </form>
  </section>`
}

function rowOf(place: Place, parts: RedirectsParts, row: ShownRedirect): Html {
  return html`<li>
    <span class="row-main">
      <strong><code>${row.source}</code></strong>
      <span class="row-more">leads to ${destinationOf(row)}</span>
    </span>
    <div class="review-does">
      ${row.capture_wildcard && html`<span class="tag" data-tone="plain">with the part matched by *</span>`}
      ${row.permanent && html`<span class="tag" data-tone="info">permanent</span>`}
      ${parts.rights.edit && doings(place, parts, row)}
    </div>
  </li>`
}

function destinationOf({ destination, path }: ShownRedirect): Html {
  if (destination.kind === 'external')
    return html`<a href="${destination.url}" rel="noopener noreferrer">${destination.url}</a>`
  return path === undefined ? html`a page that no longer exists` : html`<code>/${path}</code>`
}

const doings = (place: Place, parts: RedirectsParts, row: ShownRedirect) => {
  const { id, source, draft } = row
  const change = place.link(`${parts.path}/redirects/${id}`)
  return html`${draft && previewOf(place, parts, { path: previewFrom(parts, row), title: source })}
    ${draft && publishing(place, parts, row)}
    <a class="btn" href="${change}" aria-label="Change the redirect of ${source}">Change</a>
    ${deleting(place, parts, row)}`
}

/** The path that a reader would come from. A wildcard also matches nothing, so it is left out. */
const previewFrom = ({ path }: RedirectsParts, { source }: ShownRedirect) =>
  pathWith(`${path}/preview`, { at: source.replace(/\/?\*$/, '') })

const fieldsFor = ({ form }: RedirectsParts, { id, updated_at }: ShownRedirect) => ({
  form,
  redirect: id,
  seen: updated_at.toISOString(),
})

const publishing = (place: Place, parts: RedirectsParts, row: ShownRedirect) =>
  buttonForm(place, {
    action: pathFor(parts, 'publish'),
    fields: fieldsFor(parts, row),
    label: 'Publish',
    name: `Publish the redirect of ${row.source}`,
  })

const deleting = (place: Place, parts: RedirectsParts, row: ShownRedirect) =>
  asking(
    'Delete',
    html`<form ${writingOver(place.link(pathFor(parts, 'delete')))} class="review-ask">
      ${hidden(fieldsFor(parts, row))}
      <p>
        Delete the ${row.draft && 'draft of a '}redirect of <code>${row.source}</code>?
        ${!row.draft && 'Readers who use it will find nothing.'}
      </p>
      <button class="btn danger">Delete redirect</button>
    </form>`,
    `Delete the redirect of ${row.source}`,
  )

/** After an action on a redirect in the list, the user sees the same search and the same part of the list again. */
const pathFor = ({ path, drafts, search, page }: RedirectsParts, action: string) =>
  pathWith(`${path}/redirects/${action}`, { drafts: drafts ? 'on' : undefined, search, page })
