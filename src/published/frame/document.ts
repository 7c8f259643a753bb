import { type Html, attributes, html } from '../../content/html/template.ts'
import { mathFont } from '../../look/assets.ts'
import type { Icons } from '../icons/icons.ts'
import { drawHeader } from './header.ts'
import { drawFooter } from './footer.ts'
import { drawSearchDialog } from './search-dialog.ts'
import { directionOf } from '../words/words.ts'
import type { SiteView } from './view.ts'

/** What the head of a document says about it. */
export interface About {
  title: string
  description?: string
  canonical?: string
  alternates?: { language: string; href: string }[]
  noIndex: boolean
  picture?: string
  feed?: string
  markdown?: string
  /** Whether there is a diagram to draw. */
  diagrams: boolean
  /** Whether there is a formula. */
  math?: boolean
}

export interface Body {
  /** Classes of the root element. */
  root?: string
  main: Html
  /** What is drawn on top of the page. */
  over?: Html
}

/**
 * Draws a whole page. It is complete without script: the script adds searching while typing, copying, the theme and
 * folding.
 */
export function drawDocument(site: SiteView, about: About, body: Body, icons: Icons): string {
  const { look } = site
  icons.need('page', 'hash', 'code', 'enter')
  const root = attributes({
    lang: site.language,
    dir: directionOf(site.language),
    class: [body.root, site.sections.length > 1 && 'has-tabs'].filter(Boolean).join(' ') || undefined,
    'data-theme': look.defaultTheme === 'system' ? undefined : look.defaultTheme,
    'data-theme-fixed': !look.themeToggle,
    ...look.attributes,
  })
  const frame = html`${drawHeader(site, icons)}${body.main}${drawFooter(site, icons)}${drawSearchDialog(site, icons)}`
  return html`<!doctype html><html${root}><head>${drawHead(site, about)}</head><body><a class="skip" href="#~content">${site.words.skip}</a>${icons.sprite()}${frame}${body.over}<div class="toast" role="status"></div></body></html>`.toString()
}

function drawHead(site: SiteView, about: About): Html {
  const { title, description, canonical, picture } = about
  const whole = title === site.title ? title : `${title} · ${site.title}`
  return html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${whole}</title>
    ${description !== undefined && html`<meta name="description" content="${description}" />`}
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0d0f14" />
    <meta name="generator" content="Lectern" />
    ${about.noIndex && html`<meta name="robots" content="noindex, nofollow" />`}
    ${canonical !== undefined && html`<link rel="canonical" href="${canonical}" />`}
    ${about.alternates?.map(({ language, href }) => html`<link rel="alternate" hreflang="${language}" href="${href}" />`)}
    <meta property="og:title" content="${title}" />
    <meta property="og:site_name" content="${site.title}" />
    <meta property="og:type" content="article" />
    ${canonical !== undefined && html`<meta property="og:url" content="${canonical}" />`}
    ${description !== undefined && html`<meta property="og:description" content="${description}" />`}
    ${picture !== undefined && html`<meta property="og:image" content="${picture}" />`}
    <meta name="twitter:card" content="${picture === undefined ? 'summary' : 'summary_large_image'}" />
    ${about.markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${about.markdown}" />`}
    ${about.feed !== undefined && html`<link rel="alternate" type="application/rss+xml" href="${about.feed}" />`}
    <script src="${site.asset('theme.js')}"></script>
    <link rel="preload" href="${site.font}" as="font" type="font/${site.font.split('.').at(-1)}" crossorigin />
    ${about.math && html`<link rel="preload" href="${site.asset(mathFont)}" as="font" type="font/woff2" crossorigin />`}
    <link rel="stylesheet" href="${site.stylesheet}" />
    ${drawFavicon(site.favicon)}
    <script src="${site.asset('site.js')}" type="module"></script>
    ${
      about.diagrams &&
      html`<meta name="diagrams" content="${site.diagrams}" />
        <script src="${site.asset('diagrams.js')}" type="module"></script>`
    }`
}

function drawFavicon({ light, dark }: SiteView['favicon']): Html {
  if (dark === undefined || dark === light) return html`<link rel="icon" href="${light}" />`
  return html`<link rel="icon" href="${light}" media="(prefers-color-scheme: light)" />
    <link rel="icon" href="${dark}" media="(prefers-color-scheme: dark)" />`
}
