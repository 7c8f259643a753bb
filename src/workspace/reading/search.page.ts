import type { Static } from 'typebox'
import type { Membership } from '../../access/caller.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import type { FoundPage, FoundSpace } from '../../search/schema.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { organizationTop } from '../top.ts'

interface SearchParts {
  membership: Membership
  query: string
  /** Undefined where nothing was asked. */
  found: Part<{ space: Static<typeof FoundSpace> }> | undefined
}

export const longestQuery = 512

/** What somebody looks for in all spaces that they may read. */
export function searchPage(place: Place, { membership, query, found }: SearchParts): Html {
  const { organization } = membership
  return frame(
    place,
    `Search · ${organization.title}`,
    html`${organizationTop(place, membership, 'Spaces', {})} ${searchForm(place, organization.id, query)}
    ${found && found.rows.length === 0 && html`<p class="none">Nothing was found. Try other words, or fewer.</p>`}
    ${found?.rows.map(({ space }) => spaceFound(space))} ${found && partLinks(place, found)}`,
  )
}

export const searchForm = (place: Place, organizationId: string, query = ''): Html =>
  html`<form
    method="get"
    action="${place.link(`/app/o/${organizationId}/search`)}"
    class="fields inline one"
    role="search"
  >
    <label class="field grow">
      <span>Search all pages that you may read</span>
      <input name="query" type="search" value="${query}" maxlength="${longestQuery}" autocomplete="off" required />
    </label>
    <button class="btn">Search</button>
  </form>`

function spaceFound({ title, pages }: Static<typeof FoundSpace>): Html {
  const called = Map.groupBy(pages, (page) => page.title)
  return html`<section aria-label="${title}">
    <h2>${title}</h2>
    <ul class="rows" role="list">
      ${pages.map((page) => html`<li>${pageFound(page, called.get(page.title)!.length > 1)}</li>`)}
    </ul>
  </section>`
}

/** The best part of a page stands for it. Where others are called the same, it is told where it is. */
function pageFound({ title, path, sections, urls }: Static<typeof FoundPage>, isOneOfSeveral: boolean): HtmlValue {
  const [best] = sections
  const words = best && `${best.title === title ? '' : `${best.title}: `}${best.body}`
  const more = [isOneOfSeveral && `/${path}`, words].filter(Boolean).join(' · ')
  return html`<span class="row-main">
    <a href="${best?.urls.app ?? urls.app}"><strong>${title}</strong></a>
    ${more && html`<span class="row-more">${more}</span>`}
  </span>`
}
