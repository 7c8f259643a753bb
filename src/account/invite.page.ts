import { gate } from '../front/gate.ts'
import type { Place } from '../front/layout.ts'
import { type Html, html } from '../http/html.ts'
import type { Session } from '../sessions/cookie.ts'
import { pathWith } from './answer.ts'
import type { InviteShown } from './invite.queries.ts'
import type { WayIn } from './login.page.ts'
import { buttonForm, hidden, note, outcome } from './parts.ts'

interface InviteParts {
  invite: InviteShown
  /** The path of the page itself, with the secret of the invite. */
  path: string
  form: string
  session: Session | undefined
  waysIn: WayIn[]
  error?: string
  newcomer?: { email: string; displayName: string }
}

export function invitePage(place: Place, parts: InviteParts): Html {
  const { invite, session, error } = parts
  return gate(place, {
    title: `Join ${invite.organization}`,
    body: html`<p>${whatItIs(invite)}</p>
      ${error !== undefined && outcome('danger', error)}
      ${invite.only_sso ? bySingleSignOn(parts) : session ? asYourself(place, session, parts) : anew(place, parts)}`,
  })
}

function whatItIs({ inviter, role, to, organization }: InviteShown): Html {
  const where = to === null ? organization : html`“${to}” of ${organization}`
  return html`${inviter ?? 'Somebody'} invites you to ${where}${role !== null && html`, with the role ${role}`}.`
}

function asYourself(place: Place, { user }: Session, { invite, path, form }: InviteParts): Html {
  const isForAnother = invite.email !== null && invite.email.toLowerCase() !== user.email.toLowerCase()
  if (isForAnother) {
    return html`${note('info', html`It is for ${invite.email}, but you are signed in as ${user.email}.`)}
    ${buttonForm(place, { action: '/logout', fields: { form, next: path }, label: 'Sign out', look: 'big' })}`
  }
  return html`<p class="as">Signed in as <strong>${user.display_name}</strong> (${user.email}).</p>
    ${buttonForm(place, {
      action: path,
      fields: { form },
      label: `Join ${invite.organization}`,
      look: 'primary big',
    })}`
}

function anew(place: Place, { invite, path, form, newcomer }: InviteParts): Html {
  const login = place.link(pathWith('/login', { next: path, email: invite.email ?? undefined }))
  if (invite.has_account) {
    return html`<p class="as">The invite is for <strong>${invite.email}</strong>.</p>
      <a class="btn primary big" href="${login}">Sign in to join</a>`
  }
  return html`<form method="post" action="${place.link(path)}" class="fields">
      ${hidden({ form })}
      <label class="field">
        <span>Your name</span>
        <input name="displayName" value="${newcomer?.displayName}" autocomplete="name" maxlength="64" required />
      </label>
      ${
        invite.email === null
          ? html`<label class="field">
              <span>E-mail address</span>
              <input
                name="email"
                type="email"
                value="${newcomer?.email}"
                autocomplete="email"
                maxlength="320"
                required
              />
            </label>`
          : html`<p class="as">The invite is for <strong>${invite.email}</strong>.</p>
              ${hidden({ email: invite.email })}`
      }
      <button class="btn primary big">Create account and join</button>
    </form>
    <p class="or">or, with an account</p>
    <a class="btn big" href="${login}">Sign in to join</a>`
}

function bySingleSignOn({ waysIn, invite }: InviteParts): Html {
  if (waysIn.length === 0) {
    return html`<p>${invite.organization} accepts new people only through single sign-on, which is not set up yet.</p>`
  }
  return html`<div class="ways">
    ${waysIn.map(
      ({ label, startUrl }) => html`<a class="btn primary big" href="${startUrl}">Continue with ${label}</a>`,
    )}
  </div>`
}
