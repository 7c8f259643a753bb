import { writeDay } from '../days.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import type { Place } from '../front/layout.ts'

/** Hidden fields, of those that have a value. */
export function hidden(fields: Record<string, string | undefined>): Html[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  )
}

export function note(tone: 'success' | 'danger' | 'info', text: HtmlValue): Html {
  return html`<p class="say" data-tone="${tone}" role="${tone === 'danger' ? 'alert' : 'status'}">${text}</p>`
}

/** The same, with what can be done about it beside it. */
export function noteWith(tone: 'danger' | 'info', text: HtmlValue, actions: HtmlValue): Html {
  return html`<div class="say say-with" data-tone="${tone}">
    <p role="${tone === 'danger' ? 'alert' : 'status'}">${text}</p>
    ${actions}
  </div>`
}

/** The same about what somebody just did: whoever goes by keys, or listens, is there at once, and goes on from there. */
export function outcome(tone: 'success' | 'danger', text: HtmlValue): Html {
  const role = tone === 'danger' ? 'alert' : 'status'
  return html`<p class="say" data-tone="${tone}" tabindex="-1" autofocus role="${role}">${text}</p>`
}

/** A part of a page: what it is about, and beside it, what there is. */
export function section(id: string, title: string, lead: HtmlValue, body: HtmlValue): Html {
  return html`<section class="own-part" aria-labelledby="${id}">
    <div class="own-head">
      <h2 id="${id}">${title}</h2>
      <p>${lead}</p>
    </div>
    <div class="own-body">${body}</div>
  </section>`
}

/** A form that is one button. */
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
 * Begins a form that writes over what is there, and says what of that somebody has seen. What a browser brings back into its
 * fields when somebody goes back would stand beside what others wrote meanwhile, as if that had been seen: so it does not.
 */
export const writingOver = (link: string): Html => html`method="post" action="${link}" autocomplete="off"`

/** What stands in a field of several lines. One right behind its beginning is no part of it: so there is always one. */
export const inField = (text: string | null | undefined) => `\n${text ?? ''}`

/** A time of the database, which a browser shows the same way everywhere. */
export function day(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${dayOf(time)}</time>`
}

/** The same, to the minute. */
export function moment(time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${momentOf(time)}</time>`
}

/** The same, by how far it is from `now`: “in 3 days”, “2 days ago”. */
export function fromNow(time: Date, now: Date): Html {
  const minutes = (time.getTime() - now.getTime()) / 60_000
  const [unit, length] = spans.find(([, length]) => Math.abs(minutes) >= 2 * length) ?? nearest
  // What is less than one of them is still to come, or over.
  const count = Math.round(minutes / length) || Math.sign(minutes)
  const words = (distance ??= new Intl.RelativeTimeFormat('en')).format(count, unit)
  return html`<time datetime="${time.toISOString()}" title="${momentOf(time)}">${words}</time>`
}

const nearest = ['minute', 1] as const
const spans = [['day', 24 * 60], ['hour', 60], nearest] as const

let distance: Intl.RelativeTimeFormat | undefined

const momentOf = (time: Date) => `${dayOf(time)}, ${time.toISOString().slice(11, 16)} UTC`

const dayOf = (time: Date) => writeDay(time, 'en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
