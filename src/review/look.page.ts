import { note } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import { frame } from '../workspace/frame.ts'

/**
 * Leads from a form to the site that shows what was saved. Browsers do not let a form end at an address other than
 * ours, whatever the redirects, so this page comes in between and redirects automatically.
 */
export const lookPage = (place: Place, address: string): Html =>
  frame(
    place,
    'Your text is saved',
    html`<h1>Your text is saved</h1>
      ${note('success', 'Next you see the preview.')}
      <div class="review-buttons"><a class="btn primary" href="${address}">Preview as a reader</a></div>`,
    [],
    html`<meta http-equiv="refresh" content="0; url=${address}" />`,
  )
