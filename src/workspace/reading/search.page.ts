import { appPath } from '../../app-path.ts'
import type { Static } from 'typebox'
import type { Membership } from '../../access/caller.ts'
import { pathWith } from '../../account/answer.ts'
import type { SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pagesOfSpace } from '../../search/in-spaces.queries.ts'
import type { FoundPage, FoundSpace } from '../../search/schema.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { nameOfSpace } from '../spaces/space-name.ts'
import { organizationTop } from '../top.ts'

type Page = Static<typeof FoundPage>

interface Asked<Found> {
  membership: Membership
  query: string
  /** Undefined if there is no query. */
  found: Part<Found> | undefined
}

type SearchParts = Asked<{ space: Static<typeof FoundSpace> }>

interface SpaceSearchParts extends Asked<{ page: Page | undefined }> {
  space: SpaceRow
}

export const longestQuery = 512

/** The search results from all spaces that the caller may read. */
export function searchPage(place: Place, { membership, query, found }: SearchParts): Html {
  const { organization } = membership
  const home = appPath.organization(organization.id)
  return frame(
    place,
    `Search · ${organization.title}`,
    html`${organizationTop(place, membership, 'Spaces', {})} ${searchForm(place, organization.id, query)}
    ${nothingIn(found)} ${found?.rows.map(({ space }) => spaceFound(place, home, query, space))}
    ${found && partLinks(place, found)}`,
  )
}

/** The same for one space, with everything that is found. */
export function spaceSearchPage(place: Place, { membership, space, query, found }: SpaceSearchParts): Html {
  const { organization } = membership
  const home = appPath.organization(organization.id)
  const pages = found?.rows.flatMap(({ page }) => page ?? []) ?? []
  return frame(
    place,
    `Search · ${space.title}`,
    html`<nav class="review-space" aria-label="Where this is">
        <a href="${place.link(home)}">${organization.title}</a> ›
        <a href="${place.link(pathOf(home, space.id))}">${nameOfSpace(space)}</a>
      </nav>
      <h1>Search</h1>
      ${spaceSearchForm(place, pathOf(home, space.id), query)} ${nothingIn(found)}
      ${
        found &&
        found.count > 0 &&
        html`<section aria-label="What was found">
          <p class="aside work-note">${countOf(found.count)}</p>
          ${pagesFound(pages)} ${partLinks(place, found)}
        </section>`
      }
      ${
        query !== '' &&
        html`<p class="aside work-note">
          <a href="${place.link(pathWith(`${home}/search`, { query }))}">Search in all spaces</a>
        </p>`
      }`,
  )
}

/** Results beyond this number are not counted. */
const mostCounted = 1_000

function countOf(count: number): string {
  if (count >= mostCounted) return `${mostCounted} pages or more, best first.`
  return count === 1 ? 'One page.' : `${count} pages, best first.`
}

const pathOf = (home: string, spaceId: string) => `${home}/s/${spaceId}`

const nothingIn = (found: Part<unknown> | undefined): HtmlValue =>
  found?.rows.length === 0 && html`<p class="none">Nothing found. Try other or fewer words.</p>`

export const searchForm = (place: Place, organizationId: string, query = ''): Html =>
  formFor(place, `${appPath.organization(organizationId)}/search`, 'Search all pages you can read', query)

/** `path` is the path of the space. */
export const spaceSearchForm = (place: Place, path: string, query = ''): Html =>
  formFor(place, `${path}/~/search`, 'Search this space', query)

const formFor = (place: Place, path: string, label: string, query: string): Html =>
  html`<form
    method="get"
    action="${place.link(path)}"
    class="fields inline one"
    role="search"
    aria-label="Texts of pages"
  >
    <label class="field grow">
      <span>${label}</span>
      <input name="query" type="search" value="${query}" maxlength="${longestQuery}" autocomplete="off" required />
    </label>
    <button class="btn">Search</button>
  </form>`

function spaceFound(place: Place, home: string, query: string, { id, title, pages }: Static<typeof FoundSpace>): Html {
  const path = pathOf(home, id)
  return html`<section aria-label="${title}">
    <h2><a href="${place.link(path)}">${title}</a></h2>
    ${pagesFound(pages)}
    ${
      pages.length >= pagesOfSpace &&
      html`<p class="aside work-note">
        <a href="${place.link(pathWith(`${path}/~/search`, { query }))}">All that was found in ${title}</a>
      </p>`
    }
  </section>`
}

function pagesFound(pages: readonly Page[]): Html {
  const called = Map.groupBy(pages, (page) => page.title)
  return html`<ul class="rows" role="list">
    ${pages.map((page) => html`<li>${pageFound(page, called.get(page.title)!.length > 1)}</li>`)}
  </ul>`
}

/** Shows the best section of a page. If other results have the same title, the path is shown as well. */
function pageFound({ title, path, sections, urls }: Page, isOneOfSeveral: boolean): HtmlValue {
  const [best] = sections
  const words = best && `${best.title === title ? '' : `${best.title}: `}${best.body}`
  const more = [isOneOfSeveral && `/${path}`, words].filter(Boolean).join(' · ')
  return html`<span class="row-main">
    <a href="${best?.urls.app ?? urls.app}"><strong>${title}</strong></a>
    ${more && html`<span class="row-more">${more}</span>`}
  </span>`
}
