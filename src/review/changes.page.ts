import type { Hunk } from '../content/diff.ts'
import type { Entry, Json } from '../content/merge/entry.ts'
import type { Place } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import type { Attributes, LoadedChanges, SemanticChange } from '../pages/changes.ts'
import { fileData, pageData, reusableData } from '../pages/entry-data.ts'
import { fieldName } from './conflicts.words.ts'
import type { FreshTexts } from './fresh-texts.ts'
import { editAddress } from './pages.page.ts'
import { type ReviewParts, mayWrite } from './parts.ts'

export function changesOf(place: Place, parts: ReviewParts): Html {
  const { changes: loaded, fresh } = parts
  const { changes } = loaded
  const edit = (page: Entry) => editAddress(place, parts, page)
  return html`<section aria-label="Changes" class="review-changes">
    ${
      changes.length === 0 &&
      html`<p class="none">
        It changes nothing yet.${mayWrite(parts) && ' Choose a page to edit, add one, or upload files.'}
      </p>`
    }
    ${changesShown(loaded, fresh, edit)}
  </section>`
}

/** `edit`: where a page is written, if it is. */
export const changesShown = (
  loaded: LoadedChanges,
  fresh: FreshTexts,
  edit: (page: Entry) => string | undefined = () => undefined,
): Html =>
  html`${loaded.changes.map((change) => html`<article>${changeOf(change, loaded, fresh, edit)}</article>`)}
  ${loaded.more > 0 && html`<p class="none">And ${loaded.more} more, which the API lists.</p>`}`

function changeOf(
  change: SemanticChange,
  { before, after, diffs }: Pick<LoadedChanges, 'before' | 'after' | 'diffs'>,
  fresh: FreshTexts,
  edit: (page: Entry) => string | undefined,
): Html {
  switch (change.type) {
    case 'page_created':
      return html`${head(`New ${kindOf(change.page)}`, pageData(change.page).title, after.pathOf(change.page), edit(change.page))}
      ${drawn(fresh.get(change.page.entry))}`
    case 'page_deleted':
      return head(`Deleted ${kindOf(change.page)}`, pageData(change.page).title, before.pathOf(change.page))
    case 'page_moved':
      return head(`Moved ${kindOf(change.page)}`, pageData(change.page).title, after.pathOf(change.page))
    case 'page_edited':
      return html`${head(`Edited ${kindOf(change.page)}`, pageData(change.page).title, after.pathOf(change.page), edit(change.page))}
      ${attributesOf(change.attributes, fieldName)} ${drawn(diffs.get(change.page.entry))}`
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

const kinds = { document: 'page', group: 'group', link: 'link', computed: 'page' } as const

const kindOf = (page: Entry) => kinds[pageData(page).type]

const head = (what: string, title: string, path?: string, edit?: string) =>
  html`<header>
    <span class="tag" data-tone="info">${what}</span> <strong>${title}</strong>
    ${path !== undefined && html`<code>/${path}</code>`}
    ${edit !== undefined && html`<a class="review-go" href="${edit}" aria-label="Edit ${title}">Edit</a>`}
  </header>`

/** Names of variables stay what they are. */
function attributesOf(attributes: Attributes, nameOf = (name: string) => name): HtmlValue {
  const named = Object.entries(attributes).filter(([name]) => name !== 'document' && name !== 'frontMatter')
  if (named.length === 0) return undefined
  return html`<dl>
    ${named.map(
      ([name, { before, after }]) =>
        html`<div>
          <dt>${nameOf(name)}</dt>
          <dd>
            ${before !== undefined && html`<del>${shown(before)}</del>`}
            ${after !== undefined && html`<ins>${shown(after)}</ins>`}
          </dd>
        </div>`,
    )}
  </dl>`
}

const shown = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Of one page: who reads more of it does so elsewhere. */
const mostLines = 400

const signs = { kept: ' ', removed: '−', added: '+' } as const

export function drawn(hunks: readonly Hunk[] | undefined, most = mostLines): HtmlValue {
  if (!hunks || hunks.length === 0) return undefined
  const [shown, left] = firstLines(hunks, most)
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
