import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../../published/icons.ts'
import { type Numbered, drawPanels } from './code.ts'
import { exampleOfSchema } from './example.ts'
import { Props } from './props.ts'
import { type Spec, schemaReference } from './spec.ts'

const mostSchemas = 200

/** Schemas by their names, each with its fields and an example. Undefined where the specification has none of them. */
export async function drawSchemas(
  spec: Spec,
  names: readonly string[],
  { id }: Numbered,
  icons: Icons,
): Promise<Html | undefined> {
  const known = names.filter((name) => Object.hasOwn(spec.schemas, name)).slice(0, mostSchemas)
  const props = new Props(spec, icons)
  const sections: Html[] = []
  for (const [at, name] of known.entries()) sections.push(await drawSchema(spec, name, `${id}-${at}`, props, icons))
  return sections.length === 0 ? undefined : html`${sections}`
}

async function drawSchema(spec: Spec, name: string, id: string, props: Props, icons: Icons): Promise<Html> {
  const schema = schemaReference(name)
  const example = exampleOfSchema(spec, schema, 'response')
  const isWorthShowing = typeof example === 'object' && example !== null
  const code = isWorthShowing ? JSON.stringify(example, null, 2) : ''
  const panel = { title: 'Example', label: `Example of ${name}`, code, language: 'json' }
  const aside = isWorthShowing
    ? await drawPanels([panel], { id, label: 'Example', copy: 'Copy example' }, icons)
    : undefined
  return html`<section class="block op" aria-label="${name}">
    <div class="op-grid">
      <div>
        <h3 class="op-h">${name}</h3>
        ${props.body(schema, 'response')}
      </div>
      ${aside && html`<div class="op-aside">${aside}</div>`}
    </div>
  </section>`
}
