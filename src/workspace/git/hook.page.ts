import { hidden, moment, writingOver } from '../../account/parts.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import type { CallResult, ShownHook } from '../../git/following/hook/present.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import { fact } from '../fact.ts'

export interface HookParts {
  /** Path of the space. */
  path: string
  form: string
  /** Undefined if there is none. */
  hook: ShownHook | undefined
  /** Identifies the hook that the form shows. A change is refused if it is no longer current. */
  seen: string
  /** The URL of the repository, which decides which host's instructions are shown. */
  repository: string
  /** A new secret, shown only once. */
  secret?: string | undefined
}

/** Push notifications from the host of a repository: the address for them, and the last call. */
export function hookPart(place: Place, parts: HookParts): Html {
  const { hook, secret } = parts
  if (!hook) return making(place, parts)
  return html`${secret === undefined && codeBlock('Address for the host', html`${hook.url}`)}
    <dl class="work-roles">
      ${fact('Last call', lastCall(hook))} ${fact('Refused', refusedSince(hook))}
      ${fact('Secret', html`created ${moment(new Date(hook.setUpAt))}, stored encrypted, never shown again`)}
    </dl>
    <div class="review-does">
      ${secret === undefined && asking('How to set it up', steps(parts))}
      ${asking('New secret', renewing(place, parts))} ${asking('Remove', removing(place, parts))}
    </div>`
}

const making = (place: Place, { path, form, seen }: HookParts) =>
  html`<p class="aside">
      The host of the repository (GitHub, GitLab, Gitea, Forgejo, Bitbucket) can call an address here when somebody
      pushes. Pushed changes then arrive within seconds instead of at the next check. The host must be able to reach
      this server.
    </p>
    <form ${writingOver(place.link(`${path}/~/git/following/hook`))}>
      ${hidden({ form, seen })}
      <button class="btn">Create address and secret</button>
    </form>`

/** The host asks for both, one after the other. */
export const freshHook = ({ hook, secret, repository }: Pick<HookParts, 'hook' | 'secret' | 'repository'>): HtmlValue =>
  hook &&
  secret !== undefined &&
  html`<div tabindex="-1" autofocus class="fresh" role="status">
    <p>
      <strong>Copy the secret now.</strong> The host of the repository asks for both. The secret is not shown again.
    </p>
    ${codeBlock('Address', html`${hook.url}`)} ${codeBlock('Secret', html`${secret}`)} ${steps({ repository })}
  </div>`

const outcomes = {
  look: 'a push: the branch was checked',
  'other-branch': 'a push to a branch that is not followed: there was nothing to do',
  'no-push': 'a test, or something other than a push: address and secret are correct',
  stopped: 'a push, but the space is no longer kept in sync: set it up again',
} satisfies Record<CallResult, string>

const lastCall = ({ lastCall }: ShownHook): HtmlValue =>
  lastCall ? html`${moment(new Date(lastCall.at))}, ${outcomes[lastCall.result]}` : 'none yet'

/** If a correct call has arrived since, the problem is solved. */
function refusedSince({ lastCall, lastRefusedAt }: ShownHook): HtmlValue {
  if (lastRefusedAt === undefined || (lastCall && lastCall.at > lastRefusedAt)) return undefined
  return html`${moment(new Date(lastRefusedAt))}: a call without the secret, or with another one. Give the host this
  secret, or a new one.`
}

interface Host {
  name: string
  /** Matches the host name of this host. */
  known: RegExp
  steps: HtmlValue
}

const address = html`<strong>the address</strong>`
const secret = html`<strong>the secret</strong>`

const hosts: Host[] = [
  {
    name: 'GitHub',
    known: /(?:^|\.)github\./,
    steps: html`In the repository: Settings, Webhooks, Add webhook. Payload URL: ${address}. Content type:
    application/json. Secret: ${secret}. Just the push event. Add webhook: GitHub calls once to try it.`,
  },
  {
    name: 'GitLab',
    known: /(?:^|\.)gitlab\./,
    steps: html`In the project: Settings, Webhooks, Add new webhook. URL: ${address}. Secret token: ${secret}. Trigger:
    Push events. Add webhook. Test, Push events tries it.`,
  },
  {
    name: 'Gitea, Forgejo',
    known: /(?:^|\.)(?:gitea|forgejo|codeberg)\./,
    steps: html`In the repository: Settings, Webhooks, Add webhook, Gitea or Forgejo. Target URL: ${address}. HTTP
    method: POST. Content type: application/json. Secret: ${secret}. Trigger on: Push events. Add webhook.`,
  },
  {
    name: 'Bitbucket',
    known: /(?:^|\.)bitbucket\./,
    steps: html`In the repository: Repository settings, Webhooks, Add webhook. URL: ${address}. Secret: ${secret}.
    Triggers: Repository push. Save.`,
  },
  {
    name: 'Others',
    known: /^$/,
    steps: html`POST to ${address} with the header <code>X-Gitlab-Token</code>, which is ${secret}. No body is needed.`,
  },
]

/** The instructions for the host of the repository, or for all hosts if it is unknown. */
function steps({ repository }: Pick<HookParts, 'repository'>): Html {
  const { hostname } = new URL(repository)
  const known = hosts.filter((each) => each.known.test(hostname))
  return html`<dl class="work-roles">
    ${(known.length > 0 ? known : hosts).map((each) => fact(each.name, each.steps))}
  </dl>`
}

const renewing = (place: Place, { path, form, seen }: HookParts) =>
  html`<form ${writingOver(place.link(`${path}/~/git/following/hook`))} class="review-ask">
    ${hidden({ form, seen })}
    <p>
      Create a new secret? It is shown once. The old one stops working at once, so calls are refused until the host has
      the new one. The address stays.
    </p>
    <button class="btn">Create secret</button>
  </form>`

const removing = (place: Place, { path, form, seen }: HookParts) =>
  html`<form ${writingOver(place.link(`${path}/~/git/following/hook/remove`))} class="review-ask">
    ${hidden({ form, seen })}
    <p>
      Remove the address? The space is still kept in sync by checking every two minutes. Remove the webhook at the host
      too: its calls are refused from now on.
    </p>
    <button class="btn danger">Remove</button>
  </form>`
