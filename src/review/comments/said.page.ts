import { pathWith } from '../../account/answer.ts'
import { buttonForm, hidden, inField, moment, writingOver } from '../../account/parts.ts'
import { placeOnPage } from '../../comments/place-on-page.ts'
import type { Comment } from '../../comments/queries.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { asSeen } from '../../workspace/seen.ts'
import { fromAgain } from '../changes/changes.load.ts'
import { type Kept, longestComment } from '../parts.ts'
import type { Conversation, Said, Saying } from './said.load.ts'

/** A page with comments: that of a change request or of a space. */
export interface TalkParts extends Said, Pick<Kept, 'reply' | 'reworded'> {
  /** Forms about a comment lead to addresses below it. */
  path: string
  form: string
  /** The drawn comments and replies, by their Markdown. */
  texts: ReadonlyMap<string, Html>
  /** Which part of the changes is shown, if there are any. */
  changes?: { from: number }
  /** Says what is not there any more, by the comments on it. */
  past: ReadonlyMap<string, string>
  /** Where the page that a comment is about is read, unless it is shown beside the comment. */
  pageOf?: (comment: Comment) => string | undefined
}

/** Shows the comments and what can be done about each: reply, resolve, edit, delete. */
export function saidIn(place: Place, parts: TalkParts, heading: HtmlValue = html`<h2>Comments</h2>`): HtmlValue {
  const { said, saidBefore, saidLast } = parts
  if (said.length === 0 && saidLast === undefined) return undefined
  return html`<section aria-label="Comments" id="comments">
    ${heading} ${otherPart(place, 'Earlier comments', saidBefore)}
    ${
      said.length === 0
        ? html`<p class="none">The comments that were here were deleted.</p>`
        : html`<ul class="review-said" role="list">
            ${said.map((saying) => (isBeside(parts, saying) ? leadingThere(saying) : conversation(place, parts, saying)))}
          </ul>`
    }
    ${otherPart(place, 'The last comments', saidLast)}
  </section>`
}

const isBeside = ({ saidBeside }: TalkParts, { comment }: Saying) =>
  comment.page_id !== null && (saidBeside.get(comment.page_id) ?? []).some((each) => each.comment.id === comment.id)

/**
 * A comment on a page whose changes are shown appears there, and only there. Here a link tells who wrote it, and when.
 */
const leadingThere = ({ comment: { id, author, posted_at, page } }: Saying) =>
  html`<li>
    <p class="review-by">
      <strong>${author.display_name}</strong> · ${moment(posted_at)} ·
      <a href="#${placeOnPage(id)}">on ${page!.title}, beside its changes</a>
    </p>
  </li>`

const otherPart = (place: Place, label: string, path: string | undefined): HtmlValue =>
  path !== undefined && html`<p class="aside"><a href="${place.link(path)}#comments">${label}</a></p>`

/**
 * Where a form about a comment leads. The address includes which part of the comments is shown, and which part of the
 * changes.
 */
export const formPath = ({ saidPart, changes }: TalkParts, path: string, verb: string) =>
  pathWith(`${path}/${verb}`, { page: saidPart, from: changes && fromAgain(changes) })

/** Shows a comment with its replies, and what can be done about each. */
export function conversation(place: Place, parts: TalkParts, saying: Conversation): Html {
  const { comment, may, replies } = saying
  const path = `${parts.path}/comments/${comment.id}`
  const more = comment.replies - replies.length
  const question = replies.length > 0 ? 'Delete this comment and all replies to it?' : 'Delete this comment?'
  return html`<li id="${placeOnPage(comment.id)}" ${comment.resolved_at !== null && html`class="resolved"`}>
    ${wordsOf(place, parts, comment)}
    ${
      replies.length > 0 &&
      html`<ul role="list">
        ${replies.map((reply) => replied(place, parts, path, reply))}
      </ul>`
    }
    ${more > 0 && html`<p class="none">And ${more} more ${more === 1 ? 'reply' : 'replies'}, which the API lists.</p>`}
    <div class="review-does">
      ${may.reply && replying(place, parts, path, comment)} ${may.edit && settling(place, parts, path, comment)}
      ${may.reword && rewording(place, parts, path, comment)}
      ${may.delete && deleting(place, parts, { path, question, author: comment.author.display_name })}
    </div>
  </li>`
}

function replied(place: Place, parts: TalkParts, path: string, { comment, may }: Saying): Html {
  const own = `${path}/replies/${comment.id}`
  const what = { path: own, question: 'Delete this reply?', author: comment.author.display_name }
  return html`<li>
    ${wordsOf(place, parts, comment)}
    ${
      may.delete &&
      html`<div class="review-does">
        ${may.reword && rewording(place, parts, own, comment)} ${deleting(place, parts, what)}
      </div>`
    }
  </li>`
}

function wordsOf(place: Place, { texts, pageOf, past }: TalkParts, comment: Comment): Html {
  const { author, posted_at, edited_at, page, node_preview, resolved_at, markdown } = comment
  const at = pageOf?.(comment)
  return html`<p class="review-by">
      <strong>${author.display_name}</strong> ·
      ${moment(posted_at)}${edited_at && html` · edited ${moment(edited_at)}`}${page && html` · on ${at === undefined ? page.title : html`<a href="${place.link(at)}">${page.title}</a>`}`}${resolved_at && html` · <span class="tag" data-tone="success">resolved</span>`}${past.has(comment.id) && html` · <span class="tag" data-tone="warning">${past.get(comment.id)}</span>`}
    </p>
    ${node_preview !== null && !markdown.startsWith('>') && html`<p class="review-part">${node_preview}</p>`}
    ${texts.get(markdown)}`
}

/** Open if a reply was refused, with its text still in the form. */
function replying(place: Place, parts: TalkParts, path: string, { id, author }: Comment): Html {
  const { form, reply } = parts
  const kept = reply?.to === id ? reply.text : undefined
  return html`<details ${kept !== undefined && 'open'}>
    <summary class="btn" aria-label="Reply to ${author.display_name}">Reply</summary>
    <form method="post" action="${place.link(formPath(parts, path, 'reply'))}" class="fields">
      ${hidden({ form })} ${wordsField('Your reply (Markdown)', kept)}
      <div class="review-buttons"><button class="btn primary">Send reply</button></div>
    </form>
  </details>`
}

export const wordsField = (
  label: string,
  text: string | undefined,
  { most = longestComment, isFocused = false }: { most?: number; isFocused?: boolean } = {},
) => {
  const focus = isFocused && 'autofocus'
  return html`<label class="field">
    <span>${label}</span>
    <textarea name="text" rows="3" maxlength="${most}" required data-unsaved ${focus}>${inField(text)}</textarea>
  </label>`
}

/** Identifies the current text, to detect whether it has changed since. */
export const stateOfWords = ({ markdown }: Pick<Comment, 'markdown'>) => asSeen(markdown)

/** Comments written through the API can be longer. Their length stays possible. */
export const longestOf = ({ markdown }: Pick<Comment, 'markdown'>) => Math.max(longestComment, markdown.length)

/** For the author only. Open if the new text was refused, which is still in the form. */
function rewording(place: Place, parts: TalkParts, path: string, comment: Comment): Html {
  const { form, reworded } = parts
  const kept = reworded?.id === comment.id ? reworded : undefined
  const { text, seen } = kept ?? { text: comment.markdown, seen: stateOfWords(comment) }
  const what = comment.parent_id === null ? 'comment' : 'reply'
  return html`<details ${kept && 'open'}>
    <summary class="btn" aria-label="Edit your ${what}">Edit</summary>
    <form ${writingOver(place.link(formPath(parts, path, 'edit')))} class="fields">
      ${hidden({ form, seen })} ${wordsField(`Your ${what} (Markdown)`, text, { most: longestOf(comment) })}
      <div class="review-buttons"><button class="btn primary">Save ${what}</button></div>
    </form>
  </details>`
}

const settling = (place: Place, parts: TalkParts, path: string, { resolved_at, author }: Comment) =>
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
        label: 'Reopen',
        name: `Reopen the comment of ${author.display_name}`,
      })

const deleting = (
  place: Place,
  parts: TalkParts,
  { path, question, author }: { path: string; question: string; author: string },
) =>
  html`<details>
    <summary class="btn" aria-label="Delete what ${author} said">Delete</summary>
    <form method="post" action="${place.link(formPath(parts, path, 'delete'))}" class="review-ask">
      ${hidden({ form: parts.form })}
      <p>${question} This cannot be undone.</p>
      <button class="btn danger">Delete</button>
    </form>
  </details>`
