import { longestPassword, shortestPassword } from '../../../sites/share-links/password.ts'
import { fromNow, hidden, writingOver } from '../../../account/parts.ts'
import { codeBlock } from '../../../front/code.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../../http/html.ts'
import { asking } from '../../asking.ts'
import { type ChosenEnd, linkEnds } from './ends.ts'
import type { Said } from '../../said.ts'
import { saidOn } from '../../top.ts'
import type { SiteParts } from '../site.parts.ts'

export const longestName = 50

export const doneWithLinks = {
  linked: 'Link created. Copy its address and send it to the people it is for.',
  ending: 'Expiry saved.',
  locked: 'Password saved. Everyone who opens the link is asked for it.',
  unlocked: 'Password removed.',
  revoked: 'Link revoked.',
}

/** Whether a message is about links. It is then shown next to them, because the top of the page is out of sight. */
export const isAboutLinks = ({ done }: Said): boolean => Object.values(doneWithLinks).some((words) => words === done)

/** The secret links of a site, for those who may see them, and a form for a new one. */
export function shareLinksOf(place: Place, parts: SiteParts): Html {
  const { path, form, links, seen, secretLink } = parts
  return html`${isAboutLinks(parts) && saidOn(parts)}
    ${
      links.length === 0
        ? html`<p class="none">None yet, so nobody can read the site.</p>`
        : html`<div class="review-files">
            <ul role="list">
              ${links.map((link) => html`<li>${linkOf(place, parts, link)}</li>`)}
            </ul>
          </div>`
    }
    ${links.length > 0 && !seen.site.published && html`<p class="aside">They work once the site is published.</p>`}
    <form method="post" action="${place.link(`${path}/links`)}" class="fields inline">
      ${hidden({ form })}
      <label class="field grow">
        <span>Who the new link is for</span>
        <input name="name" value="${secretLink?.name ?? ''}" maxlength="${longestName}" autocomplete="off" required />
      </label>
      ${endFields(secretLink ?? { end: 'never', day: '' })}
      ${passwordField('A password, if wanted', secretLink?.password ?? '')}
      <button class="btn">Create link</button>
    </form>`
}

type ShownLink = SiteParts['links'][number]

function linkOf(place: Place, parts: SiteParts, link: ShownLink): Html {
  const { name, active, hasPassword, urls } = link
  const end = endOf(parts, link)
  const label = html`<span
    >${name} ${!active && html`<span class="tag" data-tone="plain">turned off</span>`}
    ${end && html`<span class="tag" data-tone="${end.isOver ? 'warning' : 'plain'}">${end.words}</span>`}
    ${hasPassword && html`<span class="tag" data-tone="plain">with a password</span>`}</span
  >`
  return html`${codeBlock(label, html`${urls.published}`)}
    <div class="review-does">
      ${ending(place, parts, link, end?.isOver ?? false)} ${locking(place, parts, link)} ${revoking(place, parts, link)}
    </div>`
}

function endOf({ now }: SiteParts, { expiresAt }: ShownLink): { isOver: boolean; words: HtmlValue } | undefined {
  if (expiresAt === undefined) return undefined
  const end = new Date(expiresAt)
  const isOver = end <= now
  return { isOver, words: html`<span>${isOver ? 'expired' : 'expires'} ${fromNow(end, now)}</span>` }
}

/** The form for changing when a link expires, whether or not it has expired: later, sooner or never. */
function ending(place: Place, { path, form, ending }: SiteParts, link: ShownLink, isOver: boolean): Html {
  const { id, name, expiresAt } = link
  const chosen = ending?.of === id ? ending : { end: 'week', day: '' }
  const label = isOver ? 'Extend' : 'Change expiry'
  return asking(
    label,
    html`<form ${writingOver(place.link(`${path}/links/end`))} class="review-ask">
      ${hidden({ form, link: id, seen: expiresAt ?? '' })}
      <p>When should the link “${name}” expire, counted from now? Its address stays the same.</p>
      <div class="fields inline">${endFields(chosen)}</div>
      <button class="btn">Save expiry</button>
    </form>`,
    `${label}: ${name}`,
    ending?.of === id,
  )
}

/** The form for setting, changing or removing the password of a link. */
function locking(place: Place, { path, form, locking }: SiteParts, { id, name, hasPassword }: ShownLink): Html {
  const label = hasPassword ? 'Change password' : 'Set password'
  const isOpen = locking?.of === id
  return asking(
    label,
    html`<form ${writingOver(place.link(`${path}/links/password`))} class="review-ask">
      ${hidden({ form, link: id })}
      <p>
        Everyone who opens the link “${name}” is asked for the password, including those who have opened it before.
        Share the password separately from the link.
      </p>
      <div class="fields inline">${passwordField('The password', isOpen ? locking.password : '', true)}</div>
      <button class="btn">Save password</button>
      ${hasPassword && html`<button class="btn" name="none" value="yes" formnovalidate>Remove password</button>`}
    </form>`,
    `${label}: ${name}`,
    isOpen,
  )
}

/** The password can be read while it is typed, because the user has to pass it on to others. */
const passwordField = (label: string, value: string, isRequired = false) =>
  html`<label class="field">
    <span>${label}</span>
    <input
      name="password"
      value="${value}"
      minlength="${shortestPassword}"
      maxlength="${longestPassword}"
      autocomplete="off"
      spellcheck="false"
      ${isRequired && html`required`}
    />
  </label>`

const endFields = (chosen: ChosenEnd) =>
  html`<label class="field">
      <span>Expires</span>
      <select name="end">
        ${Object.entries(linkEnds).map(
          ([id, { label }]) => html`<option value="${id}" ${id === chosen.end && html`selected`}>${label}</option>`,
        )}
      </select>
    </label>
    <label class="field">
      <span>Last day</span>
      <input type="date" name="day" value="${chosen.day}" />
    </label>`

const revoking = (place: Place, { path, form }: SiteParts, { id, name }: ShownLink) =>
  asking(
    'Revoke',
    html`<form method="post" action="${place.link(`${path}/links/revoke`)}" class="review-ask">
      ${hidden({ form, link: id })}
      <p>Revoke the link “${name}”? It stops working for everyone who has it. This cannot be undone.</p>
      <button class="btn danger">Revoke</button>
    </form>`,
    `Revoke ${name}`,
  )
