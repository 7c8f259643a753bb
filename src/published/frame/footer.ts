import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../icons/icons.ts'
import { drawBrand } from './header.ts'
import { linkTo } from './link-to.ts'
import type { SiteView } from './view.ts'

export function drawFooter(site: SiteView, icons: Icons): Html {
  const { footer, look } = site
  const logo = footer.logo ?? site.logo
  const groups = footer.groups.map(
    ({ title, links }) =>
      html`<nav aria-label="${title}">
        <h2>${title}</h2>
        <ul>
          ${links.map((link) => html`<li><a${linkTo(site, link.href)}>${link.title}</a></li>`)}
        </ul>
      </nav>`,
  )
  const social = footer.social.map(({ title, href }) => html`<a${linkTo(site, href, 'me')}>${title}</a>${' '}`)
  // The copyright is in the same language on the whole site, whatever the direction of the words around it.
  const copyright = footer.copyright !== undefined && html`<span dir="auto">${footer.copyright}</span>`
  const privacy = footer.privacy !== undefined && html`<a${linkTo(site, footer.privacy)}>${site.words.privacy}</a>`
  return html`<footer class="foot">
    <div class="wrap">
      <div>${drawBrand({ home: site.home, logo, title: site.title })}</div>
      ${groups}
      <div class="foot-end">
        <span>${copyright}${' '}${privacy}${' '}${social}</span>${look.themeToggle && drawThemes(site, icons)}
      </div>
    </div>
  </footer>`
}

function drawThemes({ words }: SiteView, icons: Icons): Html {
  const choice = (value: string, icon: 'screen' | 'sun' | 'moon', label: string) =>
    html`<button type="button" value="${value}" aria-label="${label}" aria-pressed="false">${icons.draw(icon)}</button>`
  return html`<div class="theme js-only" role="group" aria-label="${words.theme}">
    ${choice('system', 'screen', words.systemTheme)}${choice('light', 'sun', words.lightTheme)}${choice('dark', 'moon', words.darkTheme)}
  </div>`
}
