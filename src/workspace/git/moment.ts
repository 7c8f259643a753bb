import { type Html, html } from '../../http/html.ts'

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A time to the minute: several may be of one day. */
export const moment = (time: string): Html => html`<time datetime="${time}">${format.format(new Date(time))} UTC</time>`
