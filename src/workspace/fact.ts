import { type HtmlValue, html } from '../http/html.ts'

/** A line of a list of what is known about something; nothing where that is not known. */
export const fact = (name: string, value: HtmlValue): HtmlValue =>
  value !== undefined &&
  value !== false &&
  value !== '' &&
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
