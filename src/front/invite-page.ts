import { type Html, html } from '../http/html.ts'
import { codeBlock, highlightShell } from './code.ts'
import { type Place, layout, mark } from './layout.ts'

/**
 * Where the link of an invite leads until people can sign in here. It is the same for every address and looks nothing
 * up, so an address that was guessed tells nothing.
 */
export function invitePage(place: Place): Html {
  return layout({
    place,
    title: 'You are invited · Lectern',
    description: 'How to accept an invite.',
    kind: 'notice',
    icons: [],
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<main id="content" class="plain">
      <div class="gate">
        <div class="gate-card">
          ${mark}
          <h1>You are invited</h1>
          <p>The last part of this address is your invite. Whoever has it can use it, so keep it to yourself.</p>
          <p>New here? This makes your account and answers with your API token:</p>
          ${codeBlock('curl', highlightShell(acceptAsNewcomer(place.url)))}
          <p>With an account, send your token along and leave the body out: you join as who you are.</p>
          <a class="btn primary big" href="${place.link('/docs/api#acceptInvite')}">See it in the API reference</a>
        </div>
      </div>
    </main>`,
  })
}

const acceptAsNewcomer = (url: string) => `curl "${url}/v1/invites/$INVITE/accept" \\
  --json '{"email": "you@example.com", "displayName": "Your name"}'`
