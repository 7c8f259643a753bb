import { pathWith } from '../../account/answer.ts'
import { hidden } from '../../account/parts.ts'
import type { SiteRedirectRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { ShownSpace } from '../../sites/structure/structure.ts'
import { asking } from '../asking.ts'
import { type BelowSite, belowSite } from './below-site.ts'
import { type Part, partLinks } from '../paging.ts'
import { counted, rows } from '../rows.ts'
import type { Said } from '../said.ts'

/** A redirect, and where it leads on the site; undefined where that is out of it, or gone. */
export type ShownRedirect = SiteRedirectRow & { path: string | undefined }

/** What somebody typed before it was refused. */
export interface TypedRedirect {
  source: string
  to: string
  space: string
  permanent: boolean
  capture: boolean
}

interface RedirectsParts extends BelowSite, Said {
  redirects: Part<ShownRedirect>
  search: string | undefined
  /** Which part of them it is, where that is not the first. */
  page: string | undefined
  /** Those whose pages they may lead to. */
  spaces: ShownSpace[]
  typed?: TypedRedirect
}

export const longestSearch = 512

/** Where old paths of a site lead; for those who may, to be added and deleted. */
export function redirectsPage(place: Place, parts: RedirectsParts): Html {
  const { rights, redirects, search } = parts
  const { count } = redirects
  return belowSite(
    place,
    parts,
    'Redirects',
    html`<p class="aside">
        Where readers go who come by an old path of the site. A page that is there is always shown, and pages that were
        moved or renamed are found without any of these.
      </p>
      ${rights.edit && adding(place, parts)}
      <section aria-labelledby="redirects">
        <h2 id="redirects">
          ${search === undefined ? counted(count, 'redirect') : `${count.toLocaleString('en')} found`}
        </h2>
        ${isLong(parts) && searching(place, parts)}
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
  return search === undefined ? 'There is none yet.' : 'None has that in its path or its address.'
}

const isLong = ({ redirects: { first, next }, search }: RedirectsParts) => (first ?? next ?? search) !== undefined

const searching = (place: Place, { path, search }: RedirectsParts) =>
  html`<form
    method="get"
    action="${place.link(`${path}/redirects`)}#redirects"
    class="fields inline one work-seek"
    role="search"
  >
    <label class="field grow">
      <span>A part of the path or of the address</span>
      <input name="search" type="search" value="${search ?? ''}" maxlength="${longestSearch}" autocomplete="off" />
    </label>
    <button class="btn">Search</button>
  </form>`

function adding(place: Place, { path, form, typed, spaces }: RedirectsParts): Html {
  return html`<section aria-labelledby="new">
    <h2 id="new">New redirect</h2>
    <form method="post" action="${place.link(`${path}/redirects`)}" class="fields">
      ${hidden({ form })}
      <div class="work-pair">
        <label class="field">
          <span>Old path</span>
          <input name="source" value="${typed?.source ?? ''}" placeholder="/old/page" autocomplete="off" required />
        </label>
        <label class="field">
          <span>Where it leads: a page or an address</span>
          <input name="to" value="${typed?.to ?? ''}" placeholder="/new/page or https://" autocomplete="off" required />
        </label>
        ${inSpace(spaces, typed?.space)}
      </div>
      ${spaces.length > 1 && html`<p class="aside">A page has its path within its space: leave section and version out.</p>`}
      <label class="choice">
        <input type="checkbox" name="permanent" value="on" ${typed?.permanent && html`checked`} />
        <span class="row-main">
          <span>For good</span>
          <span class="row-more">Browsers and search engines remember it, and ask no more.</span>
        </span>
      </label>
      <label class="choice">
        <input type="checkbox" name="capture" value="on" ${typed?.capture && html`checked`} />
        <span class="row-main">
          <span>Take along what <code>*</code> stands for</span>
          <span class="row-more">
            A <code>*</code> at the end of an old path stands for anything: <code>/old/*</code> to
            <code>/new</code> then leads from <code>/old/a</code> to <code>/new/a</code>.
          </span>
        </span>
      </label>
      <div><button class="btn primary">Add the redirect</button></div>
    </form>
  </section>`
}

/** Of one space there is no choice. */
function inSpace(spaces: ShownSpace[], chosen: string | undefined): HtmlValue {
  if (spaces.length === 1) return hidden({ space: spaces[0]!.space_id })
  if (spaces.length === 0) return undefined
  return html`<label class="field">
    <span>Space of that page</span>
    <select name="space">
      ${spaces.map(
        ({ space_id, title, space_title }) =>
          html`<option value="${space_id}" ${space_id === chosen && html`selected`}>${title ?? space_title}</option>`,
      )}
    </select>
  </label>`
}

function rowOf(place: Place, parts: RedirectsParts, row: ShownRedirect): Html {
  return html`<li>
    <span class="row-main">
      <strong><code>${row.source}</code></strong>
      <span class="row-more">leads to ${destinationOf(row)}</span>
    </span>
    <div class="review-does">
      ${row.capture_wildcard && html`<span class="tag" data-tone="plain">with what * stands for</span>`}
      ${row.permanent && html`<span class="tag" data-tone="info">for good</span>`}
      ${parts.rights.edit && deleting(place, parts, row)}
    </div>
  </li>`
}

function destinationOf({ destination, path }: ShownRedirect): Html {
  if (destination.kind === 'external')
    return html`<a href="${destination.url}" rel="noopener noreferrer">${destination.url}</a>`
  return path === undefined ? html`a page that is not there any more` : html`<code>/${path}</code>`
}

const deleting = (place: Place, parts: RedirectsParts, { id, source, updated_at }: ShownRedirect) =>
  asking(
    'Delete',
    html`<form method="post" action="${place.link(deletePath(parts))}" class="review-ask">
      ${hidden({ form: parts.form, redirect: id, seen: updated_at.toISOString() })}
      <p>Delete the redirect of <code>${source}</code>? Readers who come by it find nothing then.</p>
      <button class="btn danger">Delete it</button>
    </form>`,
    `Delete the redirect of ${source}`,
  )

/** Whoever deletes one of those that they searched for has the others before them again. */
const deletePath = ({ path, search, page }: RedirectsParts) => pathWith(`${path}/redirects/delete`, { search, page })
