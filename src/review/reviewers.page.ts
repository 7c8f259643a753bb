import { appPath } from '../app-path.ts'
import { buttonForm, hidden, moment } from '../account/parts.ts'
import { type LatestReview, isCurrent } from '../change-requests/reviews/reviews.queries.ts'
import type { Place } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import { type ReviewParts, mayWrite } from './parts.ts'

/** The people asked for a review, with what each has said. Editors can ask more people and withdraw requests. */
export function reviewersOf(place: Place, parts: ReviewParts): HtmlValue {
  const { asked, moreAsked } = parts
  const mayAsk = mayWrite(parts)
  if (asked.length === 0 && !mayAsk) return undefined
  return html`<section aria-label="Reviewers">
    <h2>Reviewers</h2>
    ${
      asked.length === 0
        ? html`<p class="none">No review has been requested yet.</p>`
        : html`<ul class="rows" role="list">
            ${asked.map((each) => awaited(place, parts, each, mayAsk))}
          </ul>`
    }
    ${moreAsked > 0 && html`<p class="none">And ${moreAsked} more. Use the API to list them.</p>`}
    ${mayAsk && asking(place, parts)}
  </section>`
}

function awaited(place: Place, parts: ReviewParts, each: ReviewParts['asked'][number], mayAsk: boolean): Html {
  const { reviewer, said } = each
  const { display_name } = reviewer.person
  const { changeRequest } = parts.access
  const isOld = said !== undefined && !isCurrent(said, changeRequest)
  // Asked about the current version, but reviewed an earlier one: the answer is still pending.
  const isAskedAnew = isOld && reviewer.revision_id === changeRequest.head_id
  const saidBefore = isAskedAnew ? ` · ${wordOf(said)} of an earlier version` : ' · said of an earlier version'
  return html`<li>
    <span class="row-main">
      <strong>${display_name}</strong>
      <span class="row-more">
        asked
        ${moment(reviewer.created_at)}${reviewer.requested_by && html` by ${reviewer.requested_by.display_name}`}${isOld && saidBefore}
      </span>
    </span>
    <div class="review-does">
      ${said && !isAskedAnew ? verdict(said) : html`<span class="tag" data-tone="info">pending</span>`}
      ${
        mayAsk &&
        buttonForm(place, {
          action: `${parts.path}/reviewers/${reviewer.user_id}/remove`,
          fields: { form: parts.form },
          label: 'Withdraw',
          name: `Withdraw the request for a review by ${display_name}`,
        })
      }
    </div>
  </li>`
}

const verdict = ({ status }: Pick<LatestReview, 'status'>) =>
  html`<span class="tag" data-tone="${status === 'approved' ? 'success' : 'warning'}">${wordOf({ status })}</span>`

const wordOf = ({ status }: Pick<LatestReview, 'status'>) => (status === 'approved' ? 'approved' : 'changes requested')

const accessPathOf = ({ access: { space } }: ReviewParts) =>
  `${appPath.space(space.organization_id, space.id)}/~/access`

function asking(place: Place, parts: ReviewParts): Html {
  const { possible, path, form, access, email, rights, sendsMail } = parts
  if (possible?.length === 0)
    return html`<p class="aside">
      Nobody else can review here. That requires the role review in this
      space${rights.admin ? html`, which you grant under <a href="${place.link(accessPathOf(parts))}">Access</a>` : ''}.
    </p>`
  const field = possible
    ? html`<span>Request a review from</span>
        <select name="user" required>
          <option value="">Choose a person</option>
          ${possible.map((person) => html`<option value="${person.id}">${person.display_name} (${person.email})</option>`)}
        </select>`
    : html`<span>Request a review from (e-mail address)</span>
        <input name="email" type="email" value="${email ?? ''}" maxlength="254" autocomplete="off" required />`
  const words = [
    ...(access.changeRequest.status === 'draft'
      ? ['Requesting a review also marks this draft as ready for review.']
      : []),
    ...(rights.merge ? [] : ['Anyone who can review can also merge it.']),
    sendsMail
      ? 'The reviewer gets a mail, unless they have turned it off.'
      : 'This server sends no mail, so tell the reviewer yourself. The request is also listed in their account.',
  ]
  return html`<form method="post" action="${place.link(`${path}/reviewers`)}" class="fields inline one">
      ${hidden({ form })} <label class="field grow">${field}</label>
      <button class="btn">Request review</button>
    </form>
    <p class="aside">${words.join(' ')}</p>`
}

/** The latest reviews, newest first. */
export function reviewsOf({ reviews, access: { changeRequest } }: ReviewParts): HtmlValue {
  if (reviews.length === 0) return undefined
  return html`<section aria-label="Reviews">
    <h2>Reviews</h2>
    <ul class="rows" role="list">
      ${reviews.map(
        (review) =>
          html`<li>
            <span class="row-main">
              <strong>${review.reviewer.display_name}</strong>
              <span class="row-more">
                ${moment(review.created_at)}${!isCurrent(review, changeRequest) && ' · of an earlier version'}
              </span>
            </span>
            ${verdict(review)}
          </li>`,
      )}
    </ul>
  </section>`
}
