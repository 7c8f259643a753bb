import { note } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import { frame } from '../workspace/frame.ts'
import { unsentText } from './comments/unsent.page.ts'

interface InsteadParts {
  title: string
  tone: 'danger' | 'info'
  text: HtmlValue
  /** The link to go on with. */
  back: { label: string; path: string; inNewTab?: boolean }
  /** Text that could not be saved. It is shown so that the user can keep it. */
  left?: string
}

/** The page shown when a user wanted to write something but cannot. */
export function insteadPage(place: Place, { title, tone, text, back, left }: InsteadParts): Html {
  return frame(
    place,
    title,
    html`<h1>${title}</h1>
      ${note(tone, text)} ${left !== undefined && unsentText(left)}
      <div class="review-buttons">
        <a class="btn primary" href="${place.link(back.path)}" ${back.inNewTab && html` target="_blank" rel="noopener"`}
          >${back.label}</a
        >
      </div>`,
  )
}
