import { gate } from '../front/gate.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'

/**
 * Shown to a person whom an identity provider did not sign in: the reason, what to do, and a number by which others can
 * find out more.
 */
export function refusedPage(
  place: Place,
  refusal: {
    heading?: string
    message: string
    way: { label: string; address: string } | undefined
    whom: string
    requestId: string
  },
): Html {
  const { heading = 'You are not signed in', message, way, whom, requestId } = refusal
  return gate(place, {
    title: 'Not signed in',
    description: 'Signing in did not work.',
    heading,
    body: html`<p>${message}</p>
      ${way !== undefined && html`<a class="btn primary big" href="${way.address}">${way.label}</a>`}
      <p>If it happens again, tell ${whom}, with this number: <code>${requestId}</code></p>`,
  })
}
