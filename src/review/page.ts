import { buttonForm, day, hidden, note } from '../account/parts.ts'
import { isOutdated } from '../change-requests/queries.ts'
import { isCurrent } from '../change-requests/reviews.queries.ts'
import type { Comment } from '../comments/queries.ts'
import type { Hunk } from '../content/diff.ts'
import type { Entry, Json } from '../content/merge/entry.ts'
import { type Place, icon } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import type { Attributes, LoadedChanges, SemanticChange } from '../pages/changes.ts'
import { fileData, pageData, reusableData } from '../pages/entry-data.ts'
import { frame } from './frame.ts'
import type { Reviewed } from './load.ts'

export interface ReviewParts extends Reviewed {
  /** Where the page is: its forms lead below it. */
  path: string
  form: string
  done?: string
  error?: string
  /** What somebody wrote before their form was refused. */
  comment?: string
}

/** As a field counts them. */
export const longestComment = 8_000

const spacePath = ({ access: { space } }: ReviewParts) => `/app/o/${space.organization_id}/s/${space.id}`

/** A change request for whoever reviews it: what changes, what was said, and what they may do about it. Without script. */
export function reviewPage(place: Place, parts: ReviewParts): Html {
  const { space, changeRequest } = parts.access
  const title = changeRequest.subject || `Change request #${changeRequest.number}`
  const body = html`<p class="review-space">
      <a href="${place.link(spacePath(parts))}">${space.title}</a> · #${changeRequest.number}
    </p>
    <h1>${title}</h1>
    ${standing(parts)} ${changeRequest.description && html`<p class="review-about">${changeRequest.description}</p>`}
    ${parts.error !== undefined && note('danger', parts.error)}
    ${parts.done !== undefined && note('success', parts.done)} ${warnings(parts)}
    ${
      parts.isShown &&
      html`<p>
        <a class="btn" href="${place.link(`${parts.path}/preview`)}">${icon('globe')} See it as its readers will</a>
      </p>`
    }
    ${changesOf(place, parts)} ${pagesOf(place, parts)} ${readiness(place, parts)} ${saidIn(parts)} ${reviewsOf(parts)}
    ${actions(place, parts)}`
  return frame(place, `${title} · ${space.title}`, body, ['globe'])
}

const tones = { draft: 'info', open: 'success', merged: 'violet', archived: 'warning' } as const

function standing({ access: { changeRequest } }: ReviewParts): Html {
  const { status, creator, updated_at } = changeRequest
  return html`<p class="review-standing">
    <span class="tag" data-tone="${tones[status]}">${status}</span>
    ${creator && html`by ${creator.display_name} ·`} changed ${day(updated_at)}
  </p>`
}

function warnings({ access: { changeRequest }, conflicts }: ReviewParts): HtmlValue {
  if (conflicts.count > 0) {
    const where = conflicts.titles.filter((title) => title !== '').join(', ')
    const many = conflicts.count === 1 ? 'One conflict' : `${conflicts.count} conflicts`
    return note('danger', `${many} with the main content${where && `: ${where}`}. It cannot be merged like that.`)
  }
  return isOutdated(changeRequest) && note('info', 'The main content has changed since; both can be merged.')
}

function changesOf(place: Place, parts: ReviewParts): Html {
  const { changes: loaded, fresh } = parts
  const { changes, more } = loaded
  const edit = (page: Entry) => editAddress(place, parts, page)
  return html`<section aria-label="Changes" class="review-changes">
    ${changes.length === 0 && html`<p class="none">It changes nothing yet.</p>`}
    ${changes.map((change) => html`<article>${changeOf(change, loaded, fresh, edit)}</article>`)}
    ${more > 0 && html`<p class="none">And ${more} more, which the API lists.</p>`}
  </section>`
}

function changeOf(
  change: SemanticChange,
  { before, after, diffs }: Pick<LoadedChanges, 'before' | 'after' | 'diffs'>,
  fresh: ReadonlyMap<string, Hunk[]>,
  edit: (page: Entry) => string | undefined,
): Html {
  switch (change.type) {
    case 'page_created':
      return html`${head('New page', pageData(change.page).title, after.pathOf(change.page), edit(change.page))}
      ${drawn(fresh.get(change.page.entry))}`
    case 'page_deleted':
      return head('Deleted page', pageData(change.page).title, before.pathOf(change.page))
    case 'page_moved':
      return head('Moved page', pageData(change.page).title, after.pathOf(change.page))
    case 'page_edited':
      return html`${head('Edited page', pageData(change.page).title, after.pathOf(change.page), edit(change.page))}
      ${attributesOf(change.attributes)} ${drawn(diffs.get(change.page.entry))}`
    case 'file_created':
      return head('New file', fileData(change.file).name)
    case 'file_deleted':
      return head('Deleted file', fileData(change.file).name)
    case 'file_edited':
      return head('Changed file', fileData(change.file).name)
    case 'variables_edited':
      return html`${head('Variables', '')} ${attributesOf(change.variables)}`
    case 'reusable_content_created':
      return head('New reusable content', reusableData(change.reusableContent).title)
    case 'reusable_content_deleted':
      return head('Deleted reusable content', reusableData(change.reusableContent).title)
    case 'reusable_content_edited':
      return head('Changed reusable content', reusableData(change.reusableContent).title)
  }
}

const head = (what: string, title: string, path?: string, edit?: string) =>
  html`<header>
    <span class="tag" data-tone="info">${what}</span> <strong>${title}</strong>
    ${path !== undefined && html`<code>/${path}</code>`}
    ${edit !== undefined && html`<a class="review-go" href="${edit}">Edit</a>`}
  </header>`

function attributesOf(attributes: Attributes): HtmlValue {
  const named = Object.entries(attributes).filter(([name]) => name !== 'document' && name !== 'frontMatter')
  if (named.length === 0) return undefined
  return html`<dl>
    ${named.map(
      ([name, { before, after }]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>
            ${before !== undefined && html`<del>${shown(before)}</del>`}
            ${after !== undefined && html`<ins>${shown(after)}</ins>`}
          </dd>
        </div>`,
    )}
  </dl>`
}

const shown = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

const isOpen = ({ access: { changeRequest } }: ReviewParts) => ['draft', 'open'].includes(changeRequest.status)

/** Undefined where they may not write there. */
function editAddress(place: Place, parts: ReviewParts, page: Entry): string | undefined {
  const mayWrite = parts.rights.edit && isOpen(parts) && pageData(page).type === 'document'
  return mayWrite ? place.link(`${parts.path}/pages/${page.entry}`) : undefined
}

/** For those who write: all pages there are, and a new one. */
function pagesOf(place: Place, parts: ReviewParts): HtmlValue {
  const { rights, path, form, pages } = parts
  if (!rights.edit || !isOpen(parts)) return undefined
  return html`<section aria-label="Pages">
    <details class="review-pages">
      <summary class="btn">Edit other pages, or add one</summary>
      <ul role="list">
        ${pages.shown.map(({ page, depth }) => {
          const { title } = pageData(page)
          const href = editAddress(place, parts, page)
          return html`<li data-depth="${Math.min(depth, 6)}">
            ${href === undefined ? html`<span>${title}</span>` : html`<a href="${href}">${title}</a>`}
          </li>`
        })}
      </ul>
      ${pages.more > 0 && html`<p class="none">And ${pages.more} more, which the API lists.</p>`}
      <form method="post" action="${place.link(`${path}/pages`)}" class="fields inline one">
        ${hidden({ form })}
        <label class="field grow">
          <span>Title of a new page</span>
          <input name="title" maxlength="100" autocomplete="off" required />
        </label>
        <button class="btn">Add page</button>
      </form>
    </details>
  </section>`
}

/** Of one page: who reads more of it does so elsewhere. */
const mostLines = 400

const signs = { kept: ' ', removed: '−', added: '+' } as const

function drawn(hunks: readonly Hunk[] | undefined): HtmlValue {
  if (!hunks || hunks.length === 0) return undefined
  const [shown, left] = firstLines(hunks, mostLines)
  const rows = shown.map(
    ({ lines }) =>
      html`<tbody>
        ${lines.map(
          (line) =>
            html`<tr class="${line.type}">
              <td class="at">${'before' in line && line.before}</td>
              <td class="at">${'after' in line && line.after}</td>
              <td class="sign" aria-label="${line.type}">${signs[line.type]}</td>
              <td><code>${line.text.replace(/\r?\n$/, '')}</code></td>
            </tr>`,
        )}
      </tbody>`,
  )
  return html`<div class="diff" tabindex="0">
    <table>
      ${rows}
    </table>
    ${left > 0 && html`<p class="none">And ${left} more lines, which the API shows.</p>`}
  </div>`
}

/** Of hunks, no more lines than these; and how many there are beyond. */
function firstLines(hunks: readonly Hunk[], most: number): [Hunk[], number] {
  let room = most
  const shown = hunks.flatMap(({ lines }): Hunk[] => {
    const fitting = lines.slice(0, room)
    room -= fitting.length
    return fitting.length > 0 ? [{ lines: fitting }] : []
  })
  const all = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  return [shown, all - (most - room)]
}

function saidIn({ said, moreSaid }: ReviewParts): HtmlValue {
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

function reviewsOf({ reviews, access: { changeRequest } }: ReviewParts): HtmlValue {
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

/** A draft is for whoever writes it, until they say that others may have a look. */
function readiness(place: Place, { access: { changeRequest }, rights, path, form }: ReviewParts): HtmlValue {
  if (changeRequest.status !== 'draft' || !rights.edit) return undefined
  return buttonForm(place, { action: `${path}/open`, fields: { form }, label: 'It is ready for a review' })
}

function actions(place: Place, { access: { changeRequest }, rights, path, form, comment }: ReviewParts): HtmlValue {
  if (changeRequest.status === 'merged' || changeRequest.status === 'archived') return undefined
  const fields = { form, revision: changeRequest.head_id }
  return html`${
    rights.comment &&
    html`<section aria-label="Your word">
      <h2>${rights.review ? 'Your review' : 'Your comment'}</h2>
      <form method="post" action="${place.link(`${path}/review`)}" class="fields">
        ${hidden(fields)}
        <label class="field">
          <span>Comment (Markdown)</span>
          <textarea name="comment" rows="4" maxlength="${longestComment}">${comment}</textarea>
        </label>
        <div class="review-buttons">
          ${
            rights.review &&
            html`<button class="btn primary" name="status" value="approved">Approve</button>
              <button class="btn" name="status" value="changes-requested">Request changes</button>`
          }
          <button class="btn" name="status" value="said">Only comment</button>
        </div>
      </form>
    </section>`
  }
  ${
    rights.merge &&
    html`<section aria-label="Merge">
      <h2>Merge</h2>
      <form method="post" action="${place.link(`${path}/merge`)}" class="fields">
        ${hidden(fields)}
        <div class="review-buttons"><button class="btn">Merge into the main content</button></div>
      </form>
    </section>`
  }`
}
