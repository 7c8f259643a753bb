import { setImmediate } from 'node:timers/promises'
import { type Html, html } from '../../content/html/template.ts'
import type { Icons } from '../../published/icons/icons.ts'
import { english } from '../../published/words/english.ts'
import { fill } from '../../published/words/words.ts'
import { type Numbered, drawPanels } from './code.ts'
import { exampleOfSchema } from './example.ts'
import { Props } from './props.ts'
import { type Manner, enough, roomFor } from './room.ts'
import { type Spec, schemaReference } from './spec.ts'
import { mostFields } from './unfold.ts'

export const mostSchemas = 1_000

/** Limit for all schemas together: large ones, or very many, would not fit into memory. */
export const mostFieldsOfAll = 20_000

/** Limit for all examples together. Each of their characters takes several in the markup. */
const mostExampleCharacters = 500_000

/** Draws the named schemas, each with its fields and an example. Undefined if the specification has none of them. */
export async function drawSchemas(
  spec: Spec,
  names: readonly string[],
  { id, needsTitle = true, words = english, room = enough }: Numbered & { needsTitle?: boolean } & Manner,
  icons: Icons,
): Promise<Html | undefined> {
  const known = names.filter((name) => Object.hasOwn(spec.schemas, name)).slice(0, mostSchemas)
  const alone = roomFor(known.length)
  const each = alone.fields < room.fields ? alone : room
  const sections: Html[] = []
  let left = mostFieldsOfAll
  const examples = { left: mostExampleCharacters }
  for (const [at, name] of known.entries()) {
    const most = Math.min(mostFields, left)
    const props = new Props(spec, icons, words, most)
    props.plan([{ schema: schemaReference(name), way: 'response' }], each.fields)
    const example = await drawExample(spec, name, { id: `${id}-${at}`, words, room: each, examples }, icons)
    sections.push(drawSchema(name, needsTitle, props, example))
    left -= most - props.left
    await setImmediate()
  }
  return sections.length === 0 ? undefined : html`${sections}`
}

/** Draws an example, unless it would show no more than the type. */
async function drawExample(
  spec: Spec,
  name: string,
  { id, words, room, examples }: Numbered & Required<Manner> & { examples: { left: number } },
  icons: Icons,
): Promise<Html | undefined> {
  if (examples.left <= 0) return undefined
  const example = exampleOfSchema(spec, schemaReference(name), 'response', room.values)
  if (typeof example !== 'object' || example === null) return undefined
  const code = JSON.stringify(example, null, 2)
  examples.left -= code.length
  const panel = { title: words.example, label: fill(words.exampleOf, name), code, language: 'json' }
  return drawPanels([panel], { id, label: words.example, copy: words.copyExample }, icons)
}

function drawSchema(name: string, needsTitle: boolean, props: Props, aside: Html | undefined): Html {
  return html`<section class="block op" aria-label="${name}">
    <div class="op-grid">
      <div>${needsTitle && html`<h3 class="op-h">${name}</h3>`}${props.body(schemaReference(name), 'response')}</div>
      ${aside && html`<div class="op-aside">${aside}</div>`}
    </div>
  </section>`
}
