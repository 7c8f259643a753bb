import { note } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import { frame } from '../workspace/frame.ts'

/**
 * Leads from a form to the site that shows what was saved. Browsers do not let a form end at an address other than
 * ours, whatever the redirects, so this page comes in between and redirects automatically.
 */
export const lookPage = (place: Place, address: string): Html =>
  savedPage(
    place,
    address,
    'Next you see the preview.',
    html`<meta http-equiv="refresh" content="0; url=${address}" />`,
  )

/** The same without redirecting: authors have to read that what they wrote was saved together with another text. */
export const combinedPage = (place: Place, address: string): Html =>
  savedPage(place, address, 'It was saved together with what somebody else has changed since you opened it.')

const savedPage = (place: Place, address: string, said: string, refresh?: Html): Html =>
  frame(
    place,
    'Your text is saved',
    html`<h1>Your text is saved</h1>
      ${note('success', said)}
      <div class="review-buttons"><a class="btn primary" href="${address}">Preview as a reader</a></div>`,
    [],
    refresh,
  )
