import { type Html, type HtmlValue, html } from '../http/html.ts'
import { commonFonts } from '../look/assets.ts'
import { mark } from '../look/mark.ts'

/** Where this instance is: its address, and how a page links to its own paths and files. */
export interface Place {
  url: string
  link(path: string): string
  asset(name: string): string
}

interface PageParts {
  place: Place
  title: string
  description: string
  /** The name of the layout, for the style sheet. */
  kind: 'home' | 'reference' | 'notice' | 'account'
  icons: IconName[]
  head?: HtmlValue
  body: Html
}

/**
 * The HTML frame of every page. It is complete without a script; the script adds the theme switch, copying and
 * filtering.
 */
export function layout({ place, title, description, kind, icons, head, body }: PageParts): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0d0f14" />
        ${head}
        <script src="${place.asset('theme.js')}"></script>
        <link rel="preload" href="${place.asset(commonFonts[0]!)}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${place.asset('pages.css')}" />
        <link rel="icon" href="${place.link('/favicon.svg')}" type="image/svg+xml" />
        <script src="${place.asset('pages.js')}" type="module"></script>
      </head>
      <body class="${kind}">
        <a class="skip" href="#~content">Skip to content</a>
        ${symbols(icons)} ${body}
      </body>
    </html>`
}

/** `menu` precedes the name: pages with a contents drawer put its button there. */
export function header(place: Place, current: '/' | '/docs/api', isSignedIn: boolean, menu?: Html): Html {
  const link = (path: string, label: string) =>
    html`<a class="head-link" href="${place.link(path)}" ${path === current && html` aria-current="page"`}>${label}</a>`
  return html`<header class="head">
    <div class="wrap head-row">
      ${menu}${brand(place)}
      <nav class="head-end" aria-label="Main">
        ${link('/docs/api', 'API reference')}${link('/openapi.json', 'OpenAPI')}
        ${isSignedIn ? link('/account', 'Your account') : link('/login', 'Sign in')} ${themeButton()}
      </nav>
    </div>
  </header>`
}

export function footer(place: Place): Html {
  return html`<footer class="foot">
    <div class="wrap">
      ${brand(place)}
      <p>Documentation that you write together and publish from your own server.</p>
    </div>
  </footer>`
}

/** Its icons, `moon` and `sun`, must be among those of the page. */
export const themeButton = () =>
  html`<button type="button" class="icon-btn js-only" data-theme-toggle aria-label="Switch between light and dark">
    ${icon('moon', 'to-dark')}${icon('sun', 'to-light')}
  </button>`

/** For signed-in users, `path` leads to their account instead of the introduction to Lectern. */
export const brand = (place: Place, path: '/' | '/account' = '/') =>
  html`<a class="brand" href="${place.link(path)}">${mark}Lectern</a>`

const iconPaths = {
  arrow: 'M5 12h13M13 6.5l5.5 5.5-5.5 5.5',
  book: 'M12 7c-2-1.7-4.7-2.3-8-2v13c3.3-.3 6 .3 8 2 2-1.7 4.7-2.3 8-2V5c-3.3-.3-6 .3-8 2ZM12 7v13',
  branch:
    'M7 4v16M7 8.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 19.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 10.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM17 10.5c0 3.5-4 3.5-8.5 5.5',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  code: 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5',
  copy: 'M9.5 8.5h8a1.5 1.5 0 0 1 1.5 1.5v8.5a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 8 18.5V10a1.5 1.5 0 0 1 1.5-1.5ZM5 15.5V6a2 2 0 0 1 2-2h8',
  folder:
    'M4 7.5A1.5 1.5 0 0 1 5.5 6h3.9l2 2.5h7.1A1.5 1.5 0 0 1 20 10v7.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5v-10Z',
  globe: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17',
  key: 'M8 11a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM11.3 12.5 19.5 4.5M16 8l3 3',
  menu: 'M4 7h16M4 12h16M4 17h10',
  moon: 'M20 13.6A8 8 0 1 1 10.4 4a6.4 6.4 0 0 0 9.6 9.6Z',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM20 20l-4-4',
  server:
    'M5.5 4.5h13A1.5 1.5 0 0 1 20 6v3.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 9.5V6a1.5 1.5 0 0 1 1.5-1.5ZM5.5 13h13a1.5 1.5 0 0 1 1.5 1.5V18a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18v-3.5A1.5 1.5 0 0 1 5.5 13ZM7.5 7.75v.01M7.5 16.25v.01',
  sun: 'M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1',
  x: 'M6 6l12 12M18 6 6 18',
}

export type IconName = keyof typeof iconPaths

export function icon(name: IconName, more = ''): Html {
  return html`<svg class="i ${more}" aria-hidden="true"><use href="#i-${name}" /></svg>`
}

/** Defines each icon of a page once. */
function symbols(names: IconName[]): Html {
  const each = [...new Set(names)].map(
    (name) => html`<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${iconPaths[name]}" /></symbol>`,
  )
  return html`<svg width="0" height="0" class="sr" aria-hidden="true">${each}</svg>`
}
