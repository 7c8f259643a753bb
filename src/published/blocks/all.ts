import type { Block } from '../../content/blocks.ts'
import { shownOf as shownOfUnknown } from '../../content/blocks/api-method.ts'
import { shownOf } from '../../content/blocks/integration.ts'
import { type Html, html } from '../../content/html/template.ts'
import { code, math } from './code.ts'
import * as containers from './containers.ts'
import type { DrawBlock, Drawing } from './drawing.ts'
import { images } from './pictures.ts'
import * as references from './references.ts'
import { table } from './tables.ts'
import * as text from './text.ts'

/** How each type of block is drawn. A new type does not compile until it is added here. */
const drawers: { [Type in Block['type']]: DrawBlock<Type> } = {
  code,
  column: containers.column,
  columns: containers.columns,
  'content-ref': references.contentRef,
  definition: () => html``,
  details: containers.details,
  divider: () => html`<hr />`,
  element: containers.element,
  embed: references.embed,
  error: (block, draw) =>
    html`<div class="block hint" data-tone="danger" role="note">
      ${draw.icons.draw('danger')}
      <div class="flow"><p>${block.message}</p></div>
    </div>`,
  file: references.file,
  // Footnotes are shown together at the end of the page.
  footnote: () => html``,
  heading: text.heading,
  hint: containers.hint,
  html: (block, draw) => draw.raw(block.html),
  // Conditional content stays hidden until its condition has been evaluated. Includes have been replaced by what they
  // name.
  if: () => html``,
  images,
  include: () => html``,
  integration: (block, draw) => draw.blocks(shownOf(block)),
  list: text.list,
  'list-item': (block, draw) => draw.blocks(block.blocks),
  math,
  openapi: references.openapi,
  'openapi-operation': references.openapiOperation,
  'openapi-schemas': references.openapiSchemas,
  'openapi-webhook': references.openapiWebhook,
  paragraph: text.paragraph,
  prompt: containers.prompt,
  quote: text.quote,
  raw: (block) => html`<p>${block.text}</p>`,
  step: containers.step,
  stepper: containers.stepper,
  tab: containers.tab,
  table,
  tabs: containers.tabs,
  unknown: (block, draw) => draw.blocks(shownOfUnknown(block)),
  update: containers.update,
  updates: containers.updates,
}

export function drawBlock(block: Block, draw: Drawing): Html {
  const drawn = draw.drawn?.(block)
  if (drawn) return drawn
  const drawer = drawers[block.type] as (block: Block, draw: Drawing) => Html
  return drawer(block, draw)
}
