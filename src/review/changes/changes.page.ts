import type { Hunk } from '../../content/diff.ts'
import type { Entry, Json } from '../../content/merge/entry.ts'
import { pathWith } from '../../account/answer.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { type Attributes, type LoadedChanges, type SemanticChange, saidOfNew } from '../../pages/changes.ts'
import { fileData, pageData, reusableData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { partLinks } from '../../workspace/paging.ts'
import { counted } from '../../workspace/rows.ts'
import { fieldName, valueText } from '../conflicts/conflicts.words.ts'
import { type Words, changedWords } from './changed-words.ts'
import type { FreshTexts } from './fresh-texts.ts'
import { besideOf } from '../comments/beside.page.ts'
import { editAddress } from '../pages/pages.page.ts'
import { type ReviewParts, mayWrite } from '../parts.ts'

/** Where changed items can be seen and edited. Each is undefined where that is not possible. */
export interface WhereChanged {
  /** A page, or a reusable content. */
  edit?: (entry: Entry) => string | undefined
  /** A page by its path: as it is with the change and, for `readFormer`, as it was without it. */
  read?: (path: string) => string
  readFormer?: (path: string) => string
  open?: (file: Entry) => string
  /** For a page, including a deleted one. */
  history?: (page: Entry) => string
  /** For a page that existed before. */
  undo?: ((page: Entry) => string) | undefined
  /** The comments on a page and the form to add one. Shown below the last of its changes. */
  beside?: (page: Entry, hunks: readonly Hunk[] | undefined) => HtmlValue
  variables?: string | undefined
}

export function changesOf(place: Place, parts: ReviewParts): Html {
  const { changes: loaded, fresh, path, openFile, access } = parts
  // Once it is merged, the pages that it deletes are no longer in the main content.
  const mainPath = access.changeRequest.status === 'merged' ? undefined : path.replace(/\/~\/.*/, '')
  const where: WhereChanged = {
    edit: (entry) => editAddress(place, parts, entry),
    read: (at) => place.link(`${path}/${encodeURI(at)}`),
    ...(mainPath !== undefined && { readFormer: (at) => place.link(`${mainPath}/${encodeURI(at)}`) }),
    open: openFile,
    undo: mayWrite(parts) ? (page) => place.link(`${path}/~/pages/${page.entry}/undo`) : undefined,
    beside: (page, hunks) => besideOf(place, parts, page, hunks),
    variables: mayWrite(parts) ? place.link(`${path}/~/variables`) : undefined,
  }
  return html`<section aria-label="Changes" class="review-changes" id="changes">
    ${
      loaded.changes.length === 0 &&
      html`<p class="none">No changes yet.${mayWrite(parts) && ' Choose a page to edit, add one, or upload files.'}</p>`
    }
    ${changesShown(place, loaded, fresh, path, where)}
  </section>`
}

/** Shows some of the changes, and links to the others. `path`: where they are shown. */
export function changesShown(
  place: Place,
  loaded: LoadedChanges,
  fresh: FreshTexts,
  path: string,
  where: WhereChanged = {},
): Html {
  const { changes, from, more } = loaded
  const next = more > 0 ? pathWith(path, { from: String(from + changes.length) }) : undefined
  const parts = { rows: [], count: 0, first: from > 0 ? path : undefined, next }
  return html`${sumOf(loaded)}
  ${changes.map(
    (change, i) =>
      html`<article id="change-${from + i + 1}">
        ${changeOf(change, loaded, fresh, where)} ${besideIt(change, changes[i + 1], { loaded, fresh, where })}
      </article>`,
  )}
  ${partLinks(place, parts, '#changes')}`
}

/** A page that was moved and edited has two changes, one after the other. Comments are shown below the last one. */
function besideIt(
  change: SemanticChange,
  next: SemanticChange | undefined,
  { loaded, fresh, where }: { loaded: LoadedChanges; fresh: FreshTexts; where: WhereChanged },
): HtmlValue {
  if (!('page' in change) || (next && 'page' in next && next.page.entry === change.page.entry)) return undefined
  const id = change.page.entry
  return where.beside?.(change.page, fresh.get(id) ?? loaded.diffs.get(id))
}

const few = 3

/** The total number of changes and a list of those on this page, for users who want an overview before they read. */
function sumOf(loaded: LoadedChanges): HtmlValue {
  const { changes, counts, from, more } = loaded
  const all = from + changes.length + more
  if (all <= 1) return undefined
  const words = [...counts].map(([type, count]) => counted(count, ...countedAs[type])).join(', ')
  const isPart = changes.length < all
  return html`<div class="review-sum">
    <p>
      <strong>${counted(all, 'change')}</strong>: ${words}.
      ${isPart && `Showing ${from + 1} to ${from + changes.length}.`}
    </p>
    ${
      changes.length > few &&
      html`<details>
        <summary class="btn quiet">On this page</summary>
        <ol start="${from + 1}">
          ${changes.map(
            (change, i) =>
              html`<li>
                <a href="#change-${from + i + 1}">${nameOf(change, loaded)}</a>
                <span class="row-more">${kindOfChange(change)[0]}</span>
              </li>`,
          )}
        </ol>
      </details>`
    }
  </div>`
}

const countedAs: Record<SemanticChange['type'], [one: string, many: string]> = {
  page_created: ['new page', 'new pages'],
  page_edited: ['edited page', 'edited pages'],
  page_moved: ['moved page', 'moved pages'],
  page_deleted: ['deleted page', 'deleted pages'],
  file_created: ['new file', 'new files'],
  file_edited: ['changed file', 'changed files'],
  file_deleted: ['deleted file', 'deleted files'],
  reusable_content_created: ['new reusable content', 'new reusable contents'],
  reusable_content_edited: ['changed reusable content', 'changed reusable contents'],
  reusable_content_deleted: ['deleted reusable content', 'deleted reusable contents'],
  variables_edited: ['change of variables', 'changes of variables'],
}

const kinds = { document: 'page', group: 'group', link: 'link', computed: 'page' } as const

const kindOf = (page: Entry) => kinds[pageData(page).type]

type Tone = 'info' | 'success' | 'danger' | 'violet'

function kindOfChange(change: SemanticChange): [what: string, tone: Tone] {
  switch (change.type) {
    case 'page_created':
      return [`New ${kindOf(change.page)}`, 'success']
    case 'page_deleted':
      return [`Deleted ${kindOf(change.page)}`, 'danger']
    case 'page_moved':
      return [`Moved ${kindOf(change.page)}`, 'violet']
    case 'page_edited':
      return [`Edited ${kindOf(change.page)}`, 'info']
    case 'file_created':
      return ['New file', 'success']
    case 'file_deleted':
      return ['Deleted file', 'danger']
    case 'file_edited':
      return ['Changed file', 'info']
    case 'variables_edited':
      return ['Variables', 'info']
    case 'reusable_content_created':
      return ['New reusable content', 'success']
    case 'reusable_content_deleted':
      return ['Deleted reusable content', 'danger']
    case 'reusable_content_edited':
      return ['Changed reusable content', 'info']
  }
}

function titleOf(change: SemanticChange): string {
  if ('page' in change) return pageData(change.page).title
  if ('file' in change) return fileData(change.file).name
  return 'reusableContent' in change ? reusableData(change.reusableContent).title : ''
}

/** The name in a list, with the path of a page, because two pages may have the same title. */
function nameOf(change: SemanticChange, { before, after }: Pick<LoadedChanges, 'before' | 'after'>): string {
  const title = titleOf(change) || kindOfChange(change)[0]
  if (!('page' in change)) return title
  return `${title} (/${(change.type === 'page_deleted' ? before : after).pathOf(change.page)})`
}

function changeOf(
  change: SemanticChange,
  { before, after, diffs }: Pick<LoadedChanges, 'before' | 'after' | 'diffs'>,
  fresh: FreshTexts,
  where: WhereChanged,
): Html {
  switch (change.type) {
    case 'page_created':
      return html`${headOfPage(change, after.pathOf(change.page), { ...where, undo: undefined })}
      ${settingsOf(saidOfNew(change.page), after, change.page)} ${drawn(fresh.get(change.page.entry))}`
    case 'page_deleted':
      return headOfPage(change, before.pathOf(change.page), {
        read: where.readFormer,
        history: where.history,
        undo: where.undo,
      })
    case 'page_moved': {
      const [former, now] = [before.pathOf(before.byId.get(change.page.entry)!), after.pathOf(change.page)]
      const said = former === now ? 'among the pages beside it' : html`from <code>/${former}</code>`
      return headOfPage(
        change,
        now,
        { read: where.read, history: where.history, undo: where.undo },
        html`<span class="row-more">${said}</span>`,
      )
    }
    case 'page_edited':
      return html`${headOfPage(change, after.pathOf(change.page), where)}
      ${settingsOf(change.attributes, after, change.page)} ${drawn(diffs.get(change.page.entry))}`
    case 'file_created':
      return headOfFile(change, where)
    case 'file_edited':
      return headOfFile(change, where, attributesOf(only(change.attributes, 'name'), fieldName))
    case 'variables_edited':
      return html`${head(change, linkTo(where.variables, 'Edit', 'variables'))} ${attributesOf(change.variables)}`
    case 'reusable_content_created':
      return html`${headOfReusable(change, where)} ${drawn(fresh.get(change.reusableContent.entry))}`
    case 'reusable_content_edited':
      return html`${headOfReusable(change, where)} ${attributesOf(only(change.attributes, 'title'), fieldName)}
      ${drawn(diffs.get(change.reusableContent.entry))}`
    default:
      return head(change)
  }
}

const headOfReusable = (change: Extract<SemanticChange, { reusableContent: Entry }>, { edit }: WhereChanged): Html =>
  head(change, linkTo(edit?.(change.reusableContent), 'Edit', titleOf(change)))

function headOfFile(change: Extract<SemanticChange, { file: Entry }>, where: WhereChanged, more?: HtmlValue): Html {
  return html`${head(change, linkTo(where.open?.(change.file), 'Open', titleOf(change)))} ${more}
  ${pictureOf(change.file, where)}`
}

/** The other attributes mean nothing to a reader. */
const only = (attributes: Attributes, name: string): Attributes =>
  attributes[name] ? { [name]: attributes[name] } : {}

/** Groups and links get no link to read them, because they have no text. */
function headOfPage(
  change: Extract<SemanticChange, { page: Entry }>,
  path: string,
  {
    read,
    edit,
    history,
    undo,
  }: Pick<WhereChanged, 'edit' | 'history' | 'undo'> & {
    read?: ((path: string) => string) | undefined
  },
  more?: Html,
): Html {
  const { title, type } = pageData(change.page)
  const links = [
    linkTo(type === 'document' ? read?.(path) : undefined, 'Read', title),
    linkTo(edit?.(change.page), 'Edit', title),
    linkTo(history?.(change.page), 'History', title),
    linkTo(undo?.(change.page), change.type === 'page_deleted' ? 'Restore' : 'Undo', title),
  ]
  return head(change, links, html`<code>/${path}</code> ${more}`)
}

function head(change: SemanticChange, links?: HtmlValue, more?: HtmlValue): Html {
  const [what, tone] = kindOfChange(change)
  return html`<header>
    <span class="tag" data-tone="${tone}">${what}</span> <strong>${titleOf(change)}</strong> ${more}
    <span class="review-go">${links}</span>
  </header>`
}

const linkTo = (href: string | undefined, label: string, title: string): HtmlValue =>
  href !== undefined && html`<a href="${href}" aria-label="${label} ${title}">${label}</a>`

function pictureOf(file: Entry, { open }: WhereChanged): HtmlValue {
  const { contentType, name, width, height } = fileData(file)
  if (!open || !contentType.startsWith('image/')) return undefined
  const size = width !== undefined && height !== undefined && html` width="${width}" height="${height}"`
  return html`<p class="review-picture"><img src="${open(file)}" alt="${name}" loading="lazy" ${size} /></p>`
}

/** For a page. Values are shown in words where possible. */
const settingsOf = (attributes: Attributes, tree: PageTree, page: Entry): HtmlValue =>
  attributesOf(attributes, fieldName, (name, value) => valueText(name, value, tree, page.entry) ?? shown(value))

/** Names of variables are shown as they are. */
function attributesOf(
  attributes: Attributes,
  nameOf = (name: string) => name,
  textOf = (_name: string, value: Json) => shown(value),
): HtmlValue {
  const named = Object.entries(attributes).filter(([name]) => name !== 'document' && name !== 'frontMatter')
  if (named.length === 0) return undefined
  return html`<dl>
    ${named.map(([name, { before, after }]) => {
      const [was, is] = [before, after].map((value) => value !== undefined && textOf(name, value))
      // If both values read the same in words, as two files do, the values themselves are shown.
      const say = was === is ? shown : (value: Json) => textOf(name, value)
      return html`<div>
        <dt>${nameOf(name)}</dt>
        <dd>
          ${before !== undefined && html`<del>${say(before)}</del>`}
          ${after !== undefined && html`<ins>${say(after)}</ins>`}
        </dd>
      </div>`
    })}
  </dl>`
}

const shown = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Limit for one page. Users who want to read more do so elsewhere. */
const mostLines = 400

const signs = { kept: ' ', removed: '−', added: '+' } as const

export function drawn(hunks: readonly Hunk[] | undefined, most = mostLines): HtmlValue {
  if (!hunks || hunks.length === 0) return undefined
  const [shown, left] = firstLines(hunks, most)
  const words = changedWords(shown.flatMap(({ lines }) => lines))
  const rows = shown.map(
    ({ lines }) =>
      html`<tbody>
        ${lines.map(
          (line) =>
            html`<tr class="${line.type}">
              <td class="at">${'before' in line && line.before}</td>
              <td class="at">${'after' in line && line.after}</td>
              <td class="sign" aria-label="${line.type}">${signs[line.type]}</td>
              <td><code>${words.get(line)?.map(marked) ?? line.text.replace(/\r?\n$/, '')}</code></td>
            </tr>`,
        )}
      </tbody>`,
  )
  return html`<div class="diff" tabindex="0">
    <table>
      ${rows}
    </table>
    ${left > 0 && html`<p class="none">And ${left} more lines. Use the API to see them.</p>`}
  </div>`
}

const marked = ({ text, isOther }: Words): HtmlValue => (isOther ? html`<mark>${text}</mark>` : text)

/** Returns the first lines of the hunks, at most this many, and how many lines are left out. */
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
