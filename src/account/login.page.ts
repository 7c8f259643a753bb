import { type Html, type HtmlValue, html } from '../http/html.ts'
import { gate } from '../front/gate.ts'
import type { Place } from '../front/layout.ts'
import { pathWith } from './answer.ts'
import { hidden, note } from './parts.ts'

/** An identity provider, of this installation or of an organization. */
export interface WayIn {
  label: string
  startUrl: string
}

interface LoginParts {
  form: string
  next: string | undefined
  org: string | undefined
  email: string
  waysIn: WayIn[]
  /** The provider through which new people can join. */
  welcoming: string | undefined
  said?: { tone: 'success' | 'danger' | 'info'; text: string }
}

export function loginPage(place: Place, parts: LoginParts): Html {
  const { form, next, org, email, waysIn, welcoming, said } = parts
  return gate(place, {
    title: 'Sign in',
    body: html`
      ${said && note(said.tone, said.text)}
      ${waysIn.length === 0 && html`<p>You sign in with a one-time code. There are no passwords.</p>`}
      ${waysInList(waysIn, next)}
      <form method="post" action="${place.link('/login')}" class="fields">
        ${hidden({ form, next, org })}
        <label class="field">
          <span>E-mail address</span>
          <input
            name="email"
            type="email"
            value="${email}"
            autocomplete="email"
            maxlength="320"
            required
            ${waysIn.length === 0 && html`autofocus`}
          />
        </label>
        <button class="btn primary big">Continue</button>
      </form>
    `,
    note: html`New here? ${welcoming === undefined ? 'Ask for an invite.' : `Continue with ${welcoming}.`}
      <a href="${place.link('/')}">About this Lectern</a>`,
  })
}

interface CodeParts {
  form: string
  next: string | undefined
  org: string | undefined
  email: string
  waysIn: WayIn[]
  /** Whether codes are mailed. */
  isMailed: boolean
  error?: string
}

export function codePage(place: Place, { form, next, org, email, waysIn, isMailed, error }: CodeParts): Html {
  return gate(place, {
    title: 'Enter your code',
    body: html`
      <p>
        ${
          isMailed
            ? html`If <strong>${email}</strong> has an account here, a code is on its way there. It works for ten
                minutes.`
            : html`This server sends no mail. Ask its operator for a code for <strong>${email}</strong>. They get one
                with this command, in its folder:
                <code>npm run --silent lectern -- users sign-in-code --email &lt;address&gt;</code>`
        }
      </p>
      ${error !== undefined && note('danger', error)}
      <form method="post" action="${place.link('/login/code')}" class="fields">
        ${hidden({ form, next, org, email })}
        <label class="field">
          <span>Code</span>
          <input
            name="code"
            class="code-field"
            inputmode="numeric"
            autocomplete="one-time-code"
            pattern="[0-9 \\-]*"
            maxlength="12"
            required
            autofocus
          />
        </label>
        <button class="btn primary big">Sign in</button>
      </form>
      ${waysInList(waysIn, next, 'Or use single sign-on')}
    `,
    note: html`<a href="${place.link(pathWith('/login', { next, org, email }))}"
      >Use another address, or a new code</a
    >`,
  })
}

function waysInList(waysIn: WayIn[], next: string | undefined, heading?: string): HtmlValue {
  if (waysIn.length === 0) return undefined
  return html`<div class="ways">
    ${heading !== undefined && html`<p class="or">${heading}</p>`}
    ${waysIn.map(
      ({ label, startUrl }) =>
        html`<a class="btn big" href="${startUrl + (next === undefined ? '' : `?next=${encodeURIComponent(next)}`)}"
          >Continue with ${label}</a
        >`,
    )}
    ${heading === undefined && html`<p class="or">or with a one-time code</p>`}
  </div>`
}
