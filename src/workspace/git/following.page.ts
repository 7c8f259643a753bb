import type { Static } from 'typebox'
import { hidden, moment, writingOver } from '../../account/parts.ts'
import type { Place } from '../../front/layout.ts'
import type { GitFollowing } from '../../git/following/schema.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import { fact } from '../fact.ts'
import { type Ways, choices, field, placeFields, signInFields } from './fields.ts'
import type { Direction, TypedFollowing } from './typed.ts'

type Shown = Static<typeof GitFollowing>

export interface FollowingParts {
  /** Path of the space. */
  path: string
  form: string
  /** Undefined if the space is not kept in sync. */
  shown: Shown | undefined
  typed: TypedFollowing
  /** Identifies the state that the form shows. A change is refused if it is no longer current. */
  seen: string
  /** The form was refused, so it is shown open with what was typed. */
  isRefused: boolean
  /** Whether it is another repository than the one that the page already shows. */
  isElsewhere: boolean
  /** Whether a repository is already known and need not be typed. */
  isConnected: boolean
}

const ways = {
  both: { title: 'Both directions', more: 'Pushed changes are imported, and changes here are exported.' },
  import: { title: 'Import only', more: 'People write in the repository.' },
  export: { title: 'Export only', more: 'People write in Lectern, and the repository has a copy.' },
} satisfies Record<Direction, Ways[string]>

/**
 * How a space is kept in sync with its repository: the current state and problems, and the forms to set it up, change
 * it and end it.
 */
export function followingPart(place: Place, parts: FollowingParts): Html {
  const { shown, isRefused } = parts
  if (!shown && !isRefused) return opening('Keep in sync', followingForm(place, parts), false)
  if (!shown) return followingForm(place, parts)
  return html`${standing(place, parts.path, shown)} ${factsOf(shown, parts.isElsewhere)}
    <div class="review-does">
      ${opening(shown.state === 'stopped' ? 'Set it up again' : 'Change it', followingForm(place, parts), isRefused)}
      ${asking('Turn off', ending(place, parts))}
    </div>`
}

const opening = (label: string, form: Html, isOpen: boolean) =>
  html`<details class="work-asking" ${isOpen && html`open`}>
    <summary class="btn">${label}</summary>
    ${form}
  </details>`

const tones = { following: 'success', waiting: 'info', failing: 'danger', stopped: 'danger' } as const
const words = { following: 'in sync', waiting: 'waiting for you', failing: 'not in sync', stopped: 'stopped' } as const

function standing(place: Place, path: string, shown: Shown): Html {
  const { state } = shown
  return html`<div class="work-standing">
    <div class="work-where">
      <p><span class="tag" data-tone="${tones[state]}">${words[state]}</span> ${ways[shown.direction].title}</p>
      <p class="row-more">${explained(place, path, shown)}</p>
    </div>
  </div>`
}

function explained(place: Place, path: string, { state, problem, changeRequest, lastLookAt }: Shown): HtmlValue {
  if (state === 'stopped') return problem!.message
  if (state === 'failing')
    return html`${problem!.message} This has been so since ${moment(new Date(problem!.since))}. It is tried again
    automatically; a new token or branch, entered below, is tried at once.`
  if (state === 'waiting')
    return html`Both sides changed something.
    ${
      changeRequest &&
      html`The imported changes are in
        <a href="${place.link(`${path}/~/changes/${changeRequest.number}`)}">change request #${changeRequest.number}</a
        >.`
    }
    Merge it, and everything is exported; until then nothing is. If it was archived, reopen it, or export over the
    branch (force).`
  return lastLookAt === undefined
    ? 'The repository will be checked in a moment.'
    : 'Both sides are the same. The branch is checked every two minutes; edits here are exported some seconds after the last one.'
}

const factsOf = (shown: Shown, isElsewhere: boolean) => {
  const { url, ref, repoProjectDirectory, lastLookAt, nextLookAt, setUpBy, hasCredentials } = shown
  return html`<dl class="work-roles">
    ${
      isElsewhere &&
      html`${fact('Address', url)} ${fact('Branch', ref.replace('refs/heads/', ''))}
      ${fact('Folder', repoProjectDirectory)}`
    }
    ${fact('Last check', lastLookAt !== undefined && moment(new Date(lastLookAt)))}
    ${fact('Next check', nextLookAt !== undefined && moment(new Date(nextLookAt)))}
    ${fact('Set up by', setUpBy?.displayName)}
    ${fact('Token', hasCredentials ? 'stored encrypted, never shown' : 'none')}
  </dl>`
}

function followingForm(place: Place, { path, form, shown, typed, seen, isRefused, isConnected }: FollowingParts): Html {
  const isKept = shown?.hasCredentials === true
  const look = isConnected || shown ? (isRefused ? 'open' : 'folded') : 'plain'
  return html`<form ${writingOver(place.link(`${path}/~/git/following`))} class="work-sync fields">
    ${hidden({ form, seen })} ${placeFields(typed, look)}
    ${signInFields(
      typed,
      isKept
        ? 'Leave empty to keep the current one, as long as the repository is the same.'
        : 'Created at the host. It is stored encrypted until you turn this off, and never shown again.',
    )}
    <fieldset>
      <legend>Direction</legend>
      ${choices('direction', ways, typed.direction)}
    </fieldset>
    ${field('Message', 'The commit message. If empty: “Update” and the title of the space.', 'message', typed.message, html`maxlength="500"`)}
    <p class="aside">
      It runs with your rights: it stops if you leave or may no longer sync this space. Merge rules apply.
    </p>
    <div><button class="btn primary">${shown ? 'Save' : 'Keep in sync'}</button></div>
  </form>`
}

const ending = (place: Place, { path, form, seen }: FollowingParts) =>
  html`<form ${writingOver(place.link(`${path}/~/git/following/end`))} class="review-ask">
    ${hidden({ form, seen })}
    <p>
      Stop keeping this space in sync? The token is deleted. The pages and the repository stay as they are, and you can
      still import and export by hand.
    </p>
    <button class="btn danger">Turn off</button>
  </form>`
