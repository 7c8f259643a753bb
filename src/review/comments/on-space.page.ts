import { hidden } from '../../account/parts.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { frame } from '../../workspace/frame.ts'
import type { Said } from '../../workspace/said.ts'
import { wayToSpace } from '../../workspace/spaces/way-to-space.ts'
import { saidOn } from '../../workspace/top.ts'
import { mentionsExplained } from '../parts.ts'
import { type TalkParts, saidIn, wordsField } from './said.page.ts'
import { unsentOnSpace } from './unsent.page.ts'

interface OnSpaceParts extends TalkParts, Said {
  organization: OrganizationRow
  space: SpaceRow
  mayComment: boolean
  /** The text of a comment that was refused. */
  comment?: string
  /** The page on which the user wants to comment. Otherwise it is the space. */
  about: { id: string; title: string } | undefined
  sendsMail: boolean
}

/**
 * Shows the comments on a space and its pages, without those in change requests, and what the user may do about them.
 */
export function onSpacePage(place: Place, parts: OnSpaceParts): Html {
  const { space, mayComment, said, saidLast } = parts
  return frame(
    place,
    `Comments · ${space.title}`,
    html`${wayToSpace(place, parts)}
      <h1>Comments</h1>
      <p class="review-standing">
        On this space and the pages of its main content. Comments on a change are in its change request.
      </p>
      ${saidOn(parts)} ${unsentOnSpace(parts)}
      ${said.length === 0 && saidLast === undefined && html`<p class="none">No comments yet.</p>`}
      ${saidIn(place, parts, '')} ${mayComment && saying(place, parts)}`,
  )
}

function saying(place: Place, parts: OnSpaceParts): HtmlValue {
  const { path, form, about, comment, sendsMail } = parts
  return html`<section aria-label="Your comment" id="word">
    <h2>${about ? html`Your comment on ${about.title}` : 'Your comment'}</h2>
    <form method="post" action="${place.link(`${path}/comments`)}" class="fields">
      ${hidden({ form, about: about?.id })}
      ${wordsField('Comment (Markdown)', comment, { isFocused: about !== undefined })} ${mentionsExplained(sendsMail)}
      <div class="review-buttons">
        <button class="btn primary">Comment</button>
        ${about && html`<a class="btn" href="${place.link(`${path}/comments`)}#word">Comment on the space instead</a>`}
      </div>
    </form>
  </section>`
}
