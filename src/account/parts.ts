import { writeDay } from '../days.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import type { Place } from '../front/layout.ts'

/** Hidden inputs for the fields that have a value. */
export function hidden(fields: Record<string, string | undefined>): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  )
}

export function note(tone: 'success' | 'danger' | 'info', text: HtmlValue): Html {
  return html`<p class="say" data-tone="${tone}" role="${tone === 'danger' ? 'alert' : 'status'}">${text}</p>`
}

/** A note with buttons for what can be done about it. */
export function noteWith(tone: 'danger' | 'info', text: HtmlValue, actions: HtmlValue): Html {
  return html`<div class="say say-with" data-tone="${tone}">
    <p role="${tone === 'danger' ? 'alert' : 'status'}">${text}</p>
    ${actions}
  </div>`
}

/**
 * A note about what the person just did. It takes the focus, so people who use a keyboard or a screen reader are there
 * at once and continue from there.
 */
export function outcome(tone: 'success' | 'danger', text: HtmlValue): Html {
  const role = tone === 'danger' ? 'alert' : 'status'
  return html`<p class="say" data-tone="${tone}" tabindex="-1" autofocus role="${role}">${text}</p>`
}

/** A section of a page: its title and description, with the content beside it. */
export function section(id: string, title: string, lead: HtmlValue, body: HtmlValue): Html {
  return html`<section class="own-part" aria-labelledby="${id}">
    <div class="own-head">
      <h2 id="${id}">${title}</h2>
      <p>${lead}</p>
    </div>
    <div class="own-body">${body}</div>
  </section>`
}

/** A form that consists of one button. */
export function buttonForm(
  place: Place,
  form: { action: string; fields: Record<string, string | undefined>; label: HtmlValue; name?: string; look?: string },
): Html {
  return html`<form method="post" action="${place.link(form.action)}">
    ${hidden(form.fields)}
    <button class="btn ${form.look ?? ''}" ${form.name !== undefined && html` aria-label="${form.name}"`}>
      ${form.label}
    </button>
  </form>`
}

/**
 * The attributes of a form that overwrites existing content and states which version of it the person has seen. Without
 * autocomplete, so that a browser does not restore old field values when the person goes back: beside what others have
 * written since, these would count as seen.
 */
export const writingOver = (link: string): Html => html`method="post" action="${link}" autocomplete="off"`

/** The content of a textarea. HTML drops a line break right after the opening tag, so there is always one. */
export const inField = (text: string | null | undefined) => `\n${text ?? ''}`

/** The day of a time from the database, which looks the same in every browser. */
export function day(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${dayOf(time)}</time>`
}

/** The same, with hours and minutes. */
export function moment(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${momentOf(time)}</time>`
}

/** The same, relative to `now`: “in 3 days”, “2 days ago”. */
export function fromNow(time: Date, now: Date): Html {
  const minutes = (time.getTime() - now.getTime()) / 60_000
  const [unit, length] = spans.find(([, length]) => Math.abs(minutes) >= 2 * length) ?? nearest
  // Less than one unit counts as one, ahead or past.
  const count = Math.round(minutes / length) || Math.sign(minutes)
  const words = (distance ??= new Intl.RelativeTimeFormat('en')).format(count, unit)
  return html`<time datetime="${time.toISOString()}" title="${momentOf(time)}">${words}</time>`
}

const nearest = ['minute', 1] as const
const spans = [['day', 24 * 60], ['hour', 60], nearest] as const

let distance: Intl.RelativeTimeFormat | undefined

const momentOf = (time: Date) => `${dayOf(time)}, ${time.toISOString().slice(11, 16)} UTC`

const dayOf = (time: Date) => writeDay(time, 'en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
