import { writeDay } from '../../../days.ts'
import { type Html, html } from '../../../http/html.ts'
import type { DayRow } from '../../../insights/queries.ts'

/** Units of the drawing: the width of a day, and the height. The drawing is as wide as there is room. */
const [step, height] = [10, 100]

/** Draws how many pages were read on each day as bars, and everything that was counted as a table. */
export function chartOf(days: DayRow[]): Html {
  const most = roundMost(Math.max(...days.map(({ views }) => views)))
  const [first, last] = [days[0]!, days.at(-1)!]
  const about = `Pages read each day from ${dayIn(first)} to ${dayIn(last)}. The numbers are in the table below.`
  return html`<figure class="work-chart">
    <figcaption>Pages read each day</figcaption>
    <div class="work-plot">
      <div class="work-scale" aria-hidden="true">
        ${[most, most / 2, 0].map((each) => html`<span>${inShort(each)}</span>`)}
      </div>
      <svg viewBox="0 0 ${days.length * step} ${height}" preserveAspectRatio="none" role="img" aria-label="${about}">
        ${days.map((day, at) => bar(day, at, most, days.length > 7 ? 7 : 4))}
      </svg>
      <div class="work-days" aria-hidden="true">${labels(days).map((each) => html`<span>${each}</span>`)}</div>
    </div>
    ${table(days)}
  </figure>`
}

/** Even a single view on a busy site results in a visible bar. */
function bar(day: DayRow, at: number, most: number, width: number): Html {
  const tall = day.views === 0 ? 0 : Math.max(1.5, (day.views / most) * height)
  const x = at * step + (step - width) / 2
  return html`<g>
    <title>${dayIn(day)}: ${day.views.toLocaleString('en')}</title>
    <rect class="work-hit" x="${at * step}" y="0" width="${step}" height="${height}" />
    <rect x="${x}" y="${(height - tall).toFixed(2)}" width="${width}" height="${tall.toFixed(2)}" />
  </g>`
}

/** Rounds up to a number that reads well and whose half does, too. */
function roundMost(most: number): number {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  const times = [1, 2, 3, 4, 5, 6, 8, 10].find((each) => each * power >= most && (each * power) % 2 === 0)!
  return times * power
}

/** “500,000”, but “1M” from a million on. */
const inShort = (number: number) => number.toLocaleString('en', number >= 1_000_000 ? { notation: 'compact' } : {})

const weekdays = (day: string) => writeDay(new Date(day), 'en-GB', { weekday: 'short' })

/** Labels each day of a week. For longer periods, only the first day, one in the middle and the last day. */
function labels(days: DayRow[]): string[] {
  if (days.length <= 7) return days.map(({ day }) => weekdays(day))
  return [days[0]!, days[Math.floor(days.length / 2)]!, days.at(-1)!].map(dayIn)
}

const dayIn = ({ day }: DayRow) => writeDay(new Date(day), 'en-GB', { day: 'numeric', month: 'short' })

/** The newest day comes first. */
const table = (days: DayRow[]) =>
  html`<details>
    <summary class="btn">Day by day</summary>
    <div class="work-table scroll" tabindex="0" role="region" aria-label="Day by day">
      <table>
        <thead>
          <tr>
            ${['Day', 'Pages read', 'Searches', 'Without results', 'Not found'].map((each) => html`<th scope="col">${each}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${days.toReversed().map(
            (day) =>
              html`<tr>
                <th scope="row"><time datetime="${day.day}">${dayIn(day)}</time></th>
                ${[day.views, day.searches, day.unfound, day.missing].map((each) => html`<td>${each.toLocaleString('en')}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`
