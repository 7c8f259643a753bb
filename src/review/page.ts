import { buttonForm, hidden, inField, moment, noteWith, outcome } from '../account/parts.ts'
import { isOutdated } from '../change-requests/queries.ts'
import { isCurrent } from '../change-requests/reviews/reviews.queries.ts'
import { subjectOf } from '../change-requests/subject.ts'
import { type Place, icon } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import { aboutOf, archivingOf, reopeningOf, tellingOf } from './about.page.ts'
import { changesOf } from './changes/changes.page.ts'
import { bringIn } from './conflicts/conflicts.page.ts'
import { frame } from '../workspace/frame.ts'
import { lacking } from '../workspace/refusal.ts'
import { wayToSpace } from '../workspace/spaces/way-to-space.ts'
import { isSaidInList, pagesOf } from './pages/pages.page.ts'
import { type ReviewParts, isOpen, longestComment, mayWrite, mentionsExplained, tones } from './parts.ts'
import { reviewersOf, reviewsOf } from './reviewers.page.ts'
import { saidIn } from './comments/said.page.ts'
import { unsentOf } from './comments/unsent.page.ts'

/**
 * The page of a change request for reviewers: what changes, what was said, and what they may do about it. Works without
 * scripts.
 */
export function reviewPage(place: Place, parts: ReviewParts): Html {
  const { space, changeRequest } = parts.access
  const title = subjectOf(changeRequest)
  const body = html`${wayToSpace(place, { organization: parts.organization, space }, ` › Change request #${changeRequest.number}`)}
    <h1>${title}</h1>
    ${standing(parts)} ${parts.error !== undefined && outcome('danger', parts.error)} ${unsentOf(parts)}
    ${parts.done !== undefined && !isSaidInList(parts) && outcome('success', parts.done)} ${aboutOf(parts)}
    ${reopeningOf(place, parts)}
    <div class="review-next">
      ${warnings(place, parts)}
      <div class="review-tools">
        ${readiness(place, parts)}
        ${
          parts.isShown &&
          html`<a class="btn" href="${place.link(`${parts.path}/preview`)}">${icon('globe')} Preview as a reader</a>`
        }
        ${leadingDown(parts)} ${tellingOf(place, parts)}
        <a class="btn quiet" href="${place.link(`${parts.path}/~/pdf`)}">PDF</a>
      </div>
    </div>
    ${changesOf(place, parts)} ${pagesOf(place, parts)} ${saidIn(place, parts)} ${reviewersOf(place, parts)}
    ${reviewsOf(parts)} ${actions(place, parts)} ${archivingOf(place, parts)}`
  const script = mayWrite(parts) && html`<script src="${place.asset('tree.js')}" type="module"></script>`
  return frame(place, `${title} · ${space.title}`, body, ['globe'], html`${script}`)
}

const changesNothing = ({ changes }: ReviewParts) => changes.from === 0 && changes.changes.length === 0

/** A link down to the review form, so that the reader need not scroll past all changes. */
function leadingDown(parts: ReviewParts): HtmlValue {
  const { rights } = parts
  if (changesNothing(parts) || !rights.comment || !isOpen(parts)) return undefined
  return html`<a class="btn" href="#word">${rights.review ? 'Review and merge' : 'Comment'}</a>`
}

/** The creator comes after the status and who merged it, so that it does not read as if the creator had merged it. */
function standing({ access: { changeRequest }, merger }: ReviewParts): Html {
  const { status, creator, updated_at } = changeRequest
  return html`<p class="review-standing">
    <span class="tag" data-tone="${tones[status]}">${status}</span>
    ${merger && html`by ${merger.display_name} ·`} ${creator && html`created by ${creator.display_name} ·`} changed
    ${moment(updated_at)}
  </p>`
}

/**
 * Shows what prevents merging, and whether the main content has changed since. Neither matters once it is merged or
 * archived.
 */
function warnings(place: Place, parts: ReviewParts): HtmlValue {
  const { access, conflicts, path } = parts
  const isBehind = isOutdated(access.changeRequest)
  if (!isOpen(parts) || (conflicts.count === 0 && !isBehind)) return undefined
  const where = conflicts.titles.filter((title) => title !== '').join(', ')
  const many = conflicts.count === 1 ? '1 conflict' : `${conflicts.count} conflicts`
  const resolving =
    conflicts.count > 0 &&
    html`<a class="btn ${mayWrite(parts) && 'primary'}" href="${place.link(`${path}/conflicts`)}"
      >${mayWrite(parts) ? 'Resolve' : 'See'} conflicts</a
    >`
  const updating = mayWrite(parts) && isBehind && !conflicts.areOpen && bringIn(place, parts)
  const actions = (resolving || updating) && html`${resolving} ${updating}`
  return conflicts.count > 0
    ? noteWith(
        'danger',
        `${many} with the main content${where && `: ${where}`}. It cannot be merged until this is resolved.`,
        actions,
      )
    : noteWith('info', 'The main content has changed since, but this can still be merged.', actions)
}

/** A draft is for its authors until one of them marks it as ready for review. */
function readiness(place: Place, parts: ReviewParts): HtmlValue {
  const { access, rights, path, form } = parts
  if (access.changeRequest.status !== 'draft' || !rights.edit) return undefined
  const label = 'Mark as ready for review'
  return buttonForm(place, { action: `${path}/open`, fields: { form }, label, look: lookOf(parts, 'ready') })
}

/** Highlights only the step that most people would take next: marking it as ready, approving it, or merging it. */
function lookOf(parts: ReviewParts, step: 'ready' | 'approve' | 'merge'): string {
  const { access, conflicts, lacks, rights } = parts
  const { changeRequest } = access
  if (changesNothing(parts) || conflicts.count > 0) return ''
  const reviews = parts.reviews.filter((review) => isCurrent(review, changeRequest))
  const isApproved = reviews.length > 0 && reviews.every(({ status }) => status === 'approved')
  const last = isApproved && lacks.length === 0 && rights.merge ? 'merge' : 'approve'
  return step === (changeRequest.status === 'draft' ? 'ready' : last) ? 'primary' : ''
}

const buttonOf = (parts: ReviewParts, step: 'approve' | 'merge') => `btn ${lookOf(parts, step)}`.trimEnd()

function actions(place: Place, parts: ReviewParts): HtmlValue {
  const { access, rights, path, form, comment, lacks, sendsMail, conflicts } = parts
  const { changeRequest } = access
  if (!isOpen(parts)) return undefined
  const fields = { form, revision: changeRequest.head_id }
  return html`${
    rights.comment &&
    html`<section aria-label="Your word" id="word">
      <h2>${rights.review ? 'Your review' : 'Your comment'}</h2>
      <form method="post" action="${place.link(`${path}/review`)}" class="fields">
        ${hidden(fields)}
        <label class="field">
          <span>Comment (Markdown)</span>
          <textarea name="comment" rows="4" maxlength="${longestComment}" data-unsaved>${inField(comment)}</textarea>
        </label>
        ${mentionsExplained(sendsMail)}
        <div class="review-buttons">
          ${
            rights.review &&
            html`<button class="${buttonOf(parts, 'approve')}" name="status" value="approved">Approve</button>
              <button class="btn" name="status" value="changes-requested">Request changes</button>`
          }
          <button class="btn" name="status" value="said">${rights.review ? 'Comment only' : 'Comment'}</button>
        </div>
      </form>
    </section>`
  }
  ${
    rights.merge &&
    html`<section aria-label="Merge">
      <h2>Merge</h2>
      ${changesNothing(parts) && html`<p class="aside">There is nothing to merge yet.</p>`}
      ${lacks.length > 0 && html`<p class="aside">${lacking(lacks)}</p>`}
      ${
        conflicts.count > 0 &&
        html`<p class="aside">
          First, <a href="${place.link(`${path}/conflicts`)}">its conflicts</a> with the main content must be resolved.
        </p>`
      }
      <form method="post" action="${place.link(`${path}/merge`)}" class="fields">
        ${hidden(fields)}
        <div class="review-buttons"><button class="${buttonOf(parts, 'merge')}">Merge into main content</button></div>
      </form>
    </section>`
  }`
}
