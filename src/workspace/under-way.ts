import { type Html, html } from '../http/html.ts'

/** For the head of a page that shows unfinished work: makes the page reload itself. */
export const loadingAnew = (begun: Date): Html => html`<meta http-equiv="refresh" content="${secondsToNext(begun)}" />`

/**
 * Most work finishes at once. If it does not, the page reloads less often, so that a user who moves between buttons
 * with the keyboard gets to the right one in time.
 */
const secondsToNext = (begun: Date) => (Date.now() - begun.getTime() < 10_000 ? 2 : 15)
