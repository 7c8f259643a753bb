import type { Membership } from '../../access/caller.ts'
import { specRights } from '../../access/rights.ts'
import { moment } from '../../account/parts.ts'
import type { OpenAPISpecRow } from '../../db/tables.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { organizationTop } from '../top.ts'
import { type TypedSource, nameField, sourceForm } from './source.page.ts'
import { stateOf, troubleOf } from './state.ts'

interface SpecificationsParts extends Said {
  membership: Membership
  /** The path of the page. */
  path: string
  specs: Part<OpenAPISpecRow>
  form: string
  mostBytes: number
  typed?: TypedSource
}

/**
 * The specifications of an organization, for all its members except guests. Members who may add one get a form for
 * that.
 */
export function specificationsPage(place: Place, parts: SpecificationsParts): Html {
  const { membership, specs } = parts
  const mayAdd = specRights(membership.role).edit
  return frame(
    place,
    `Specifications · ${membership.organization.title}`,
    html`${organizationTop(place, membership, 'Specifications', parts)}
      <section aria-label="Specifications">
        <h2>API specifications</h2>
        <p class="aside">
          OpenAPI or Swagger documents that describe an API. Pages show them and follow each new version.
        </p>
        ${rows(
          specs.rows.map((spec) => rowOf(place, parts, spec)),
          mayAdd ? 'None yet. Add the first one below.' : 'None yet.',
        )}
        ${partLinks(place, specs)}
      </section>
      ${mayAdd && adding(place, parts)}`,
  )
}

function rowOf(place: Place, { path }: SpecificationsParts, spec: OpenAPISpecRow): Html {
  const { tone, word } = stateOf(spec)
  return html`<li class="work-menu">
    <span class="row-main">
      <a href="${place.link(`${path}/${spec.slug}`)}"><strong>${spec.slug}</strong></a>
      <span class="row-more">${originOf(spec)}${lastReadOf(spec)}</span>
    </span>
    <span class="tag" data-tone="${tone}">${word}</span> ${trouble(spec)}
  </li>`
}

export const originOf = ({ source_url }: OpenAPISpecRow): string =>
  source_url === null ? 'Uploaded as a file or text' : `From ${source_url}`

export const lastReadOf = ({ last_processed_at }: OpenAPISpecRow): HtmlValue =>
  last_processed_at !== null && html` · last read ${moment(last_processed_at)}`

function trouble(spec: OpenAPISpecRow): HtmlValue {
  const said = troubleOf(spec)
  return said !== undefined && html`<span class="row-more">${said}</span>`
}

const adding = (place: Place, { path, form, mostBytes, typed }: SpecificationsParts) =>
  html`<section aria-label="New specification">
    <h2>New specification</h2>
    <p class="aside">Enter its address or text, or choose a file.</p>
    ${sourceForm(place, {
      action: path,
      fields: { form },
      mostBytes,
      typed,
      naming: nameField(typed),
      button: html`<button class="btn primary">Add specification</button>`,
    })}
  </section>`
