import { hidden } from '../account/parts.ts'
import type { Place } from '../front/layout.ts'
import { type Html, type HtmlValue, html } from '../http/html.ts'
import type { ShownSpace } from '../sites/structure/structure.ts'
import { asking } from './asking.ts'
import { rows } from './rows.ts'
import type { SiteParts } from './site.parts.ts'
import { unoffered } from './sites.page.ts'

export const longestPath = 100

/** The spaces in a site, section by section where it has sections; for those who may, forms to change that. */
export function spacesOf(place: Place, parts: SiteParts): Html {
  const { rights, seen } = parts
  const { inSections, sections, root } = seen.structure
  const listed = (spaces: ShownSpace[]) =>
    rows(
      spaces.map((row) => rowOf(place, parts, row)),
      rights.edit ? 'None yet that you may read. Add one below.' : 'None that you may read.',
    )
  const all = sections.map(
    ({ title, siteSpaces }) =>
      html`<div class="work-section">
        <h3>${title}</h3>
        ${listed(siteSpaces)}
      </div>`,
  )
  return html`${inSections && sections.length > 0 ? all : listed(root)} ${rights.edit && adding(place, parts)}`
}

function rowOf(place: Place, parts: SiteParts, row: ShownSpace): Html {
  const { organization, rights } = parts
  return html`<li>
    <span class="row-main">
      <a href="${place.link(`/app/o/${organization.id}/s/${row.space_id}`)}"><strong>${nameOf(row)}</strong></a>
      <span class="row-more">${whereOf(parts, row)}</span>
    </span>
    ${isFirst(parts, row) && html`<span class="tag" data-tone="info">shown first</span>`}
    ${
      rights.edit &&
      html`<div class="review-does">
        ${!isFirst(parts, row) && first(place, parts, row)} ${moving(place, parts, row)} ${removing(place, parts, row)}
      </div>`
    }
  </li>`
}

const nameOf = ({ title, space_title }: ShownSpace) => title ?? space_title

/** At the address of the site itself. */
function isFirst({ seen: { structure } }: SiteParts, { isDefault, section_id }: ShownSpace): boolean {
  const section = structure.sections.find(({ id }) => id === section_id)
  return isDefault && (section?.isDefault ?? true)
}

function whereOf(parts: SiteParts, row: ShownSpace): HtmlValue {
  const address = parts.addresses.get(row.id)
  if (address !== undefined) return html`<a href="${address}">${address}</a>`
  return isFirst(parts, row) ? 'at the address of the site' : html`at <code>…/${row.path}/</code>`
}

/** What the form is about: where it stands, and which space that is. */
const about = ({ form }: SiteParts, row: ShownSpace) => hidden({ form, at: row.id, space: row.space_id })

const first = (place: Place, parts: SiteParts, row: ShownSpace) =>
  asking(
    'Show first',
    html`<form method="post" action="${place.link(`${parts.path}/spaces/first`)}" class="review-ask">
      ${about(parts, row)}
      <p>
        Show “${nameOf(row)}” to readers who open the address of the site? What is shown first now gets its own path in
        the address, so links that people have to its pages may lead nowhere.
      </p>
      <button class="btn">Show it first</button>
    </form>`,
    `Show first: ${nameOf(row)}`,
  )

function moving(place: Place, parts: SiteParts, row: ShownSpace): Html {
  const { path, moved } = parts
  const typed = moved?.of === row.id ? moved.text : undefined
  return html`<details class="work-asking" ${typed !== undefined && 'open'}>
    <summary class="btn" aria-label="Path of ${nameOf(row)}">Path</summary>
    <form method="post" action="${place.link(`${path}/spaces/path`)}" class="review-ask">
      ${about(parts, row)} ${hidden({ seen: row.path })}
      <label class="field">
        <span>Its part of the address</span>
        <input name="path" value="${typed ?? row.path}" maxlength="${longestPath}" autocomplete="off" required />
      </label>
      <p>
        ${isFirst(parts, row) ? 'While it is shown first, its address is that of the site, without this part.' : 'Links that people have to its pages lead nowhere then.'}
      </p>
      <button class="btn">Save path</button>
    </form>
  </details>`
}

const removing = (place: Place, parts: SiteParts, row: ShownSpace) =>
  asking(
    'Remove',
    html`<form method="post" action="${place.link(`${parts.path}/spaces/remove`)}" class="review-ask">
      ${about(parts, row)}
      <p>Remove “${nameOf(row)}” from this site? Readers do not find it here any more. The space itself stays.</p>
      <button class="btn danger">Remove it from the site</button>
    </form>`,
    `Remove ${nameOf(row)}`,
  )

function adding(place: Place, { path, form, toShow: { spaces, others }, space, seen }: SiteParts): Html {
  if (spaces.length === 0)
    return html`<p class="aside">There is no other space that you may put into it. ${unoffered(others)}</p>`
  return html`<div>
    <form method="post" action="${place.link(`${path}/spaces`)}" class="fields inline one">
      ${hidden({ form })}
      <label class="field grow">
        <span>Another space</span>
        <select name="space">
          ${spaces.map(
            ({ id, title }) => html`<option value="${id}" ${id === space && html`selected`}>${title}</option>`,
          )}
        </select>
      </label>
      <button class="btn">Add it</button>
    </form>
    <p class="aside">
      ${
        seen.structure.inSections
          ? 'It goes into the section that is shown first, as a version or a language of what is there.'
          : 'Of several, each is a version or a language of the same, among which readers choose.'
      }
      ${unoffered(others)}
    </p>
  </div>`
}
