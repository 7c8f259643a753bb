import { hidden } from '../../account/parts.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import type { SiteParts } from './site.parts.ts'

export const longestName = 50

/** The links whose addresses open a site, for those who may see them, and a form for another one. */
export function shareLinksOf(place: Place, parts: SiteParts): Html {
  const { path, form, links, seen, name } = parts
  return html`${
      links.length === 0
        ? html`<p class="none">There is none yet, so nobody can read the site.</p>`
        : html`<div class="review-files">
            <ul role="list">
              ${links.map((link) => html`<li>${linkOf(place, parts, link)}</li>`)}
            </ul>
          </div>`
    }
    ${links.length > 0 && !seen.site.published && html`<p class="aside">They open it once it is published.</p>`}
    <form method="post" action="${place.link(`${path}/links`)}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>Whom a new link is for</span>
        <input name="name" value="${name ?? ''}" maxlength="${longestName}" autocomplete="off" required />
      </label>
      <button class="btn">Make a link</button>
    </form>`
}

function linkOf(place: Place, { path, form }: SiteParts, { id, name, active, urls }: SiteParts['links'][number]): Html {
  const label = html`<span>${name} ${!active && html`<span class="tag" data-tone="plain">switched off</span>`}</span>`
  return html`${codeBlock(label, html`${urls.published}`)}
    <div class="review-does">
      ${asking(
        'Revoke',
        html`<form method="post" action="${place.link(`${path}/links/revoke`)}" class="review-ask">
          ${hidden({ form, link: id })}
          <p>Revoke the link “${name}”? It opens nothing any more, for nobody who has it. This cannot be undone.</p>
          <button class="btn danger">Revoke it</button>
        </form>`,
        `Revoke ${name}`,
      )}
    </div>`
}
