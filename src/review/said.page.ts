import { pathWith } from '../account/answer.ts'
import { buttonForm, day, hidden, inField } from '../account/parts.ts'
import type { Comment } from '../comments/queries.ts'
import type { Place } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import { type ReviewParts, longestComment } from './parts.ts'
import type { Saying } from './said.load.ts'

/** What people said, and what can be done about each of it: to reply, to settle it, to take it back. */
export function saidIn(place: Place, parts: ReviewParts): HtmlValue {
  const { said, saidBefore, saidLast } = parts
  if (said.length === 0 && saidLast === undefined) return undefined
  return html`<section aria-label="Comments" id="comments">
    <h2>Comments</h2>
    ${otherPart(place, 'Earlier comments', saidBefore)}
    ${
      said.length === 0
        ? html`<p class="none">Those that were here are deleted.</p>`
        : html`<ul class="review-said" role="list">
            ${said.map((saying) => conversation(place, parts, saying))}
          </ul>`
    }
    ${otherPart(place, 'The last comments', saidLast)}
  </section>`
}

const otherPart = (place: Place, label: string, path: string | undefined): HtmlValue =>
  path !== undefined && html`<p class="aside"><a href="${place.link(path)}#comments">${label}</a></p>`

/** Where a form about a comment leads: it says which part of the comments is shown. */
const formPath = ({ saidPart }: ReviewParts, path: string, verb: string) =>
  pathWith(`${path}/${verb}`, { page: saidPart })

/** Where a comment is on the page. */
export const placeOnPage = (commentId: string) => `said-${commentId}`

function conversation(place: Place, parts: ReviewParts, saying: ReviewParts['said'][number]): Html {
  const { comment, may, replies } = saying
  const path = `${parts.path}/comments/${comment.id}`
  const more = comment.replies - replies.length
  const question = replies.length > 0 ? 'Delete this comment and all replies to it?' : 'Delete this comment?'
  return html`<li id="${placeOnPage(comment.id)}" ${comment.resolved_at !== null && html`class="resolved"`}>
    ${wordsOf(parts, comment)}
    ${
      replies.length > 0 &&
      html`<ul role="list">
        ${replies.map((reply) => replied(place, parts, path, reply))}
      </ul>`
    }
    ${more > 0 && html`<p class="none">And ${more} more ${more === 1 ? 'reply' : 'replies'}, which the API lists.</p>`}
    <div class="review-does">
      ${may.reply && replying(place, parts, path, comment)} ${may.edit && settling(place, parts, path, comment)}
      ${may.delete && deleting(place, parts, { path, question, author: comment.author.display_name })}
    </div>
  </li>`
}

function replied(place: Place, parts: ReviewParts, path: string, { comment, may }: Saying): Html {
  const what = {
    path: `${path}/replies/${comment.id}`,
    question: 'Delete this reply?',
    author: comment.author.display_name,
  }
  return html`<li>
    ${wordsOf(parts, comment)} ${may.delete && html`<div class="review-does">${deleting(place, parts, what)}</div>`}
  </li>`
}

const wordsOf = ({ texts }: ReviewParts, { author, posted_at, page, resolved_at, markdown }: Comment) =>
  html`<p class="review-by">
      <strong>${author.display_name}</strong> ·
      ${day(posted_at)}${page && html` · on ${page.title}`}${resolved_at && html` · <span class="tag" data-tone="success">resolved</span>`}
    </p>
    ${texts.get(markdown)}`

/** Open where a reply was refused: it still stands there. */
function replying(place: Place, parts: ReviewParts, path: string, { id, author }: Comment): Html {
  const { form, reply } = parts
  const kept = reply?.to === id ? reply.text : undefined
  return html`<details ${kept !== undefined && 'open'}>
    <summary class="btn" aria-label="Reply to ${author.display_name}">Reply</summary>
    <form method="post" action="${place.link(formPath(parts, path, 'reply'))}" class="fields">
      ${hidden({ form })}
      <label class="field">
        <span>Your reply (Markdown)</span>
        <textarea name="text" rows="3" maxlength="${longestComment}" required data-unsaved>${inField(kept)}</textarea>
      </label>
      <div class="review-buttons"><button class="btn primary">Send reply</button></div>
    </form>
  </details>`
}

const settling = (place: Place, parts: ReviewParts, path: string, { resolved_at, author }: Comment) =>
  resolved_at === null
    ? buttonForm(place, {
        action: formPath(parts, path, 'resolve'),
        fields: { form: parts.form },
        label: 'Resolve',
        name: `Resolve the comment of ${author.display_name}`,
      })
    : buttonForm(place, {
        action: formPath(parts, path, 'reopen'),
        fields: { form: parts.form },
        label: 'Open again',
        name: `Open the comment of ${author.display_name} again`,
      })

const deleting = (
  place: Place,
  parts: ReviewParts,
  { path, question, author }: { path: string; question: string; author: string },
) =>
  html`<details>
    <summary class="btn" aria-label="Delete what ${author} said">Delete</summary>
    <form method="post" action="${place.link(formPath(parts, path, 'delete'))}" class="review-ask">
      ${hidden({ form: parts.form })}
      <p>${question} It cannot be brought back.</p>
      <button class="btn danger">Delete it</button>
    </form>
  </details>`
