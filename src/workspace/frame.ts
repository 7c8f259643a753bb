import { type IconName, type Place, brand, icon, layout, themeButton } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'

/** The frame of every page below `/app`. `beside` is the content next to the page: a `.nav` with the id `~contents`. */
export const frame = (
  place: Place,
  title: string,
  body: HtmlValue,
  icons: IconName[] = [],
  head?: Html,
  beside?: Html,
): Html =>
  layout({
    place,
    title: `${title} · Lectern`,
    description: 'What people write here.',
    kind: 'account',
    icons: ['moon', 'sun', ...(beside ? (['menu', 'x'] as const) : []), ...icons],
    head: html`<meta name="robots" content="noindex" />${head}`,
    body: html`<header class="head">
        <div class="wrap head-row">
          ${beside && contentsButton()}${brand(place, '/account')}
          <nav class="head-end" aria-label="Main">
            <a class="head-link" href="${place.link('/account')}">Your account</a>${themeButton()}
          </nav>
        </div>
      </header>
      ${
        beside
          ? html`<div class="wrap page">
              ${beside}
              <main id="~content" class="own review">${body}</main>
            </div>`
          : html`<main id="~content" class="wrap own review">${body}</main>`
      }`,
  })

const contentsButton = () =>
  html`<button type="button" class="icon-btn only-narrow" popovertarget="~contents" aria-label="Pages of this space">
    ${icon('menu')}
  </button>`
