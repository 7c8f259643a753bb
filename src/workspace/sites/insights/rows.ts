import { pathWith } from '../../../account/answer.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../../http/html.ts'
import type { PageReads } from '../../../insights/pages-read.ts'
import type { MissingRow, SearchesRow } from '../../../insights/queries.ts'
import { others } from '../../../insights/texts.ts'
import { percentDecoded } from '../../../percent.ts'
import type { BelowSite } from '../below-site.ts'
import type { Said } from '../../said.ts'

/** What the lists about the readers of a site are of, and what is said where one is empty. */
export const lists = {
  pages: { title: 'Read most', none: 'No page was read in these days.' },
  searches: { title: 'Looked for', none: 'Nobody looked for anything in these days.' },
  unfound: { title: 'Looked for, and not found', none: 'Nobody looked for anything that was not found.' },
  missing: { title: 'Addresses that led nowhere', none: 'Nobody came to an address that led nowhere.' },
} as const

export type ListName = keyof typeof lists

/** A path that led nowhere, and whether it leads somewhere now. */
export type MissingPath = MissingRow & { leadsOn: boolean }

export interface InsightsParts extends BelowSite, Said {
  days: number
  /** Where everybody can read the site. */
  address: string | undefined
}

/** How a row of each list is drawn. */
export const rowsIn = (place: Place, parts: InsightsParts) => ({
  pages: (row: PageReads) => pageRow(parts, row),
  searches: (row: SearchesRow) => searchRow(row, row.searches),
  unfound: (row: SearchesRow) => searchRow(row, row.unfound),
  missing: (row: MissingPath) => missingRow(place, parts, row),
})

function pageRow({ address }: InsightsParts, { title, path, views }: PageReads): Html {
  if (title === undefined) return row(aside('A page that is deleted by now'), views)
  const name = html`<strong>${title}</strong>`
  if (path === undefined) return row(html`${name}${more('It is not on this site any more.')}`, views)
  const linked = address === undefined ? name : html`<a href="${address}${path}">${name}</a>`
  return row(html`${linked}${more(`/${readable(path)}`)}`, views)
}

const searchRow = ({ words }: SearchesRow, times: number) =>
  row(words === others ? aside('All others') : html`<strong>${words}</strong>`, times)

function missingRow(place: Place, { path, rights, days }: InsightsParts, missing: MissingPath): Html {
  const { path: asked, requests, leadsOn } = missing
  if (asked === others) return row(aside('All others'), requests)
  const redirect = place.link(pathWith(`${path}/redirects`, { source: asked, days: String(days) }))
  const does = leadsOn
    ? html`<span class="tag" data-tone="success">leads on now</span>`
    : rights.edit && html`<a class="btn" href="${redirect}" aria-label="Redirect ${readable(asked)}">Redirect…</a>`
  return row(html`<code>${readable(asked)}</code>`, requests, does)
}

/** As people would type it, where it can be. */
const readable = (path: string) => percentDecoded(path) ?? path

const more = (text: string) => html`<span class="row-more">${text}</span>`
const aside = (text: string) => html`<span class="aside">${text}</span>`

const row = (main: Html, times: number, does?: HtmlValue): Html =>
  html`<li>
    <span class="row-main">${main}</span>
    ${does}
    <span class="work-times">
      ${times.toLocaleString('en')}<span class="sr"> ${times === 1 ? 'time' : 'times'}</span>
    </span>
  </li>`
