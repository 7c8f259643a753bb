import { type Html, html } from '../http/html.ts'

/** What is done after a question. */
export const asking = (label: string, question: Html, name?: string): Html =>
  html`<details class="work-asking">
    <summary class="btn" ${name !== undefined && html` aria-label="${name}"`}>${label}</summary>
    ${question}
  </details>`
