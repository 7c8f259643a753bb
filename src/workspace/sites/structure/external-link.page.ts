import { hidden, section as part, writingOver } from '../../../account/parts.ts'
import type { Place } from '../../../front/layout.ts'
import { type Html, html } from '../../../http/html.ts'
import type { LinkRow } from '../../../sites/structure/structure.ts'
import { asking } from '../../asking.ts'
import { frame } from '../../frame.ts'
import { saidOn } from '../../top.ts'
import { siteTop } from '../below-site.ts'
import { conditionField, possibleConditions } from '../conditions.ts'
import {
  type TypedLink,
  asTyped,
  draftField,
  firstFields,
  longestDescription,
  stateOfLink,
} from './external-link-fields.ts'
import { iconField } from './icon-field.ts'
import { menuField } from './menu-field.ts'
import { forSome, hiddenNow, previewOf } from './site-spaces.page.ts'
import type { BuiltParts } from '../site.parts.ts'

/** What the user typed or chose before it was refused. */
export interface KeptOfLink {
  typed?: TypedLink
}

interface LinkParts extends BuiltParts, KeptOfLink {
  link: LinkRow
}

/** A link among the sections of a site, and its target. Those who may edit the site can change all of it. */
export function externalLinkPage(place: Place, parts: LinkParts): Html {
  const { rights, link, path, seen } = parts
  return frame(
    place,
    `${link.title} · ${seen.site.title}`,
    html`${siteTop(place, parts, seen.site, html` › <a href="${place.link(`${path}/sections`)}">Sections</a>`)}
      <h1>${link.title}</h1>
      ${saidOn(parts)}
      <p class="work-places">
        <span>
          A link to <a href="${link.url}" rel="noopener">${link.url}</a> ${link.draft && hiddenNow}
          ${link.condition !== null && forSome}
        </span>
      </p>
      ${rights.edit && part('link', 'Link', 'How it appears, and for whom.', changing(place, parts))}
      ${rights.edit && part('remove', 'Remove', 'The target itself is not affected.', removing(place, parts))}`,
  )
}

function changing(place: Place, parts: LinkParts): Html {
  const { form, path, link, seen, rights } = parts
  const { siteSpaces: spaces } = seen.structure
  const typed = parts.typed ?? asTyped(link)
  return html`<form ${writingOver(place.link(`${path}/external-links/${link.id}`))} class="fields work-new">
    ${hidden({ form, state: stateOfLink(link) })} ${firstFields(typed)}
    <label class="field">
      <span>Short description, for menus</span>
      <input name="description" value="${typed.description}" maxlength="${longestDescription}" autocomplete="off" />
    </label>
    ${iconField(typed.icon)} ${seen.structure.groups.length > 0 && menuField(seen.structure.groups, typed.menu)}
    ${conditionField(place, parts, { now: link.condition, typed: parts.typed?.condition })} ${draftField(typed.draft)}
    <div class="work-parts">
      <button class="btn">Save link</button>
      ${link.draft && previewOf(place, { rights, spaces }, { path: `${path}/preview`, title: link.title })}
    </div>
    ${possibleConditions(parts)}
  </form>`
}

const removing = (place: Place, { form, path, link }: LinkParts) =>
  asking(
    'Remove this link',
    html`<form method="post" action="${place.link(`${path}/external-links/${link.id}/remove`)}" class="review-ask">
      ${hidden({ form })}
      <p>Remove the link “${link.title}” from the header of the site? This cannot be undone.</p>
      <button class="btn danger">Remove link</button>
    </form>`,
  )
