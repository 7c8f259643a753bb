import { pathWith } from '../../../account/answer.ts'
import { note } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../../http/html.ts'
import type { OfPage } from '../../../insights/pages-read.ts'
import type { DayRow, PageViewsRow, RatingsRow, RemarkRow, SearchesRow } from '../../../insights/queries.ts'
import { type Part, partLinks } from '../../paging.ts'
import { rows } from '../../rows.ts'
import { belowSite, siteTop } from '../below-site.ts'
import { frame } from '../../frame.ts'
import { saidOn, tabsOfSite } from '../../top.ts'
import { chartOf } from './chart.ts'
import { type InsightsParts, type ListName, type MissingPath, lists, rowsIn } from './rows.ts'

/** The periods to choose from, in days. */
export const choices = [7, 30, 90] as const

/** Returns the period that a URL or a form refers to; undefined if there is no such period. */
export const daysNamed = (text: unknown) => choices.find((each) => String(each) === text)

interface Some<Row> {
  rows: Row[]
  count: number
}

interface OverviewParts extends InsightsParts {
  isCounting: boolean
  byDay: DayRow[]
  /** Whether pages ask readers if they were helpful, anywhere on the site. */
  isAsking: boolean
  pages: Some<OfPage<PageViewsRow>>
  ratings: Some<OfPage<RatingsRow>>
  remarks: Some<OfPage<RemarkRow>>
  searches: Some<SearchesRow>
  unfound: Some<SearchesRow>
  missing: Some<MissingPath>
}

/** What readers of a site read, say, search for and do not find. */
export function insightsPage(place: Place, parts: OverviewParts): Html {
  const { byDay, isCounting } = parts
  const draw = rowsIn(place, parts)
  return belowSite(
    place,
    parts,
    'Insights',
    html`${tabsOfSite(place, parts.path, 'Insights')}
      <p class="aside">
        What readers read, search for, do not find and tell you. Lectern keeps counts by day (UTC) and what readers
        write, but nothing about who reads. Robots are not counted.
      </p>
      ${!parts.access.site.published && note('info', 'The site is not published, so nothing is counted.')}
      ${!isCounting && note('info', 'Counting is turned off on this server. Earlier counts are shown.')}
      ${periods(place, parts, '')} ${figures(byDay)} ${chartOf(byDay)}
      ${beginning(place, parts, 'pages', parts.pages, draw.pages)} ${said(place, parts)}
      <div class="work-beside">
        ${beginning(place, parts, 'searches', parts.searches, draw.searches)}
        ${beginning(place, parts, 'unfound', parts.unfound, draw.unfound)}
      </div>
      ${beginning(place, parts, 'missing', parts.missing, draw.missing)}`,
  )
}

/**
 * Shows ratings and comments. If no page asks for them, it says how to change that, and earlier ones are still shown.
 */
function said(place: Place, parts: OverviewParts): HtmlValue {
  const { ratings, remarks, isAsking, isCounting, path } = parts
  const draw = rowsIn(place, parts)
  const isSaid = ratings.count > 0 || remarks.count > 0
  const tip =
    !isAsking &&
    isCounting &&
    html`<p class="aside">
      Pages can ask readers whether they were helpful: <a href="${place.link(`${path}/look`)}">the look</a> has the
      switch.
    </p>`
  if (!isSaid && !isAsking) return tip
  return html`<div class="work-beside">
      ${beginning(place, parts, 'ratings', ratings, draw.ratings)}
      ${beginning(place, parts, 'remarks', remarks, draw.remarks)}
    </div>
    ${tip}`
}

/** One of the lists, in full. */
export function insightsListPage(place: Place, parts: InsightsParts, name: ListName, list: Part<Html>): Html {
  const { title, none } = lists[name]
  const { site } = parts.access
  const above = place.link(pathWith(`${parts.path}/insights`, { days: String(parts.days) }))
  return frame(
    place,
    `${title} · ${site.title}`,
    html`${siteTop(place, parts, site, html` › <a href="${above}">Insights</a>`)}
      <h1>${title}</h1>
      ${saidOn(parts)} ${periods(place, parts, `/${name}`)}
      ${rows(list.rows, list.first === undefined ? none : 'There are no more.')} ${partLinks(place, list)}`,
  )
}

/** The first rows of a list, and a link to all of them. */
function beginning<Row>(
  place: Place,
  { path, days }: InsightsParts,
  name: ListName,
  { rows: some, count }: Some<Row>,
  draw: (row: Row) => Html,
): Html {
  const { title, none } = lists[name]
  const all = place.link(pathWith(`${path}/insights/${name}`, { days: String(days) }))
  const label = `All ${count.toLocaleString('en')}`
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}">${title}</h2>
    ${rows(some.map(draw), none)}
    ${
      count > some.length &&
      html`<p class="work-parts"><a class="btn" href="${all}" aria-label="${label}: ${title}">${label}</a></p>`
    }
  </section>`
}

const periods = (place: Place, { path, days }: InsightsParts, below: string): HtmlValue =>
  html`<nav class="work-tabs work-periods" aria-label="Of how many days">
    ${choices.map(
      (each) =>
        html`<a
          href="${place.link(pathWith(`${path}/insights${below}`, { days: String(each) }))}"
          ${each === days && html` aria-current="page"`}
          >${each} days</a
        >`,
    )}
  </nav>`

function figures(days: DayRow[]): Html {
  const all = Object.entries(counted).map(([name, of]) => {
    const sum = days.reduce((sum, day) => sum + day[of], 0)
    return { name, text: sum.toLocaleString('en') }
  })
  const isLong = all.some(({ text }) => text.length > longestFigure)
  return html`<dl class="work-figures ${isLong && 'long'}">
    ${all.map(
      ({ name, text }) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`
}

const counted = {
  'Pages read': 'views',
  Searches: 'searches',
  'Without results': 'unfound',
  'Not found': 'missing',
} as const

/** The longest number, in characters, that fits next to another one in large type on a phone. */
const longestFigure = 7
