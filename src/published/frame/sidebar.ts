import { type Html, attributes, html } from '../../content/html/template.ts'
import type { Icons } from '../icons/icons.ts'
import { type Words, fill } from '../words/words.ts'
import { drawBrand, drawFind, drawLead, drawOut, drawSocial, linkToSection } from './header.ts'
import { linkTo } from './link-to.ts'
import type { NavItem, SectionItem, SiteView } from './view.ts'

/**
 * If there are more links than this, not all are sent: only those on the way to the page, and the level that is open.
 */
const mostLinks = 300

/**
 * Draws the tree of pages, open at the current one. On narrow screens it is a drawer, with everything that the header
 * has no room for.
 */
export function drawSidebar(site: SiteView, nav: readonly NavItem[], icons: Icons): Html {
  const closed = isLong(nav)
  const sections = site.sections.flatMap((item) => item.items ?? [item])
  return html`<nav class="nav" id="~nav" aria-label="${site.words.pages}">
      <div class="nav-head">
        ${drawBrand(site)}<a class="icon-btn" href="#" data-drawer-close aria-label="${site.words.closeMenu}"
          >${icons.draw('x')}</a
        >
      </div>
      ${site.look.headless && drawFind(site, icons)}${
        sections.length > 1 &&
        html`<div class="nav-sections">${site.sections.map((item) => drawSection(item, site, icons))}</div>`
      }
      ${drawVariants(site, icons)} ${drawLevel(nav, { closed, newTabs: site.look.newTabs, words: site.words, icons })}
      <div class="nav-foot">
        ${site.headerLinks.flatMap((link) => [link, ...link.links]).map((link) => footLink(site, link))}${
          site.signOut !== undefined && html`<a href="${site.signOut}">${site.words.signOut}</a>`
        }${drawSocial(site, icons)}
      </div>
    </nav>
    <div class="scrim"></div>`
}

/** In a group, sections are a list below its title. */
function drawSection(item: SectionItem, site: SiteView, icons: Icons): Html {
  if (!item.items)
    return html`<a${linkToSection(item, site)}>${drawLead(item, icons) ?? icons.draw(item.external ? 'link' : 'book')}${item.title}${drawOut(item, icons)}</a>`
  return html`<p>${drawLead(item, icons)}${item.title}</p>
    <ul>
      ${item.items.map((each) => html`<li>${drawSection(each, site, icons)}</li>`)}
    </ul>`
}

const footLink = (site: SiteView, { title, href }: { title: string; href?: string | undefined }) =>
  href === undefined ? undefined : html`<a${linkTo(site, href)}>${title}</a>`

function drawVariants({ variants, words }: SiteView, icons: Icons): Html | undefined {
  if (variants.length < 2) return undefined
  const current = variants.find((variant) => variant.current) ?? variants[0]!
  const items = variants.map(
    ({ title, href, current }) =>
      html`<li><a${attributes({ href, 'aria-current': current && 'true' })}>${title}</a></li>`,
  )
  return html`<details class="nav-variants">
    <summary aria-label="${fill(words.version, current.title)}">${current.title}${icons.draw('chev')}</summary>
    <ul>
      ${items}
    </ul>
  </details>`
}

interface Drawing {
  /** Whether branches that do not lead to the current page are left out. */
  closed: boolean
  newTabs: boolean
  words: Words
  icons: Icons
}

/** Draws groups as headings, and the pages between two groups as one list. */
function drawLevel(items: readonly NavItem[], drawing: Drawing): Html {
  const parts: Html[] = []
  let run: NavItem[] = []
  const flush = () => {
    if (run.length > 0)
      parts.push(
        html`<ul>
          ${run.map((item) => drawItem(item, drawing))}
        </ul>`,
      )
    run = []
  }
  for (const item of items) {
    if (!item.group) {
      run.push(item)
      continue
    }
    flush()
    parts.push(
      html`<h2>${drawLead(item, drawing.icons)}${item.title}</h2>
        ${drawLevel(item.items, drawing)}`,
    )
  }
  flush()
  return html`${parts}`
}

function drawItem(item: NavItem, drawing: Drawing): Html {
  const { closed, words, icons } = drawing
  const link = attributes({
    href: item.href,
    'aria-current': item.current && 'page',
    rel: item.external && 'noopener',
    target: item.external && drawing.newTabs && '_blank',
  })
  const label = html`${drawLead(item, icons)}${item.title}${item.external && icons.draw('out')}`
  const shown = (item.open || !closed) && item.hasItems
  const twist =
    shown &&
    html`<button
      type="button"
      class="twist js-only"
      aria-expanded="${item.open ? 'true' : 'false'}"
      aria-label="${fill(words.pagesUnder, item.title)}"
    >
      ${icons.draw('chev', 'flip')}
    </button>`
  const more = !shown && item.hasItems && icons.draw('chev', 'flip')
  return html`<li>
    <div class="row">
      ${item.href === undefined ? html`<span>${label}</span>` : html`<a${link}>${label}${more}</a>`}${twist}
    </div>
    ${shown && drawLevel(item.items, drawing)}
  </li>`
}

/** Whether there are too many links. In a large tree, it stops counting as soon as this is known. */
function isLong(nav: readonly NavItem[]): boolean {
  const ahead = [...nav]
  for (let seen = 0; seen + ahead.length <= mostLinks; seen++) {
    const item = ahead.pop()
    if (!item) return false
    ahead.push(...item.items)
  }
  return true
}
