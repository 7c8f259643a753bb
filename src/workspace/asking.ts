import { type Html, html } from '../http/html.ts'

/** A button that opens a question before it acts. `isOpen` if the previous answer was refused. */
export const asking = (label: string, question: Html, name?: string, isOpen = false): Html =>
  html`<details class="work-asking" ${isOpen && html`open`}>
    <summary class="btn" ${name !== undefined && html` aria-label="${name}"`}>${label}</summary>
    ${question}
  </details>`
