import { appPath } from '../../app-path.ts'
import { pathWith } from '../../account/answer.ts'
import { hidden } from '../../account/parts.ts'
import { isSafeLink } from '../../content/html/urls.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { frame } from '../frame.ts'
import { contentsOf } from './contents.page.ts'
import { nameOfSpace } from '../spaces/space-name.ts'

/** Which content a page is read from, if it is not the current content of the space. */
export interface ReadFrom {
  /** The id of a revision. */
  revision?: string | undefined
  /** The number of a change request. */
  change?: number | undefined
}

interface ReadingParts {
  organization: OrganizationRow
  space: SpaceRow
  /** The path of the space. */
  path: string
  form: string
  from: ReadFrom
  tree: PageTree
  page: Entry
  /** The drawn text; undefined if the page has none. */
  body: Html | undefined
  mayWrite: boolean
  mayComment: boolean
  hasHistory: boolean
  mayCopy: boolean
}

/** A page, published or not, for members who may read its space. */
export function readingPage(place: Place, parts: ReadingParts): Html {
  const { space, page, body } = parts
  const { title, description } = pageData(page)
  return frame(
    place,
    `${title} · ${space.title}`,
    html`${wayTo(place, parts)}
      <h1>${title}</h1>
      ${description && leadOf(description)} ${readElsewhere(place, parts)} ${tools(place, parts)} ${textOf(body)}
      ${leadingOn(place, parts)} ${below(place, parts)} ${around(place, parts)}`,
    [],
    undefined,
    contentsOf(place, { ...parts, addressOf: (each) => addressOf(baseOf(parts), parts.tree, each) }),
  )
}

export const leadOf = (description: string) => html`<p class="work-lead">${description}</p>`

export const textOf = (body: Html | undefined) =>
  html`<article class="review-text work-text" dir="auto">${body}</article>`

function wayTo(place: Place, parts: ReadingParts): Html {
  const { organization, space, path, tree, page } = parts
  const above: Entry[] = []
  for (let up = tree.byId.get(page.parent); up; up = tree.byId.get(up.parent)) above.unshift(up)
  return html`<nav class="review-space" aria-label="Where this page is">
    <a href="${place.link(appPath.organization(organization.id))}">${organization.title}</a> ›
    <a href="${place.link(path)}">${nameOfSpace(space)}</a
    >${above.map((each) => html` › ${linkTo(place, parts, each)}`)}
  </nav>`
}

const linkTo = (place: Place, parts: ReadingParts, page: Entry): Html =>
  html`<a href="${place.link(addressOf(baseOf(parts), parts.tree, page))}">${pageData(page).title}</a>`

/** The path that the addresses of the pages begin with. */
function baseOf({ path, from: { revision, change } }: ReadingParts): string {
  if (revision !== undefined) return `${path}/~/revisions/${revision}`
  return change === undefined ? path : `${path}/~/changes/${change}`
}

/** Notes that this is not the current content of the space. */
function readElsewhere(place: Place, { path, from: { revision, change } }: ReadingParts): HtmlValue {
  if (change !== undefined)
    return html`<p class="work-note">
      As in <a href="${place.link(`${path}/~/changes/${change}`)}">change request #${change}</a>.
    </p>`
  return (
    revision !== undefined &&
    html`<p class="work-note">
      Earlier version: <a href="${place.link(`${path}/~/history/${revision}`)}">what changed</a>.
    </p>`
  )
}

/** The address of a page, the same as in the API. */
export const addressOf = (path: string, tree: PageTree, page: Entry) => `${path}/${encodeURI(tree.pathOf(page))}`

/** The actions on a page. An earlier version can only be read. */
function tools(place: Place, parts: ReadingParts): HtmlValue {
  const { path, page, from, mayWrite, mayComment, mayCopy, hasHistory } = parts
  const { type } = pageData(page)
  if (from.revision !== undefined || (type !== 'document' && type !== 'group')) return undefined
  return html`<div class="review-tools work-tools">
    ${mayWrite && type === 'document' && editing(place, parts)}
    ${
      mayComment &&
      from.change === undefined &&
      html`<a class="btn quiet" href="${place.link(`${path}/~/comments?about=${page.entry}`)}">Comment</a>`
    }
    ${hasHistory && html`<a class="btn quiet" href="${place.link(`${path}/~/pages/${page.entry}/history`)}">History</a>`}
    ${mayCopy && html`<a class="btn quiet" href="${place.link(copyPathOf(parts))}">Copy</a>`}
    <a class="btn quiet" href="${place.link(pdfPathOf(parts))}">PDF</a>
  </div>`
}

const copyPathOf = ({ path, page, from: { change } }: ReadingParts) =>
  `${path}/~/${change === undefined ? '' : `changes/${change}/`}pages/${page.entry}/copy`

const pdfPathOf = ({ path, page, from: { change } }: ReadingParts) =>
  pathWith(change === undefined ? `${path}/~/download` : `${path}/~/changes/${change}/~/pdf`, { page: page.entry })

/** Edits the page in the change request that it is read from, or in a new one, as the list of pages does. */
function editing(place: Place, { path, form, page, from: { change } }: ReadingParts): Html {
  if (change !== undefined)
    return html`<a class="btn" href="${place.link(`${path}/~/changes/${change}/pages/${page.entry}`)}"
      >Edit this page</a
    >`
  return html`<form method="post" action="${place.link(`${path}/~/edits`)}">
    ${hidden({ form, change: '' })}
    <button class="btn" name="page" value="${page.entry}">Edit this page</button>
  </form>`
}

/** Shows the target of a page that is a link. */
function leadingOn(place: Place, parts: ReadingParts): HtmlValue {
  const { organization, tree, page } = parts
  const { type, target } = pageData(page)
  if (type !== 'link' || !target) return undefined
  const { url, space, page: id } = target
  if (typeof url === 'string' && isSafeLink(url))
    return html`<p class="work-note"><a href="${url}" rel="noopener noreferrer">${url}</a></p>`
  if (typeof space === 'string')
    return leading(html`<a href="${place.link(appPath.space(organization.id, space))}">another space</a>`)
  const to = typeof id === 'string' ? tree.byId.get(id) : undefined
  return to && leading(linkTo(place, parts, to))
}

const leading = (link: Html) => html`<p class="work-note">It leads to ${link}.</p>`

function below(place: Place, parts: ReadingParts): HtmlValue {
  const { tree, page } = parts
  const children = tree.childrenOf(page.entry)
  if (children.length === 0) return undefined
  return html`<section aria-label="Pages below this one">
    <h2>Below this page</h2>
    <ul class="rows" role="list">
      ${children.map(
        (each) =>
          html`<li>
            <span class="row-main"><strong>${linkTo(place, parts, each)}</strong></span>
          </li>`,
      )}
    </ul>
  </section>`
}

/** Links to the previous and the next page, in the order in which pages are listed. */
function around(place: Place, parts: ReadingParts): HtmlValue {
  const { tree, page } = parts
  const [before, after] = [previousOf(tree, page), nextOf(tree, page)]
  if (!before && !after) return undefined
  return html`<nav class="work-around" aria-label="Other pages">
    <span>${before && html`Before: ${linkTo(place, parts, before)}`}</span>
    <span>${after && html`Next: ${linkTo(place, parts, after)}`}</span>
  </nav>`
}

function previousOf(tree: PageTree, page: Entry): Entry | undefined {
  const siblings = tree.childrenOf(page.parent)
  let last = siblings[siblings.indexOf(page) - 1]
  if (!last) return tree.byId.get(page.parent)
  for (let deeper = tree.childrenOf(last.entry).at(-1); deeper; deeper = tree.childrenOf(last.entry).at(-1))
    last = deeper
  return last
}

function nextOf(tree: PageTree, page: Entry): Entry | undefined {
  const [first] = tree.childrenOf(page.entry)
  if (first) return first
  for (let at: Entry | undefined = page; at; at = tree.byId.get(at.parent)) {
    const siblings = tree.childrenOf(at.parent)
    const next = siblings[siblings.indexOf(at) + 1]
    if (next) return next
  }
  return undefined
}
