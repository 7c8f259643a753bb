import { appPath } from '../../app-path.ts'
import { buttonForm, hidden, moment, section, writingOver } from '../../account/parts.ts'
import type { Membership } from '../../access/caller.ts'
import type { OpenAPISpecRow, OpenAPIVersionRow } from '../../db/tables.ts'
import { codeBlock } from '../../front/code.ts'
import type { Place } from '../../front/layout.ts'
import { type Html, type HtmlValue, html } from '../../http/html.ts'
import { asking } from '../asking.ts'
import { frame } from '../frame.ts'
import { type Part, partLinks } from '../paging.ts'
import { rows } from '../rows.ts'
import type { Said } from '../said.ts'
import { asSeen } from '../seen.ts'
import { saidOn } from '../top.ts'
import { type TypedSource, sourceForm } from './source.page.ts'
import { lastReadOf, originOf } from './specifications.page.ts'
import { isUnderWay, stateOf, troubleOf } from './state.ts'

/** An operation, and the line of Markdown that shows it on a page. */
export interface OperationLine {
  title: string
  method: string
  path: string
  line: string
}

export interface SpecificationParts extends Said {
  membership: Membership
  /** The path of the page. */
  path: string
  spec: OpenAPISpecRow
  mayEdit: boolean
  form: string
  mostBytes: number
  versions: Part<OpenAPIVersionRow & { url: string }>
  /** The operations that match the search. */
  operations: { shown: OperationLine[]; more: number; all: number; search: string }
  /** Where anyone can download it if it is public. */
  publicUrl: string
  typed?: TypedSource
}

export const longestSearch = 100

/**
 * A specification: its state, its content, and how pages show it. Members who may edit specifications can change all of
 * that.
 */
export function specificationPage(place: Place, parts: SpecificationParts): Html {
  const { membership, spec, mayEdit } = parts
  const home = appPath.organization(membership.organization.id)
  const isWatched = isFresh(spec) && parts.error === undefined
  return frame(
    place,
    spec.slug,
    html`<p class="review-space">
        <a href="${place.link(home)}">${membership.organization.title}</a> ›
        <a href="${place.link(`${home}/specifications`)}">Specifications</a>
      </p>
      <h1>${spec.slug}</h1>
      ${saidOn(parts)} ${standing(place, parts)}
      ${
        !isWatched &&
        html`${section('lines', 'On a page', 'A line of Markdown for each operation. Paste it into the text of a page.', linesOf(place, parts))}
        ${section('pages', 'A page for each tag', 'These pages follow each new version and appear next to the pages you write.', ownPages(parts))}
        ${section('versions', 'Versions', 'All versions, newest first.', versionsOf(place, parts))}
        ${mayEdit && section('source', 'Replace', 'With an address, a text or a file. The current version stays until the new one has been read.', replacing(place, parts))}
        ${mayEdit && section('download', 'Download', 'Who gets it as one JSON document.', downloading(place, parts))}
        ${mayEdit && section('delete', 'Delete', 'With all its versions.', deleting(place, parts))}`
      }`,
    ['copy', 'check'],
    isWatched ? html`<meta http-equiv="refresh" content="2" />` : undefined,
  )
}

/**
 * Most specifications are read at once. For this long the page reloads itself, and meanwhile contains nothing that a
 * user could fill in.
 */
const freshMs = 30_000

const isFresh = (spec: OpenAPISpecRow) => isUnderWay(spec) && Date.now() - spec.updated_at.getTime() < freshMs

function standing(place: Place, { path, spec, mayEdit, form }: SpecificationParts): Html {
  const { tone, word } = stateOf(spec)
  const trouble = troubleOf(spec)
  return html`<div class="work-standing">
    <div class="work-where">
      <span class="tag" data-tone="${tone}">${word}</span> ${originOf(spec)}${lastReadOf(spec)}
      ${trouble !== undefined && html`<p class="row-more">${trouble}</p>`}
    </div>
    ${
      mayEdit &&
      buttonForm(place, {
        action: `${path}/again`,
        fields: { form },
        label: spec.source_url === null ? 'Read it again' : 'Fetch again now',
      })
    }
  </div>`
}

function linesOf(place: Place, parts: SpecificationParts): Html {
  const { shown, more, all } = parts.operations
  if (all === 0)
    return html`<p class="none">
      ${parts.spec.last_version === null ? 'Nothing could be read of it yet.' : 'It has no operations.'}
    </p>`
  return html`${(more > 0 || parts.operations.search !== '') && searching(place, parts)}
  ${
    shown.length === 0
      ? html`<p class="none">No operation matches.</p>`
      : html`<div class="review-files">
          <ul role="list">
            ${shown.map((each) => html`<li>${lineOf(each)}</li>`)}
          </ul>
        </div>`
  }
  ${more > 0 && html`<p class="aside">And ${more} more: search by path or title.</p>`}`
}

const searching = (place: Place, { path, operations: { search, all } }: SpecificationParts) =>
  html`<form method="get" action="${place.link(path)}#lines" class="fields inline one" role="search">
    <label class="field grow">
      <span>Find one of ${all} operations</span>
      <input name="search" type="search" value="${search}" maxlength="${longestSearch}" autocomplete="off" />
    </label>
    <button class="btn">Find</button>
  </form>`

const lineOf = ({ title, method, path, line }: OperationLine) =>
  codeBlock(html`<span>${title} · ${method.toUpperCase()} ${path}</span>`, html`${line}`)

const ownPages = ({ spec }: SpecificationParts) =>
  html`<p class="aside">
    In a change request, choose <strong>Add a page</strong>, then <strong>API reference</strong> and
    <strong>${spec.slug}</strong>. You get one page per tag, with all its operations.
  </p>`

function versionsOf(place: Place, { spec, versions }: SpecificationParts): Html {
  const items = versions.rows.map(
    ({ id, created_at, url }) =>
      html`<li>
        <span class="row-main"><strong>${moment(created_at)}</strong></span>
        <span class="review-does">
          ${id === spec.last_version && html`<span class="tag" data-tone="success">shown on pages</span>`}
          <a class="btn" href="${url}" download="openapi.json">Download</a>
        </span>
      </li>`,
  )
  return html`${rows(items, 'None yet.')} ${partLinks(place, versions, '#versions')}`
}

const replacing = (place: Place, { path, spec, form, mostBytes, typed }: SpecificationParts) =>
  sourceForm(place, {
    action: `${path}/source`,
    fields: { form, seen: sourceSeen(spec) },
    mostBytes,
    typed,
    button: html`<button class="btn">Replace</button>`,
  })

/** Identifies the source, for forms that change it. */
export const sourceSeen = ({ source_url, source_blob }: OpenAPISpecRow): string => asSeen([source_url, source_blob])

const audiences = {
  private: [
    'Members of the organization',
    'On this page and through the API. Readers of a site see what its pages show.',
  ],
  public: ['Anyone with the address', 'So that other programs can read it.'],
} as const

export const audienceOf = (visibility: OpenAPISpecRow['visibility']): string => audiences[visibility][0]

function downloading(place: Place, { path, spec, form, publicUrl }: SpecificationParts): Html {
  return html`${spec.visibility === 'public' && codeBlock('Its address', html`${publicUrl}`)}
    <form ${writingOver(place.link(`${path}/visibility`))}>
      ${hidden({ form, seen: spec.visibility })}
      <ul class="rows" role="list">
        ${Object.entries(audiences).map(
          ([word, [title, more]]) =>
            html`<li>
              <label class="choice">
                <input type="radio" name="visibility" value="${word}" ${word === spec.visibility && html`checked`} />
                <span class="row-main"><strong>${title}</strong> <span class="row-more">${more}</span></span>
              </label>
            </li>`,
        )}
      </ul>
      <button class="btn">Save</button>
    </form>`
}

const deleting = (place: Place, { path, spec, form }: SpecificationParts): HtmlValue =>
  asking(
    'Delete this specification',
    html`<form ${writingOver(place.link(`${path}/delete`))} class="review-ask">
      ${hidden({ form, seen: spec.id })}
      <p>
        Delete “${spec.slug}” with all its versions? Pages that show its operations stay but show nothing in their
        place, and an API reference made from it becomes one empty page. This cannot be undone.
      </p>
      <button class="btn danger">Delete specification</button>
    </form>`,
  )
