import { type Html, attributes, html } from '../../content/html/template.ts'
import { Icons } from '../icons/icons.ts'
import { drawDocument } from './document.ts'
import { drawLead } from './header.ts'
import { drawLanguageOffers } from './language-offers.ts'
import { linkTo } from './link-to.ts'
import { drawRating } from './rating.ts'
import { drawSidebar } from './sidebar.ts'
import { dayIn } from '../words/words.ts'
import type { Cover, PageView, Picture } from './view.ts'

/** Draws a page of documentation with everything around it. */
export function drawPage(page: PageView, icons: Icons): string {
  const { site, layout, outline } = page
  const withOutline = layout.outline && outline.length > 1
  const withTree = layout.tableOfContents
  const cover = layout.cover && page.cover
  const isAcross = cover && cover.size === 'full'
  const look = ['wrap page nav-host', layout.wide && 'wide', !withTree && 'no-nav', isAcross && 'covered']
    .filter(Boolean)
    .join(' ')
  const main = html`<div class="${look}">
    ${drawSidebar(site, page.nav, icons)}${isAcross && drawCover(cover)}
    <main id="~content">
      ${cover && !isAcross && drawCover(cover)}${drawTitle(page, icons)}${withOutline && drawSubbar(page, icons)}
      <article class="prose">${page.article}</article>
      ${drawPageFoot(page, icons)}
    </main>
    ${withOutline && drawOutline(page, icons)}
  </div>`
  const root = [withOutline && 'has-toc', layout.wide && 'wide', withTree && site.look.headless && 'no-head']
    .filter(Boolean)
    .join(' ')
  return drawDocument(
    site,
    {
      title: page.title,
      description: page.summary,
      canonical: page.canonical,
      alternates: page.alternates,
      noIndex: page.noIndex,
      picture: page.picture,
      feed: page.feed,
      markdown: page.markdown,
      diagrams: page.needs.has('diagrams'),
      math: page.needs.has('math'),
    },
    { root, main, over: html`${drawLanguageOffers(site, page.offers, icons)}` },
    icons,
  )
}

function drawCover({ light, dark = light }: Cover): Html {
  const picture = ({ src, place }: Picture) =>
    html`<img src="${src}" alt="" ${attributes({ 'data-place': place?.toString() })} />`
  return html`<div class="cover">
    <span class="on-light">${picture(light)}</span><span class="on-dark">${picture(dark)}</span>
  </div>`
}

function drawTitle(page: PageView, icons: Icons): Html {
  const { layout, crumbs } = page
  const trail = crumbs.map(({ title, href }) =>
    href === undefined ? html`<li><span>${title}</span></li>` : html`<li><a href="${href}">${title}</a></li>`,
  )
  return html`${
      crumbs.length > 0 &&
      html`<nav class="crumbs" aria-label="${page.site.words.breadcrumbs}">
        <ol>
          ${trail}
        </ol>
      </nav>`
    }
    <div class="title" ${attributes({ 'data-hidden': !layout.title })}>
      ${drawActions(page, icons)}
      <h1>${drawLead(page, icons)}${page.title}</h1>
      ${layout.description && page.description !== undefined && html`<p class="lead">${page.description}</p>`}
    </div>`
}

/** Draws what readers can take along. Without script, the links in the menu remain. */
function drawActions({ site, markdown, pdf }: PageView, icons: Icons): Html | undefined {
  const { words } = site
  const text = site.look.copyPage ? markdown : undefined
  const { mcp } = site.look
  if (text === undefined && pdf === undefined && mcp === undefined) return undefined
  const item = (href: string, icon: 'page' | 'down' | 'spark', title: string, about: string, copied?: string) =>
    html`<li>
      <a href="${href}" ${attributes({ 'data-copy': copied })}
        >${icons.draw(icon)}<span>${title} <small>${about}</small></span></a
      >
    </li>`
  return html`<div class="page-actions">
    <div class="split">
      ${
        text !== undefined &&
        html`<button type="button" class="btn small js-only" data-copy-page="${text}">
          ${icons.draw('copy')}${words.copyPage}
        </button>`
      }
      <details class="menu">
        <summary class="btn small" aria-label="${words.more}"><span>${words.more}</span>${icons.draw('chev')}</summary>
        <ul class="menu-list end">
          ${
            text !== undefined && item(text, 'page', words.markdown, words.markdownText)
          }${pdf !== undefined && item(pdf, 'down', words.pdf, words.pdfText)}${
            mcp !== undefined && item(mcp, 'spark', words.mcp, words.mcpText, mcp)
          }
        </ul>
      </details>
    </div>
  </div>`
}

function drawSubbar({ site, outline }: PageView, icons: Icons): Html {
  return html`<div class="subbar">
    <details>
      <summary><b>${site.words.onThisPage}</b><span data-here></span>${icons.draw('chev')}</summary>
      <div class="toc">${drawHeadings(outline)}</div>
    </details>
    <div class="progress"></div>
  </div>`
}

function drawOutline({ site, outline, feed }: PageView, icons: Icons): Html {
  const { words } = site
  const more =
    feed !== undefined && html`<div class="toc-more"><a href="${feed}">${icons.draw('rss')}${words.feed}</a></div>`
  return html`<aside class="toc" aria-label="${words.onThisPage}">
    <h2>${words.onThisPage}</h2>
    ${drawHeadings(outline)}${more}
  </aside>`
}

/**
 * Draws the two highest levels that the page has: with a third, the outline would be longer than the text beside it.
 */
function drawHeadings(outline: PageView['outline']): Html {
  const highest = Math.max(
    2,
    outline.reduce((least, { level }) => Math.min(least, level), 6),
  )
  const top: (PageView['outline'][number] & { below: PageView['outline'] })[] = []
  for (const entry of outline) {
    const last = top.at(-1)
    // Headings before the first one of the highest level are not below anything.
    if (!last || entry.level <= Math.max(highest, last.level)) top.push({ ...entry, below: [] })
    else if (entry.level === highest + 1) last.below.push(entry)
  }
  const link = ({ anchor, title }: { anchor: string; title: string }) => html`<a href="#${anchor}">${title}</a>`
  const items = top.map(
    (entry) =>
      html`<li>
        ${link(entry)}${
          entry.below.length > 0 &&
          html`<ol>
            ${entry.below.map((each) => html`<li>${link(each)}</li>`)}
          </ol>`
        }
      </li>`,
  )
  return html`<ol>
    ${items}
  </ol>`
}

function drawPageFoot(page: PageView, icons: Icons): Html {
  const { site, layout, updatedAt, edit, previous, next } = page
  const { words, language } = site
  const turning = site.look.pagination && layout.pagination && (previous !== undefined || next !== undefined)
  const day =
    layout.metadata &&
    updatedAt &&
    html`<span
      >${words.updated} <time datetime="${updatedAt.toISOString()}">${dayIn(language, updatedAt, 'long')}</time></span
    >`
  const change = edit !== undefined && html`<a${linkTo(site, edit)}>${words.editPage}</a>`
  const question = drawRating(page, icons)
  const updated = (question || day || change) && html`<div class="helpful">${question}${day}${change}</div>`
  return html`<footer class="page-foot">
    ${updated}${
      turning &&
      html`<nav class="turn" aria-label="${words.turn}">
        ${
          previous &&
          html`<a href="${previous.href}" rel="prev"
            ><small>${icons.draw('chev', 'back')} ${words.previous}</small><b>${previous.title}</b></a
          >`
        }${
          next &&
          html`<a class="next" href="${next.href}" rel="next"
            ><small>${words.next} ${icons.draw('chev', 'flip')}</small><b>${next.title}</b></a
          >`
        }
      </nav>`
    }
  </footer>`
}
