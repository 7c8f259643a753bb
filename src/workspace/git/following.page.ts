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
  /** Of the space. */
  path: string
  form: string
  /** Undefined where it is not kept in step. */
  shown: Shown | undefined
  typed: TypedFollowing
  /** Whoever changes or ends it has seen this one. */
  seen: string
  /** Something of it was refused: what was typed is in sight. */
  isRefused: boolean
  /** It is not the repository that the page shows already. */
  isElsewhere: boolean
  /** A repository is known, which need not be typed. */
  isConnected: boolean
}

const ways = {
  both: { title: 'Both ways', more: 'What others push comes in, and what is edited or merged here goes out.' },
  import: { title: 'Only bring in', more: 'The repository is where people write.' },
  export: { title: 'Only write out', more: 'Lectern is where people write, and the repository has a copy.' },
} satisfies Record<Direction, Ways[string]>

/** How a space is kept in step with its repository, with what is wrong; and how that is set up, changed and ended. */
export function followingPart(place: Place, parts: FollowingParts): Html {
  const { shown, isRefused } = parts
  if (!shown && !isRefused) return opening('Keep it in step', followingForm(place, parts), false)
  if (!shown) return followingForm(place, parts)
  return html`${standing(place, parts.path, shown)} ${factsOf(shown, parts.isElsewhere)}
    <div class="review-does">
      ${opening(shown.state === 'stopped' ? 'Set it up again' : 'Change it', followingForm(place, parts), isRefused)}
      ${asking('Switch off', ending(place, parts))}
    </div>`
}

const opening = (label: string, form: Html, isOpen: boolean) =>
  html`<details class="work-asking" ${isOpen && html`open`}>
    <summary class="btn">${label}</summary>
    ${form}
  </details>`

const tones = { following: 'success', waiting: 'info', failing: 'danger', stopped: 'danger' } as const
const words = { following: 'in step', waiting: 'waits for you', failing: 'not in step', stopped: 'stopped' } as const

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
    return html`${problem!.message} So it is since ${moment(new Date(problem!.since))}. It is tried again by itself; a
    new token or branch, given below, is tried at once.`
  if (state === 'waiting')
    return html`Both sides changed something.
    ${
      changeRequest &&
      html`What came is in
        <a href="${place.link(`${path}/~/changes/${changeRequest.number}`)}">change request #${changeRequest.number}</a
        >.`
    }
    Merge it, and all of it goes out; until then nothing does. Where it was archived, open it again, or write out over
    the branch (force).`
  return lastLookAt === undefined
    ? 'The repository is looked at in a moment.'
    : 'Both sides have the same. The branch is looked at every two minutes; edits here go out some seconds after the last.'
}

const factsOf = (shown: Shown, isElsewhere: boolean) => {
  const { url, ref, repoProjectDirectory, lastLookAt, nextLookAt, setUpBy, hasCredentials } = shown
  return html`<dl class="work-roles">
    ${
      isElsewhere &&
      html`${fact('Address', url)} ${fact('Branch', ref.replace('refs/heads/', ''))}
      ${fact('Folder', repoProjectDirectory)}`
    }
    ${fact('Last look', lastLookAt !== undefined && moment(new Date(lastLookAt)))}
    ${fact('Next look', nextLookAt !== undefined && moment(new Date(nextLookAt)))}
    ${fact('Set up by', setUpBy?.displayName)}
    ${fact('Token', hasCredentials ? 'kept sealed, and never shown' : 'none')}
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
        ? 'Empty: the one that you gave stays, as long as it is the same place.'
        : 'Its host makes one. It is kept, sealed, until you switch this off, and never shown again.',
    )}
    <fieldset>
      <legend>Which way</legend>
      ${choices('direction', ways, typed.direction)}
    </fieldset>
    ${field('Message', 'What others read beside the commits. Empty: “Update” and the title of the space.', 'message', typed.message, html`maxlength="500"`)}
    <p class="aside">
      It goes on with your rights: if you leave, or may not sync this space any more, it stops. Merge rules hold.
    </p>
    <div><button class="btn primary">${shown ? 'Save' : 'Keep it in step'}</button></div>
  </form>`
}

const ending = (place: Place, { path, form, seen }: FollowingParts) =>
  html`<form ${writingOver(place.link(`${path}/~/git/following/end`))} class="review-ask">
    ${hidden({ form, seen })}
    <p>
      Keep this space in step no more? The token is forgotten. The pages and the repository stay as they are, and can be
      brought in and written out by hand.
    </p>
    <button class="btn danger">Switch it off</button>
  </form>`
