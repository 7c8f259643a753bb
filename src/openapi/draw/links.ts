import { type Html, html } from '../../content/html/template.ts'
import type { Words } from '../../published/words/words.ts'
import { type JsonObject, at, objectAt, shortJson, textAt } from './json.ts'
import { drawMarkdown } from './markdown.ts'
import type { Spec } from './spec.ts'

/** A call that can follow, using values of a response. */
export interface Following {
  name: string
  description: string | undefined
  /** The operation that it calls. */
  target: string | undefined
  /** Parameter names, and where in the response their values are. */
  values: { name: string; value: string }[]
  body: string | undefined
}

const mostLinks = 20

export function linksOf(spec: Spec, response: JsonObject): Following[] {
  return Object.entries(objectAt(response, 'links'))
    .slice(0, mostLinks)
    .map(([name, each]) => {
      const { value: link } = spec.resolve(each)
      const body = at(link, 'requestBody')
      return {
        name,
        description: textAt(link, 'description'),
        target: targetOf(spec, link),
        values: Object.entries(objectAt(link, 'parameters'))
          .slice(0, mostLinks)
          .map(([name, value]) => ({ name, value: shortJson(value) })),
        body: body === undefined ? undefined : shortJson(body),
      }
    })
}

/** Returns the method and path if the operation is in this specification, otherwise its id or reference. */
function targetOf(spec: Spec, link: JsonObject): string | undefined {
  const [id, reference] = [textAt(link, 'operationId'), textAt(link, 'operationRef')]
  const found = spec.linkedOperation(id, reference)
  return found ? `${found.method.toUpperCase()} ${found.path}` : (id ?? reference)
}

export function drawLinks(links: readonly Following[], words: Words): Html | undefined {
  if (links.length === 0) return undefined
  const rows = links.map(
    ({ name, description, target, values, body }) =>
      html`<div>
        <dt><code>${name}</code>${target !== undefined && html`<span class="type">${target}</span>`}</dt>
        <dd>
          ${drawMarkdown(description)}${values.map(
            ({ name, value }) => html`<div class="vals"><code>${name}</code> = <code>${value}</code></div>`,
          )}${body !== undefined && html`<div class="vals">${words.body}: <code>${body}</code></div>`}
        </dd>
      </div>`,
  )
  return html`<p class="part">${words.links}</p>
    <dl class="props">${rows}</dl>`
}
