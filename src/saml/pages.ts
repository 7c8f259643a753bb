import { type Html, html } from '../http/html.ts'
import { type Place, layout, mark } from '../front/layout.ts'

/** What somebody reads who was not signed in: why, what to do, and by what an administrator finds it in the record. */
export function refusedPage(
  place: Place,
  { message, again, requestId }: { message: string; again: string | undefined; requestId: string },
): Html {
  return layout({
    place,
    title: 'Not signed in · Lectern',
    description: 'Signing in did not work.',
    kind: 'notice',
    icons: [],
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<main id="content" class="plain">
      <div class="gate">
        <div class="gate-card">
          ${mark}
          <h1>You are not signed in</h1>
          <p>${message}</p>
          ${again !== undefined && html`<a class="btn primary big" href="${again}">Try again</a>`}
          <p>
            If it happens again, tell an administrator of your organization, with this number: <code>${requestId}</code>
          </p>
        </div>
      </div>
    </main>`,
  })
}
