import { type IconName, type Place, brand, layout, themeButton } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'

/** What stands around every page below `/app`. */
export const frame = (place: Place, title: string, body: HtmlValue, icons: IconName[] = [], head?: Html): Html =>
  layout({
    place,
    title: `${title} · Lectern`,
    description: 'What people write here.',
    kind: 'account',
    icons: ['moon', 'sun', ...icons],
    head: html`<meta name="robots" content="noindex" />${head}`,
    body: html`<header class="head">
        <div class="wrap head-row">
          ${brand(place)}
          <nav class="head-end" aria-label="Main">
            <a class="head-link" href="${place.link('/account')}">Your account</a>${themeButton()}
          </nav>
        </div>
      </header>
      <main id="~content" class="wrap own review">${body}</main>`,
  })
