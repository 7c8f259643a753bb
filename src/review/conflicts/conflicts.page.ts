import { buttonForm, hidden, outcome, writingOver } from '../../account/parts.ts'
import { isOutdated } from '../../change-requests/queries.ts'
import { subjectOf } from '../../change-requests/subject.ts'
import { type Hunk, diffLines } from '../../content/diff.ts'
import type { Conflict } from '../../content/merge/conflicts.ts'
import { sameJson, unmerged, valueAt } from '../../content/merge/entry.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { page } from '../../revisions/entries.ts'
import { drawn } from '../changes/changes.page.ts'
import { type Piece, type ShownConflicts, type ShownDecision, deletedOf } from './conflicts.load.ts'
import { fieldName, nouns, valueText, whatHappened } from './conflicts.words.ts'
import { pageTexts, textsWith } from '../editor/edit.texts.ts'
import { type Side, changeTaking, firstOf, stateOf } from './decisions.ts'
import { pagesWithin } from '../pages/first-pages.ts'
import { frame } from '../../workspace/frame.ts'
import { nameOf } from '../write.ts'

export interface ConflictsParts extends ShownConflicts {
  /** The path of the change request. */
  path: string
  form: string
  /** Whether the user may edit here and the change request can still change. */
  mayDecide: boolean
  done?: string
  error?: string
}

/** Shows the conflicts between a change request and the main content, to be decided. It works without script. */
export function conflictsPage(place: Place, parts: ConflictsParts): Html {
  const { changeRequest } = parts.access
  const open = parts.shown.filter(({ decision }) => decision.state === 'open')
  const expected = parts.shown.filter(({ decision }) => decision.state === 'expected')
  const title = 'Conflicts with the main content'
  return frame(
    place,
    `${title} · ${subjectOf(changeRequest)}`,
    html`<p class="review-space"><a href="${place.link(parts.path)}">${nameOf(changeRequest)}</a></p>
      <h1>${title}</h1>
      ${parts.error !== undefined && outcome('danger', parts.error)}
      ${parts.done !== undefined && outcome('success', parts.done)} ${parts.shown.length === 0 && none(place, parts)}
      ${open.length > 0 && listed(place, parts, open)}
      ${expected.length > 0 && comingUp(place, parts, expected, open.length > 0)}
      ${parts.more > 0 && html`<p class="none">And ${parts.more} more, which appear when these are resolved.</p>`}
      <p class="review-back"><a class="btn" href="${place.link(parts.path)}">Back to the change request</a></p>`,
  )
}

const none = (place: Place, parts: ConflictsParts) =>
  html`<p>No conflicts${isOutdated(parts.access.changeRequest) && ', although the main content has changed'}.</p>
    ${parts.mayDecide && isOutdated(parts.access.changeRequest) && bringIn(place, parts)}`

/** The button for what the API calls an update. */
export const bringIn = (place: Place, { path, form }: { path: string; form: string }, look?: string): Html =>
  buttonForm(place, {
    action: `${path}/update`,
    fields: { form },
    label: 'Update from the main content',
    ...(look !== undefined && { look }),
  })

const listed = (place: Place, parts: ConflictsParts, open: ShownDecision[]) =>
  html`<section aria-label="To be resolved" class="review-changes">
    ${
      !parts.mayDecide &&
      html`<p class="review-hint">Somebody who can edit this space must resolve these before it can be merged.</p>`
    }
    ${open.map((each) => article(place, parts, each))}
  </section>`

function comingUp(place: Place, parts: ConflictsParts, expected: ShownDecision[], areOthersOpen: boolean): Html {
  const next = areOthersOpen
    ? 'The main content has changed again. Resolve the conflicts above, then update from it to resolve these.'
    : 'The main content has changed since. Update from it first, then resolve these one by one.'
  return html`<section aria-label="Coming up" class="review-changes">
    <p class="review-hint">${next}</p>
    ${parts.mayDecide && !areOthersOpen && bringIn(place, parts, 'primary')}
    ${expected.map((each) => article(place, parts, each))}
  </section>`
}

function article(place: Place, parts: ConflictsParts, shown: ShownDecision): Html {
  const { conflict, together } = shown.decision
  const what =
    conflict.field === 'page' ? 'deleted on one side' : together.map(({ field }) => fieldName(field)).join(', ')
  return html`<article id="conflict-${conflict.id}">
    <header>
      <span class="tag" data-tone="warning">${nouns[shown.type]}</span> <strong>${shown.title}</strong>
      <span class="review-what">${what}</span>
    </header>
    <p class="review-hint">${whatHappened(conflict, shown.type)}</p>
    ${
      conflict.kind === 'body'
        ? textsOf(shown)
        : conflict.field === 'page'
          ? deletedFrom(shown, parts)
          : together.map((each) => valuesOf(each, parts, together.length > 1))
    }
    ${parts.mayDecide && shown.matter && choices(place, parts, shown)}
  </article>`
}

const names = { ours: 'In the change request', theirs: 'In the main content', base: 'Before' } as const

function valuesOf(conflict: Conflict, { trees }: ConflictsParts, isNamed: boolean): Html {
  const value = (side: keyof typeof names) => {
    const text = valueText(conflict.field, conflict[side], side === 'ours' ? trees.ours : trees.theirs, conflict.entry)
    return text === undefined ? html`<em>Nothing</em>` : text
  }
  return html`${isNamed && html`<p class="review-hint">${fieldName(conflict.field)}</p>`}
    <dl class="review-sides">
      ${(['ours', 'theirs', 'base'] as const).map(
        (side) =>
          html`<div>
            <dt>${names[side]}</dt>
            <dd>${value(side)}</dd>
          </div>`,
      )}
    </dl>`
}

const mostPieces = 5
const mostLines = 60

function textsOf({ pieces }: ShownDecision): Html {
  const more = pieces.length - mostPieces
  return html`${pieces.slice(0, mostPieces).map(
    (piece) =>
      html`<div class="review-sides">
        ${(['ours', 'theirs'] as const).map(
          (side) =>
            html`<div>
              <p class="review-side">${names[side]}</p>
              ${drawn(linesOf(piece, side), mostLines) ?? html`<p class="review-hint"><em>Nothing</em></p>`}
            </div>`,
        )}
      </div>`,
  )}
  ${more > 0 && html`<p class="none">And ${more} more places of this text.</p>`}`
}

/** Returns all lines of a piece: the base, and what that side made of it. */
const linesOf = ({ base = '', ...sides }: Piece, side: Side): Hunk[] => diffLines(base, sides[side], Infinity)

function deletedFrom({ decision: { conflict }, edited: hunks }: ShownDecision, { trees }: ConflictsParts): HtmlValue {
  const { base, edited } = deletedOf(conflict)
  const tree = conflict.ours === null ? trees.theirs : trees.ours
  const keys = Object.keys({ ...base?.data, ...edited?.data }).filter((key) => !unmerged.has(key) && key !== 'source')
  const changed = keys.filter((key) => !sameJson(valueAt(base?.data, key), valueAt(edited?.data, key)))
  const text = (of: typeof base, key: string) => valueText(key, valueAt(of?.data, key) ?? null, tree, conflict.entry)
  return html`${
    changed.length > 0 &&
    html`<dl>
      ${changed.map(
        (key) =>
          html`<div>
            <dt>${fieldName(key)}</dt>
            <dd>
              ${text(base, key) !== undefined && html`<del>${text(base, key)}</del>`}
              ${text(edited, key) !== undefined && html`<ins>${text(edited, key)}</ins>`}
            </dd>
          </div>`,
      )}
    </dl>`
  }
  ${drawn(hunks, mostLines)}`
}

function choices(place: Place, { path, form }: ConflictsParts, shown: ShownDecision): HtmlValue {
  const matter = shown.matter!
  const { conflict } = shown.decision
  const first = firstOf(matter)
  if (first.length > 0)
    return html`<p class="review-hint">
      Decide about its ${first.map(({ field }) => fieldName(field)).join(', ')} first: that is a part of the text, too.
    </p>`
  const sides = (['ours', 'theirs'] as const).filter((side) => changeTaking(matter, side) !== undefined)
  const texts = textsWith(matter.entry)
  // The front matter above the text of a page is edited with the text.
  const byHand =
    texts !== undefined && (conflict.kind === 'body' || (texts === pageTexts && conflict.field === 'source'))
  return html`<form ${writingOver(place.link(`${path}/conflicts/${conflict.id}`))} class="review-decide">
      ${hidden({ form, seen: stateOf(matter) })}
      <div class="review-buttons">
        ${sides.map((side) => html`<button class="btn" name="side" value="${side}">${labelOf(shown, side)}</button>`)}
        ${byHand && html`<a class="btn" href="${place.link(`${path}/${texts.folder}/${matter.entry.entry}`)}">Edit by hand</a>`}
      </div>
    </form>
    ${hintFor(shown, sides, byHand)}`
}

function labelOf({ decision: { conflict }, matter, type }: ShownDecision, side: Side): string {
  if (conflict.field !== 'page')
    return side === 'ours' ? 'Use what the change request has' : 'Use what the main content has'
  if (conflict[side] !== null) return `Keep the ${nouns[type]}`
  const { entry, tree } = matter!
  const below = entry.kind === page ? pagesWithin(tree, entry).length - 1 : 0
  if (below === 0) return `Delete the ${nouns[type]}`
  return `Delete the page, and ${below === 1 ? 'the one' : `the ${below}`} below it`
}

function hintFor({ decision: { conflict } }: ShownDecision, sides: Side[], byHand: boolean): HtmlValue {
  const say = (text: string) => html`<p class="review-hint">${text}</p>`
  if (conflict.kind === 'body' && byHand)
    return say(
      'By hand: the text contains both sides, between lines that begin with <<<<<<<, ======= and >>>>>>>. Keep what you want, and delete these three lines.',
    )
  if (sides.length === 2 || byHand) return undefined
  if (conflict.field === 'place')
    return say('The other place is no longer possible: its parent page no longer exists, or is now below this page.')
  if (conflict.field === 'type') return say('Using the main content takes the whole page as it is there.')
  return say('This can only be resolved by deleting it on one of the two sides.')
}
