import { type Html, html } from '../../content/html/template.ts'
import type { Mark } from '../../search/needle.ts'
import { shortened } from '../../shortened.ts'
import type { Target } from '../blocks/drawing.ts'
import { Icons } from '../icons/icons.ts'
import { around, fill } from '../words/words.ts'
import { drawDocument } from './document.ts'
import { drawSidebar } from './sidebar.ts'
import type { NavItem, SiteView } from './view.ts'

/** A page that a reader may have meant, or that answers a query. */
export interface Suggestion extends Pick<Target, 'href'> {
  title: string
  place: string
  text?: string
  /** Whether it is a part of a page. */
  heading?: boolean
  /** The matches in its title and text. */
  marks?: { title: readonly Mark[]; text: readonly Mark[] }
}

/**
 * Draws the page for an address at which nothing is found: it offers the search and similar pages. If there is no page
 * at all, it says so.
 */
export function drawNotFound(
  site: SiteView,
  nav: readonly NavItem[],
  { path, words, place }: { path: string; words: string; place: string },
  close: Suggestion[],
): string {
  const icons = new Icons()
  if (nav.length === 0 && close.length === 0) {
    const main = html`<h1>${site.words.noPages}</h1>
      <p>${site.words.noPagesText}</p>`
    return drawNotice(site, nav, site.words.noPages, main, icons)
  }
  const offered = close.length > 0 ? close : beginningOf(place, nav)
  const [before, behind] = around(site.words.noPageText)
  const main = html`<p class="code-no">404</p>
    <h1>${site.words.noPage}</h1>
    <p>${before}<code dir="ltr">${path}</code>${behind}</p>
    ${drawSearchForm(site, words, icons)}${
      offered.length > 0 &&
      html`<h2>${close.length > 0 ? site.words.perhaps : site.words.suggested}</h2>
        ${drawSuggestions(offered, icons)}`
    }`
  return drawNotice(site, nav, site.words.notFound, main, icons)
}

/** Returns the first pages of the menu, from which everything else can be found. */
const beginningOf = (place: string, nav: readonly NavItem[]): Suggestion[] =>
  nav
    .values()
    .flatMap((item) => (item.group ? item.items : [item]))
    .flatMap(({ title, href, external }) => (href === undefined || external ? [] : [{ title, href, place }]))
    .take(3)
    .toArray()

interface Results {
  query: string
  /** Set if only one section was searched. */
  sectionId: string | undefined
  /** Returns the address of the same search in a section; an empty id stands for all of them. */
  within: (sectionId: string) => string
  count: number
  hits: Suggestion[]
  /** Which of the results these are. */
  from: number
  to: number
  /** The addresses of the other results. */
  previous?: string
  next?: string
}

/** Draws the results of a search, for readers without script and for links. */
export function drawResults(site: SiteView, nav: readonly NavItem[], found: Results): string {
  const icons = new Icons()
  const { query, sectionId, count, hits, from, to } = found
  const { words } = site
  const outcome = count === 1 ? words.onePage : count === 1000 ? words.over : fill(words.manyPages, count)
  // Pages after the last one are empty, although something was found.
  const isNothing = query !== '' && hits.length === 0 && (count === 0 || from === 1)
  const isPart = query !== '' && to - from + 1 < count
  const main = html`<h1>${words.search}</h1>
    ${drawSearchForm(site, query, icons, sectionId)}${query !== '' && drawScopes(site, found)}${isNothing && html`<p>${fill(words.nothing, query)}. ${sectionId === undefined ? words.nothingText : words.nothingInSection}</p>`}${
      hits.length > 0 &&
      html`<h2>${query === '' ? words.suggested : isPart ? `${outcome} (${from}–${to})` : outcome}</h2>
        ${drawSuggestions(hits, icons)}`
    }${query !== '' && drawTurning(found, site, icons)}`
  return drawNotice(site, nav, words.search, main, icons)
}

/** Draws which section was searched, and which others can be. */
function drawScopes({ search: { scopes }, words }: SiteView, { sectionId, within }: Results): Html | undefined {
  if (scopes.length < 2) return undefined
  const drawn = [{ id: '', title: words.allSections }, ...scopes].map(
    ({ id, title }) =>
      html`<a href="${within(id)}" ${id === (sectionId ?? '') && html`aria-current="true"`}>${title}</a>`,
  )
  return html`<nav class="scope" aria-label="${words.searchIn}">${drawn}</nav>`
}

function drawTurning({ previous, next }: Results, { words }: SiteView, icons: Icons): Html | undefined {
  if (previous === undefined && next === undefined) return undefined
  return html`<nav class="more-hits" aria-label="${words.results}">
    ${previous !== undefined && html`<a class="btn" rel="prev" href="${previous}">${icons.draw('chev', 'back')}${words.previous}</a>`}
    ${next !== undefined && html`<a class="btn" rel="next" href="${next}">${words.next}${icons.draw('chev', 'flip')}</a>`}
  </nav>`
}

function drawNotice(site: SiteView, nav: readonly NavItem[], title: string, content: Html, icons: Icons): string {
  const main = html`<div class="nav-host">${drawSidebar(site, nav, icons)}</div>
    <main id="~content" class="plain"><div class="lost">${content}</div></main>`
  return drawDocument(site, { title, noIndex: true, diagrams: false }, { main }, icons)
}

function drawSearchForm({ search, words }: SiteView, query: string, icons: Icons, sectionId?: string): Html {
  const isSection = search.scopes.some(({ id }) => id === sectionId)
  return html`<form action="${search.page}" role="search">
    <input
      class="field"
      type="search"
      name="q"
      value="${shortened(query, 512)}"
      maxlength="512"
      aria-label="${words.searchLong}"
    />${search.at !== undefined && html`<input type="hidden" name="at" value="${search.at}" />`}${isSection && html`<input type="hidden" name="in" value="${sectionId}" />`}
    <button class="btn primary" type="submit">${icons.draw('search')}${words.search}</button>
  </form>`
}

function drawSuggestions(suggestions: Suggestion[], icons: Icons): Html {
  const drawn = suggestions.map(
    ({ href, title, place, text = '', heading, marks }) =>
      html`<a class="ref" href="${href}"
        ><span class="lead-icon">${icons.draw(heading ? 'hash' : 'page')}</span
        ><span
          ><b>${shine(title, marks?.title)}</b
          ><small>${place}${text !== '' && html` — ${shine(text, marks?.text)}`}</small></span
        >${icons.draw('arrow', 'flip')}</a
      >`,
  )
  return html`<div class="stack">${drawn}</div>`
}

function shine(text: string, marks: readonly Mark[] = []): Html[] {
  const ends = [0, ...marks.flat(), text.length]
  const pieces = ends.slice(1).map((end, at) => text.slice(ends[at], end))
  return pieces.map((piece, at) => (at % 2 === 0 ? html`${piece}` : html`<mark>${piece}</mark>`))
}
