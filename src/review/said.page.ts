import { day } from '../account/parts.ts'
import { isCurrent } from '../change-requests/reviews.queries.ts'
import type { Comment } from '../comments/queries.ts'
import { type HtmlValue, html } from '../http/html.ts'
import type { ReviewParts } from './parts.ts'

export function saidIn({ said, moreSaid }: ReviewParts): HtmlValue {
  if (said.length === 0) return undefined
  return html`<section aria-label="Comments">
    <h2>Comments</h2>
    <ul class="review-said" role="list">
      ${said.map(
        ({ comment, replies }) =>
          html`<li>
            ${saying(comment)}
            ${
              replies.length > 0 &&
              html`<ul role="list">
                ${replies.map((reply) => html`<li>${saying(reply)}</li>`)}
              </ul>`
            }
          </li>`,
      )}
    </ul>
    ${moreSaid > 0 && html`<p class="none">And ${moreSaid} more, which the API lists.</p>`}
  </section>`
}

const saying = ({ author, posted_at, page, resolved_at, markdown }: Comment) =>
  html`<p class="review-by">
      <strong>${author.display_name}</strong> ·
      ${day(posted_at)}${page && html` · on ${page.title}`}${resolved_at && ' · resolved'}
    </p>
    <p class="review-text">${markdown}</p>`

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
                ${day(review.created_at)}${!isCurrent(review, changeRequest) && ' · of an earlier state'}
              </span>
            </span>
            <span class="tag" data-tone="${review.status === 'approved' ? 'success' : 'warning'}"
              >${review.status === 'approved' ? 'approved' : 'changes requested'}</span
            >
          </li>`,
      )}
    </ul>
  </section>`
}
