import { type HtmlValue, html } from '../http/html.ts'

/** One fact in a list of facts. Renders nothing if the value is missing. */
export const fact = (name: string, value: HtmlValue): HtmlValue =>
  value !== undefined &&
  value !== false &&
  value !== '' &&
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
