import { type Html, attributes, html } from '../../content/html/template.ts'
import { mark } from '../../look/mark.ts'
import type { Icons } from '../icons/icons.ts'
import { type Words, fill } from '../words/words.ts'
import { linkTo } from './link-to.ts'
import type { Announcement, HeaderLink, SectionItem, SiteView, SocialLink, Themed } from './view.ts'

export function drawHeader(site: SiteView, icons: Icons): Html {
  const { sections, look, words } = site
  return html`${site.announcement && drawAnnouncement(site.announcement, site)}
    <header class="head">
      <div class="wrap head-row">
        <div class="head-start">
          <a
            class="icon-btn only-narrow"
            href="#~nav"
            data-drawer
            aria-expanded="false"
            aria-controls="~nav"
            aria-label="${words.menu}"
            >${icons.draw('menu')}</a
          >
          ${drawBrand(site)}${drawVariants(site, icons)}
        </div>
        ${drawFind(site, icons)}
        <div class="head-end">
          ${inOneRow(site).map((link) => drawHeaderLink(link, site, icons))} ${drawSocial(site, icons)}
          ${site.signOut !== undefined && html`<a class="head-link" href="${site.signOut}">${words.signOut}</a>`}
          ${look.themeToggle && drawThemeButton(words, icons)}
        </div>
      </div>
      ${
        sections.length > 1 &&
        html`<nav class="wrap sections" aria-label="${words.sections}">
          ${sections.map((item) => drawSection(item, site, icons))}
        </nav>`
      }
    </header>`
}

/** Draws the link that opens the search: in the header, and in the tree of pages on sites without a header. */
export function drawFind({ search, words }: SiteView, icons: Icons): Html {
  return html`<a
    class="find"
    href="${search.link}"
    data-search
    aria-keyshortcuts="/ Control+K Meta+K"
    aria-label="${words.search}"
    >${icons.draw('search')}<span>${words.search}…</span><kbd aria-hidden="true">/</kbd></a
  >`
}

export function drawBrand({ home, logo, title }: Pick<SiteView, 'home' | 'logo' | 'title'>): Html {
  return html`<a class="brand" href="${home}"
    >${logo ? drawLogo(logo, title) : html`${mark}<span dir="auto">${title}</span>`}</a
  >`
}

function drawLogo(logo: Themed, alt: string): Html {
  const image = (src: string) => html`<img class="logo" src="${src}" alt="${alt}" />`
  if (logo.dark === undefined || logo.dark === logo.light) return image(logo.light)
  return html`<span class="on-light">${image(logo.light)}</span><span class="on-dark">${image(logo.dark)}</span>`
}

function drawVariants({ variants, words }: SiteView, icons: Icons): Html | undefined {
  if (variants.length < 2) return undefined
  const current = variants.find((variant) => variant.current) ?? variants[0]!
  const items = variants.map(
    ({ title, href, current }) =>
      html`<li><a${attributes({ href, 'aria-current': current && 'true' })}><span>${title}</span>${current && icons.draw('check')}</a></li>`,
  )
  return html`<details class="menu variant">
    <summary aria-label="${fill(words.version, current.title)}">
      <span>${current.title}</span>${icons.draw('chev')}
    </summary>
    <ul class="menu-list">
      ${items}
    </ul>
  </details>`
}

function drawSection(item: SectionItem, site: SiteView, icons: Icons): Html {
  const lead = drawLead(item, icons)
  if (!item.items) {
    return html`<a${linkToSection(item, site)}>${lead}<span dir="auto">${item.title}</span>${drawOut(item, icons)}</a>`
  }
  const items = item.items.map(
    (each) =>
      html`<li><a${linkToSection(each, site)}>${drawLead(each, icons)}<span>${each.title}${
        each.description !== undefined && html`${' '}<small>${each.description}</small>`
      }</span>${drawOut(each, icons)}</a></li>`,
  )
  return html`<details class="menu" ${attributes({ 'data-current': item.current })}>
    <summary>${lead}<span dir="auto">${item.title}</span>${' '}${icons.draw('chev')}</summary>
    <ul class="menu-list">
      ${items}
    </ul>
  </details>`
}

/** Used here and in the drawer of a phone. */
export const linkToSection = ({ href, current, external }: SectionItem, site: SiteView) =>
  external ? linkTo(site, href) : attributes({ href, 'aria-current': current && 'true' })

/** Draws the mark of a link that leads out of the site. */
export const drawOut = ({ external }: SectionItem, icons: Icons) => external && icons.draw('out', 'leads-out')

export function drawLead({ icon, emoji }: Pick<SectionItem, 'icon' | 'emoji'>, icons: Icons): Html | undefined {
  if (emoji !== undefined) return html`<span class="emoji">${emoji}</span>`
  return icon && icons.draw(icon)
}

/**
 * Roughly measured in letters: the whole row on the smallest screen that shows links, and the length that reads well on
 * any screen.
 */
const wholeRow = 120
const longestRow = 48
const besideSmallSearch = 64
const aroundLink = 3
const aroundButton = 6
const icon = 5
const menuOfMore = icon + aroundLink

/** Returns the room for links that is left beside everything that always stays. */
function roomForLinks({ title, logo, variants, look, headerLinks, headerSocial, signOut, words }: SiteView): number {
  const isSmall = look.attributes['data-find'] === 'subtle'
  const brand = icon + (logo ? 24 : Math.min(title.length * 1.2, 24))
  const variant = variants.find(({ current }) => current) ?? variants[0]
  const version = variants.length < 2 ? 0 : icon + Math.min(variant!.title.length, 10)
  const buttons = headerLinks
    .filter(({ look }) => look !== 'link')
    .reduce((length, each) => length + each.title.length + aroundButton, 0)
  const leaving = signOut === undefined ? 0 : words.signOut.length + aroundLink
  const search = isSmall ? 20 : 25
  const theme = look.themeToggle ? icon : 0
  return wholeRow - brand - version - search - buttons - headerSocial.length * icon - leaving - theme
}

/** Moves links that the header has no room for into a menu after the others; buttons always stay. */
function inOneRow(site: SiteView): HeaderLink[] {
  const { headerLinks: all, look, words } = site
  const left = roomForLinks(site)
  const room = Math.min(look.attributes['data-find'] === 'subtle' ? besideSmallSearch : longestRow, left - menuOfMore)
  let length = 0
  const rest = all.filter(({ title, look }) => look === 'link' && (length += title.length + aroundLink) > room)
  // A single link needs hardly more room than the menu.
  if (rest.length === 0 || (rest.length === 1 && length <= left)) return [...all]
  const links = rest.flatMap(({ title, href, links }) => [...(href === undefined ? [] : [{ title, href }]), ...links])
  const shown = all.filter((link) => !rest.includes(link))
  const at = shown.findLastIndex(({ look }) => look === 'link') + 1
  return shown.toSpliced(at, 0, { title: '…', label: words.menu, look: 'link', links })
}

function drawHeaderLink({ title, label, href, look, links }: HeaderLink, site: SiteView, icons: Icons): Html {
  const kind = { link: 'head-link', 'button-primary': 'btn small primary', 'button-secondary': 'btn small' }[look]
  if (links.length > 0) {
    // A click opens the menu, so the target of the link itself comes first in it.
    const items = [...(href === undefined ? [] : [{ title, href }]), ...links].map(
      (link) =>
        html`<li>
          <a${linkTo(site, link.href)}><span>${link.title}</span></a>
        </li>`,
    )
    return html`<details class="menu head-menu">
      <summary class="${kind}" ${attributes({ 'aria-label': label })}>${title}${' '}${icons.draw('chev')}</summary>
      <ul class="menu-list end">
        ${items}
      </ul>
    </details>`
  }
  return html`<a class="${kind}" ${linkTo(site, href ?? '#')}>${title}</a>`
}

/** Used here and in the drawer of a phone. */
export function drawSocial(site: SiteView, icons: Icons): Html | undefined {
  if (site.headerSocial.length === 0) return undefined
  const each = ({ title, href, icon }: SocialLink) =>
    html`<a class="icon-btn" ${linkTo(site, href, 'me')} title="${title}" aria-label="${title}">${icons.draw(icon)}</a>`
  return html`<div class="social">${site.headerSocial.map(each)}</div>`
}

function drawThemeButton(words: Words, icons: Icons): Html {
  return html`<button type="button" class="icon-btn js-only" data-theme-toggle aria-label="${words.switchTheme}">
    ${icons.draw('moon', 'to-dark')}${icons.draw('sun', 'to-light')}
  </button>`
}

function drawAnnouncement({ message, tone, links }: Announcement, site: SiteView): Html {
  return html`<div class="notice" data-tone="${tone}" role="region" aria-label="${site.words.announcement}">
    <div class="wrap">
      <span dir="auto">${message}</span>${links.map(({ title, href }) => html`<a${linkTo(site, href)}>${title}</a>`)}
    </div>
  </div>`
}
