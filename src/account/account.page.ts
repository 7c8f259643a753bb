import { appPath } from '../app-path.ts'
import type { TokenRow } from '../db/tables.ts'
import { codeBlock } from '../front/code.ts'
import { type IconName, type Place, brand, layout, themeButton } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import { type MailKind, mailKinds, mailTitles } from '../mail/kinds.ts'
import type { Concerning } from '../change-requests/concerning.queries.ts'
import { subjectOf } from '../change-requests/subject.ts'
import { type Session, isMereClaim } from '../sessions/cookie.ts'
import type { OwnPlace, SessionRow } from '../sessions/queries.ts'
import { pathWith } from './answer.ts'
import { browserName } from './browser-name.ts'
import { buttonForm, day, hidden, note, outcome, section } from './parts.ts'
import { tokenLives, tokenPowers } from './token-choices.ts'
import { mayMakeOrganizations } from './who.ts'

export interface AccountParts {
  session: Session
  form: string
  places: OwnPlace[]
  concerning: Concerning[]
  tokens: { rows: TokenRow[]; count: number }
  sessions: { rows: SessionRow[]; count: number }
  muted: readonly MailKind[]
  sendsMail: boolean
  said?: string
  error?: string
  /** The secret of a token that was just created, shown only this once. */
  newToken?: { label: string; secret: string }
}

const icons: IconName[] = ['moon', 'sun', 'copy', 'check', 'key']

/** All that belongs to an account, on one page. Works without JavaScript. */
export function accountPage(place: Place, parts: AccountParts): Html {
  return layout({
    place,
    title: 'Your account · Lectern',
    description: 'Your organizations, tokens, sessions and mail.',
    kind: 'account',
    icons,
    head: html`<meta name="robots" content="noindex" />`,
    body: html`${accountHeader(place, parts.form)}
      <main id="~content" class="wrap own">
        ${whoYouAre(parts)} ${parts.error !== undefined && outcome('danger', parts.error)}
        ${parts.said !== undefined && outcome('success', parts.said)} ${unproved(place, parts)}
        ${section('organizations', 'Organizations', 'Your organizations. Open one to read, write and review in its spaces.', html`${places(place, parts)} ${mayMakeOrganizations(parts.session) && makingOne(place)}`)}
        ${
          parts.concerning.length > 0 &&
          section(
            'changes',
            'Change requests',
            'Change requests that wait for you, or that you took part in.',
            changes(place, parts),
          )
        }
        ${section('profile', 'Profile', 'The name that others see.', profile(place, parts))}
        ${section('tokens', 'API tokens', 'For scripts and programs. Each can do what you can do, or less.', tokens(place, parts))}
        ${section('sessions', 'Sessions', 'Browsers you are signed in with.', sessions(place, parts))}
        ${section('mail', 'Mail', 'Which notifications you get by mail.', mail(place, parts))}
      </main>`,
  })
}

function accountHeader(place: Place, form: string): Html {
  return html`<header class="head">
    <div class="wrap head-row">
      ${brand(place, '/account')}
      <nav class="head-end" aria-label="Main">
        <a class="head-link only-wide" href="${place.link('/docs/api')}">API reference</a>
        ${buttonForm(place, { action: '/logout', fields: { form }, label: 'Sign out', look: 'quiet' })} ${themeButton()}
      </nav>
    </div>
  </header>`
}

function whoYouAre({ session }: AccountParts): Html {
  const { user } = session
  const initial = [...user.display_name.trim()][0] ?? '?'
  return html`<div class="who">
    <span class="face" aria-hidden="true">${initial.toUpperCase()}</span>
    <div>
      <h1>${user.display_name}</h1>
      <p>
        ${user.email} ${user.instance_admin && html`<span class="tag" data-tone="violet">Instance administrator</span>`}
        ${isMereClaim(session) && html`<span class="tag" data-tone="warning">Address not verified</span>`}
      </p>
    </div>
  </div>`
}

/**
 * A note for people who joined by an invite and have not verified their address: they would otherwise wait in vain for
 * mail.
 */
function unproved(place: Place, { session, sendsMail }: AccountParts): HtmlValue {
  if (!sendsMail || !isMereClaim(session)) return undefined
  return note(
    'info',
    html`No mail is sent to you until you have confirmed your e-mail address: ${showing(place, session)}.`,
  )
}

const showing = (place: Place, { user }: Session) =>
  html`<a href="${place.link(pathWith('/login', { email: user.email }))}">sign in with a code that is mailed there</a>`

function profile(place: Place, { session, form }: AccountParts): Html {
  return html`<form method="post" action="${place.link('/account/name')}" class="fields inline one">
    ${hidden({ form })}
    <label class="field grow">
      <span>Your name</span>
      <input name="displayName" value="${session.user.display_name}" maxlength="64" autocomplete="name" required />
    </label>
    <button class="btn">Save name</button>
  </form>`
}

function places(place: Place, { places, session }: AccountParts): Html {
  if (places.length === 0) {
    return html`<p class="none">You do not belong to an organization yet. An invitation link takes you to one.</p>`
  }
  return html`${
      session.organizationId !== null &&
      html`<p class="aside">Your account belongs to this organization, and this session is only for it.</p>`
    }
    <ul class="rows" role="list">
      ${places.map(
        ({ id, title, hostname, role, only_sso }) =>
          html`<li>
            <span class="row-main">
              ${only_sso ? html`<strong>${title}</strong>` : html`<a href="${place.link(appPath.organization(id))}"><strong>${title}</strong></a>`}
              <span class="row-more">${hostname}</span>
            </span>
            ${
              only_sso
                ? html`<a class="btn" href="${place.link(`/login?org=${hostname}`)}">Single sign-on</a>`
                : html`<span class="tag" data-tone="info">${role ?? 'guest'}</span>`
            }
          </li>`,
      )}
    </ul>`
}

const makingOne = (place: Place): Html =>
  html`<div><a class="btn" href="${place.link('/account/new-organization')}">New organization</a></div>`

function changes(place: Place, { concerning }: AccountParts): Html {
  return html`<ul class="rows" role="list">
    ${concerning.map(
      ({ organization_id, space_id, space_title, number, subject, updated_at, asked }) =>
        html`<li>
          <span class="row-main">
            <a href="${place.link(appPath.change(organization_id, space_id, number))}"
              ><strong>${subjectOf({ subject, number })}</strong></a
            >
            <span class="row-more">${space_title} · #${number} · changed ${day(updated_at)}</span>
          </span>
          ${asked && html`<span class="tag" data-tone="warning">Your review is requested</span>`}
        </li>`,
    )}
  </ul>`
}

function tokens(place: Place, { tokens, form, newToken, session, sendsMail }: AccountParts): Html {
  return html`${newToken && freshToken(newToken)}
    ${
      sendsMail &&
      isMereClaim(session) &&
      html`<p class="aside">
        First confirm your e-mail address: ${showing(place, session)}. Tokens you create now are revoked when you do,
        since somebody else could have created them.
      </p>`
    }
    ${
      tokens.rows.length > 0
        ? html`<ul class="rows" role="list">
            ${tokens.rows.map(
              (row) =>
                html`<li>
                  <span class="row-main">
                    <strong>${row.label}</strong>
                    <span class="row-more">
                      ${row.scopes === null ? 'Everything you can do' : scopesInWords(row.scopes.length)} · created
                      ${day(row.created_at)} ·
                      ${row.used_at === null ? 'never used' : html`last used ${day(row.used_at)}`}${row.expires_at !== null && ending(row.expires_at)}
                    </span>
                  </span>
                  ${buttonForm(place, {
                    action: '/account/tokens/revoke',
                    fields: { form, id: row.id },
                    label: 'Revoke',
                    name: `Revoke the token ${row.label}`,
                    look: 'danger',
                  })}
                </li>`,
            )}
          </ul>`
        : html`<p class="none">None yet. Create one below for a script that calls the API.</p>`
    }
    ${more(tokens, 'tokens')}
    <form method="post" action="${place.link('/account/tokens')}" class="fields inline">
      ${hidden({ form })}
      <label class="field grow">
        <span>Purpose</span>
        <input name="label" maxlength="50" placeholder="Deploy script" autocomplete="off" required />
      </label>
      <label class="field">
        <span>Permissions</span>
        <select name="power">
          ${Object.entries(tokenPowers).map(([id, { label }]) => html`<option value="${id}">${label}</option>`)}
        </select>
      </label>
      <label class="field">
        <span>Valid for</span>
        <select name="life">
          ${Object.entries(tokenLives).map(
            ([id, { label }]) => html`<option value="${id}" ${id === '90' && html`selected`}>${label}</option>`,
          )}
        </select>
      </label>
      <button class="btn primary">Create token</button>
    </form>`
}

/** Takes the focus, so that it is scrolled into view: the token is never shown again. */
function freshToken({ label, secret }: { label: string; secret: string }): Html {
  return html`<div tabindex="-1" autofocus class="fresh" role="status">
    <p><strong>Copy it now.</strong> It is shown only once.</p>
    ${codeBlock(label, html`${secret}`)}
  </div>`
}

function sessions(place: Place, { sessions, session, form }: AccountParts): Html {
  const others = sessions.count - 1
  return html`<ul class="rows" role="list">
      ${sessions.rows.map(
        (row) =>
          html`<li>
            <span class="row-main">
              <strong>${browserName(row.user_agent)}</strong>
              <span class="row-more">
                ${row.address} · since ${day(row.created_at)} · last seen ${day(row.last_seen_at)}
              </span>
            </span>
            ${
              row.id === session.id
                ? html`<span class="tag" data-tone="success">This browser</span>`
                : buttonForm(place, {
                    action: '/account/sessions/end',
                    fields: { form, id: row.id },
                    label: 'End',
                    name: `End the session of ${browserName(row.user_agent)}`,
                    look: 'danger',
                  })
            }
          </li>`,
      )}
    </ul>
    ${more(sessions, 'sessions')}
    <div class="btns">
      ${
        others > 0 &&
        buttonForm(place, { action: '/account/sessions/end-others', fields: { form }, label: 'End all others' })
      }
      ${buttonForm(place, { action: '/account/sessions/end-all', fields: { form }, label: 'Sign out everywhere' })}
    </div>`
}

function mail(place: Place, { muted, form, sendsMail, session }: AccountParts): Html {
  return html`${!sendsMail && html`<p class="aside">This server sends no mail at the moment. Your choices are kept.</p>`}
    ${
      sendsMail &&
      isMereClaim(session) &&
      html`<p class="aside">It is sent once you have confirmed your e-mail address: ${showing(place, session)}.</p>`
    }
    <form method="post" action="${place.link('/account/mail')}">
      ${hidden({ form })}
      <ul class="rows" role="list">
        ${mailKinds.map(
          (kind) =>
            html`<li>
              <label class="choice">
                <input type="checkbox" name="${kind}" value="on" ${!muted.includes(kind) && html`checked`} />
                <span class="row-main">
                  <strong>${mailTitles[kind].title}</strong>
                  <span class="row-more">${mailTitles[kind].when}.</span>
                </span>
              </label>
            </li>`,
        )}
      </ul>
      <button class="btn">Save</button>
    </form>`
}

/** An expired token is useless, but stays on the list until it is revoked. */
const ending = (time: Date) =>
  time.getTime() > Date.now() ? html` · until ${day(time)}` : html` · expired ${day(time)}`

const scopesInWords = (count: number) => (count === 1 ? '1 scope' : `${count} scopes`)

/** The page shows the newest ones. The API returns all of them. */
const more = ({ rows, count }: { rows: unknown[]; count: number }, noun: string): HtmlValue =>
  count > rows.length && html`<p class="aside">These are the newest ${rows.length} of ${count} ${noun}.</p>`
