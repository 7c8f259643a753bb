import { type Html, html } from '../http/html.ts'

/** For the head of a page that shows work which has not ended: it loads itself anew. */
export const loadingAnew = (begun: Date): Html => html`<meta http-equiv="refresh" content="${secondsToNext(begun)}" />`

/** Most ends at once. Of what does not, somebody who goes from button to button by keys gets to the one they want in time. */
const secondsToNext = (begun: Date) => (Date.now() - begun.getTime() < 10_000 ? 2 : 15)
