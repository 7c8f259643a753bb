import { gate } from '../front/gate.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'

/** What somebody reads who was not signed in: why, what to do, and by what an administrator finds it in the record. */
export function refusedPage(
  place: Place,
  refusal: { message: string; again: string | undefined; otherWay: string | undefined; requestId: string },
): Html {
  const { message, again, otherWay, requestId } = refusal
  return gate(place, {
    title: 'Not signed in',
    description: 'Signing in did not work.',
    heading: 'You are not signed in',
    body: html`<p>${message}</p>
      ${again !== undefined && html`<a class="btn primary big" href="${again}">Try again</a>`}
      ${otherWay !== undefined && html`<a class="btn primary big" href="${otherWay}">Sign in another way</a>`}
      <p>
        If it happens again, tell an administrator of your organization, with this number: <code>${requestId}</code>
      </p>`,
  })
}
