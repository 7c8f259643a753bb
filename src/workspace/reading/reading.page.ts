import { hidden } from '../../account/parts.ts'
import { isSafeLink } from '../../content/html/urls.ts'
import type { Entry } from '../../content/merge/entry.ts'
import type { OrganizationRow, SpaceRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { pageData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import { frame } from '../frame.ts'

interface ReadingParts {
  organization: OrganizationRow
  space: SpaceRow
  /** Of the space. */
  path: string
  form: string
  tree: PageTree
  page: Entry
  /** Drawn; undefined where it has no text. */
  body: Html | undefined
  mayWrite: boolean
}

/** A page of the main content, for those who may read its space: published or not. */
export function readingPage(place: Place, parts: ReadingParts): Html {
  const { space, page, body, mayWrite } = parts
  const { title, description, type } = pageData(page)
  return frame(
    place,
    `${title} · ${space.title}`,
    html`${wayTo(place, parts)}
      <h1>${title}</h1>
      ${description && leadOf(description)} ${mayWrite && type === 'document' && editing(place, parts)} ${textOf(body)}
      ${leadingOn(place, parts)} ${below(place, parts)} ${around(place, parts)}`,
  )
}

export const leadOf = (description: string) => html`<p class="work-lead">${description}</p>`

export const textOf = (body: Html | undefined) => html`<article class="review-text work-text">${body}</article>`

function wayTo(place: Place, { organization, space, path, tree, page }: ReadingParts): Html {
  const above: Entry[] = []
  for (let up = tree.byId.get(page.parent); up; up = tree.byId.get(up.parent)) above.unshift(up)
  return html`<nav class="review-space" aria-label="Where this page is">
    <a href="${place.link(`/app/o/${organization.id}`)}">${organization.title}</a> ›
    <a href="${place.link(path)}">${space.title}</a>${above.map((each) => html` › ${linkTo(place, path, tree, each)}`)}
  </nav>`
}

const linkTo = (place: Place, path: string, tree: PageTree, page: Entry): Html =>
  html`<a href="${place.link(addressOf(path, tree, page))}">${pageData(page).title}</a>`

/** The address that the API names for a page. */
export const addressOf = (path: string, tree: PageTree, page: Entry) => `${path}/${encodeURI(tree.pathOf(page))}`

/** In a change request of its own, as from the list of pages. */
const editing = (place: Place, { path, form, page }: ReadingParts) =>
  html`<form method="post" action="${place.link(`${path}/~/edits`)}" class="work-note">
    ${hidden({ form, change: '' })}
    <button class="btn" name="page" value="${page.entry}">Edit this page</button>
  </form>`

/** A page that is a link shows where it leads. */
function leadingOn(place: Place, { organization, path, tree, page }: ReadingParts): HtmlValue {
  const { type, target } = pageData(page)
  if (type !== 'link' || !target) return undefined
  const { url, space, page: id } = target
  if (typeof url === 'string' && isSafeLink(url))
    return html`<p class="work-note"><a href="${url}" rel="noopener noreferrer">${url}</a></p>`
  if (typeof space === 'string')
    return leading(html`<a href="${place.link(`/app/o/${organization.id}/s/${space}`)}">another space</a>`)
  const to = typeof id === 'string' ? tree.byId.get(id) : undefined
  return to && leading(linkTo(place, path, tree, to))
}

const leading = (link: Html) => html`<p class="work-note">It leads to ${link}.</p>`

function below(place: Place, { path, tree, page }: ReadingParts): HtmlValue {
  const children = tree.childrenOf(page.entry)
  if (children.length === 0) return undefined
  return html`<section aria-label="Pages below this one">
    <h2>Below this page</h2>
    <ul class="rows" role="list">
      ${children.map(
        (each) =>
          html`<li>
            <span class="row-main"><strong>${linkTo(place, path, tree, each)}</strong></span>
          </li>`,
      )}
    </ul>
  </section>`
}

/** To the pages before and after it, as they are listed. */
function around(place: Place, { path, tree, page }: ReadingParts): HtmlValue {
  const [before, after] = [previousOf(tree, page), nextOf(tree, page)]
  if (!before && !after) return undefined
  return html`<nav class="work-around" aria-label="Other pages">
    <span>${before && html`Before: ${linkTo(place, path, tree, before)}`}</span>
    <span>${after && html`Next: ${linkTo(place, path, tree, after)}`}</span>
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
