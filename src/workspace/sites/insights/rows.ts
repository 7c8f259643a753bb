import { pathWith } from '../../../account/answer.ts'
import { hidden } from '../../../account/parts.ts'
import { writeDay } from '../../../days.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../../http/html.ts'
import type { OfPage } from '../../../insights/pages-read.ts'
import type { MissingRow, PageViewsRow, RatingsRow, RemarkRow, SearchesRow } from '../../../insights/queries.ts'
import { others } from '../../../insights/texts.ts'
import { percentDecoded } from '../../../percent.ts'
import { shortened } from '../../../shortened.ts'
import { asking } from '../../asking.ts'
import type { BelowSite } from '../below-site.ts'
import type { Said } from '../../said.ts'

/** The titles of the lists about the readers of a site, and what is shown if one is empty. */
export const lists = {
  pages: { title: 'Most read pages', none: 'No page was read in this period.' },
  ratings: { title: 'Helpful or not', none: 'Nobody rated a page.' },
  remarks: { title: 'What readers say', none: 'Nobody left a comment.' },
  searches: { title: 'Searches', none: 'Nobody searched in this period.' },
  unfound: { title: 'Searches without results', none: 'Every search found something.' },
  missing: { title: 'Addresses not found', none: 'Nobody opened an address that does not exist.' },
} as const

export type ListName = keyof typeof lists

/** A path that was not found, and whether it leads somewhere by now. */
export type MissingPath = MissingRow & { leadsOn: boolean }

export interface InsightsParts extends BelowSite, Said {
  days: number
  /** The address of the site, if everybody can read it. */
  address: string | undefined
}

/** How a row of each list is drawn. */
export const rowsIn = (place: Place, parts: InsightsParts) => ({
  pages: (row: OfPage<PageViewsRow>) => rowWith(pageIn(parts, row), row.views),
  ratings: (row: OfPage<RatingsRow>) => ratingsRow(parts, row),
  remarks: (row: OfPage<RemarkRow>) => remarkRow(place, parts, row),
  searches: (row: SearchesRow) => searchRow(row, row.searches),
  unfound: (row: SearchesRow) => searchRow(row, row.unfound),
  missing: (row: MissingPath) => missingRow(place, parts, row),
})

type NamedPage = OfPage<unknown>

function pageIn(parts: InsightsParts, page: NamedPage): Html {
  const { title, path } = page
  if (title === undefined) return aside(isDeleted)
  const about = path === undefined ? 'It is no longer on this site.' : `/${readable(path)}`
  return html`${linked(parts, page, html`<strong>${title}</strong>`)}${more(about)}`
}

const isDeleted = 'A deleted page'

/** Links to the page on the site, if everybody can read it there. */
const linked = ({ address }: InsightsParts, { path }: NamedPage, name: Html) =>
  address === undefined || path === undefined ? name : html`<a href="${address}${path}">${name}</a>`

const ratingsRow = (parts: InsightsParts, page: OfPage<RatingsRow>): Html =>
  html`<li>
    <span class="row-main">${pageIn(parts, page)}</span>
    <span class="work-times">${page.unhelpful.toLocaleString('en')} no, ${page.helpful.toLocaleString('en')} yes</span>
  </li>`

/** A comment of a reader. Its text direction is detected, because it can be in any language. */
const remarkRow = (place: Place, parts: InsightsParts, page: OfPage<RemarkRow>): Html =>
  html`<li>
    <span class="row-main">
      <span class="work-said" dir="auto">${page.text}</span>
      <span class="row-more">
        ${page.title === undefined ? isDeleted : linked(parts, page, html`${page.title}`)} ·
        <time datetime="${page.day}">${dayIn(page.day)}</time>
      </span>
    </span>
    ${deleting(place, parts, page)}
  </li>`

const deleting = (place: Place, { path, form, days }: InsightsParts, { id, text }: RemarkRow): Html =>
  asking(
    'Delete',
    html`<form method="post" action="${place.link(`${path}/insights/remarks/delete`)}" class="review-ask">
      ${hidden({ form, remark: id, days: String(days) })}
      <p>Delete this for everyone who can see the insights? This cannot be undone.</p>
      <button class="btn danger">Delete comment</button>
    </form>`,
    `Delete “${shortened(text, 40)}”`,
  )

const dayIn = (day: string) => writeDay(new Date(day), 'en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

const searchRow = ({ words }: SearchesRow, times: number) =>
  rowWith(words === others ? aside('All others') : html`<strong>${words}</strong>`, times)

function missingRow(place: Place, { path, rights, days }: InsightsParts, missing: MissingPath): Html {
  const { path: asked, requests, leadsOn } = missing
  if (asked === others) return rowWith(aside('All others'), requests)
  const redirect = place.link(pathWith(`${path}/redirects`, { source: asked, days: String(days) }))
  const does = leadsOn
    ? html`<span class="tag" data-tone="success">now redirected</span>`
    : rights.edit && html`<a class="btn" href="${redirect}" aria-label="Redirect ${readable(asked)}">Redirect…</a>`
  return rowWith(html`<code>${readable(asked)}</code>`, requests, does)
}

/** The path as people would type it, if it can be decoded. */
const readable = (path: string) => percentDecoded(path) ?? path

const more = (text: string) => html`<span class="row-more">${text}</span>`
const aside = (text: string) => html`<span class="aside">${text}</span>`

const rowWith = (main: Html, times: number, does?: HtmlValue): Html =>
  html`<li>
    <span class="row-main">${main}</span>
    ${does}
    <span class="work-times">
      ${times.toLocaleString('en')}<span class="sr"> ${times === 1 ? 'time' : 'times'}</span>
    </span>
  </li>`
