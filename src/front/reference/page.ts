import { type Html, html } from '../../http/html.ts'
import type { ApiDescription } from '../../http/spec.ts'
import { jsonBlock } from '../code.ts'
import { type Place, footer, header, icon, layout } from '../layout.ts'
import { type Description, type Group, type Schema, groupOperations } from './description.ts'
import { type ExampleParts, exampleAnswer } from './example.ts'
import { anchor, operationSection, verb } from './operation.ts'
import { field, fields, prose } from './schema.ts'
import { type RateLimits, chapters, startSections } from './start.ts'

/** Above this number, the groups in the sidebar are folded until one of their operations is in view. */
const manyOperations = 60

/** The whole API on one page, made from the description that clients read. */
export function referencePage(
  api: ApiDescription,
  place: Place,
  limits: RateLimits | undefined,
  isSignedIn: boolean,
): Html {
  const description = api as unknown as Description
  const { schemas } = description.components
  const groups = groupOperations(description)
  const count = groups.flatMap((group) => group.operations).length
  const example = { schemas, url: place.url }

  return layout({
    place,
    title: 'API reference · Lectern',
    description: 'Every operation of the Lectern API: who can call it, what to send and what it returns.',
    kind: 'reference',
    icons: ['moon', 'sun', 'menu', 'x', 'search', 'copy', 'check', 'key', 'globe'],
    body: html`${header(place, '/docs/api', isSignedIn, menuButton)}
      <div class="wrap page">
        ${sidebar(groups, Object.keys(schemas), count <= manyOperations)}
        <main id="~content">
          <div class="title">
            <h1>API reference</h1>
            <p class="lead">
              All that Lectern does, over HTTP and in JSON: ${count} operations, described for machines in
              <a href="${place.link('/openapi.json')}">openapi.json</a>.
            </p>
          </div>
          ${startSections(place, limits, groups)} ${groups.map((group) => groupSection(group, example))}
          <h2 id="objects">Objects${anchor('objects')}</h2>
          ${Object.entries(schemas).map(([name, schema]) => objectSection(name, schema, example))}
        </main>
      </div>
      ${footer(place)}`,
  })
}

const menuButton = html`<button type="button" class="icon-btn only-narrow" popovertarget="nav" aria-label="Contents">
  ${icon('menu')}
</button>`

/** Beside the page if there is room, else behind the menu button: a popover, which needs no script. */
function sidebar(groups: Group[], objects: string[], isOpen: boolean): Html {
  const open = isOpen && html` open`
  return html`<nav class="nav" id="nav" popover aria-label="Contents">
    <div class="nav-find js-only">
      ${icon('search')}
      <input type="search" placeholder="Filter operations" aria-label="Filter operations" autocomplete="off" spellcheck="false" />
      <kbd aria-hidden="true">/</kbd>
      <button type="button" class="icon-btn only-narrow" popovertarget="nav" aria-label="Close">${icon('x')}</button>
    </div>
    <p class="nav-none" role="status" hidden>Nothing has this in its name or path.</p>
    <details open>
      <summary>Start</summary>
      <ul>
        ${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </details>
    ${groups.map(
      (group) =>
        html`<details${open}>
        <summary>${group.title}</summary>
        <ul>
          ${group.operations.map(
            (each) => html`<li><a href="#${each.operationId}">${each.summary}${verb(each.method)}</a></li>`,
          )}
        </ul>
      </details>`,
    )}
    <details${open}>
      <summary>Objects</summary>
      <ul>
        ${objects.map((name) => html`<li><a href="#object-${name}">${name}</a></li>`)}
      </ul>
    </details>
  </nav>`
}

function groupSection(group: Group, example: ExampleParts): Html {
  return html`<h2 id="${group.id}">${group.title}${anchor(group.id)}</h2>
    ${group.operations.map((operation) => operationSection(operation, example))}`
}

function objectSection(name: string, schema: Schema, example: ExampleParts): Html {
  const id = `object-${name}`
  const plain = () => html`<dl class="props">${field(name, { ...schema, description: '' }, true, 'received')}</dl>`
  return html`<section class="op" id="${id}">
    <h3>${name}${anchor(id)}</h3>
    <div class="op-grid">
      <div>
        ${schema.description && html`<p class="op-text">${prose(schema.description)}</p>`}
        ${fields(schema, 'received') ?? plain()}
      </div>
      <div class="op-aside">${jsonBlock('JSON', exampleAnswer({ $ref: name }, example))}</div>
    </div>
  </section>`
}
