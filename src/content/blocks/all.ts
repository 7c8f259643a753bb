import type { Block, BlockOf } from '../blocks.ts'
import { code } from './code.ts'
import { column, columns } from './columns.ts'
import { contentRef } from './content-ref.ts'
import { definition } from './definition.ts'
import { details } from './details.ts'
import { divider } from './divider.ts'
import { element } from './element.ts'
import { embed } from './embed.ts'
import { error } from './error.ts'
import { file } from './file.ts'
import { footnote } from './footnote.ts'
import { heading } from './heading.ts'
import { hint } from './hint.ts'
import { htmlBlock } from './html.ts'
import { ifBlock } from './if.ts'
import { images } from './images.ts'
import { include } from './include.ts'
import { integration } from './integration.ts'
import type { BlockKind } from './kind.ts'
import { list, listItem } from './list.ts'
import { math } from './math.ts'
import { openapi, openapiOperation, openapiSchemas, openapiWebhook } from './openapi.ts'
import { paragraph } from './paragraph.ts'
import { prompt } from './prompt.ts'
import { quote } from './quote.ts'
import { raw } from './raw.ts'
import { step, stepper } from './stepper.ts'
import { table } from './table.ts'
import { tab, tabs } from './tabs.ts'
import { unknown } from './unknown.ts'
import { update, updates } from './updates.ts'

const kinds: { [Type in Block['type']]: BlockKind<BlockOf<Type>> } = {
  code,
  column,
  columns,
  'content-ref': contentRef,
  definition,
  details,
  divider,
  element,
  embed,
  error,
  file,
  footnote,
  heading,
  hint,
  html: htmlBlock,
  if: ifBlock,
  images,
  include,
  integration,
  list,
  'list-item': listItem,
  math,
  openapi,
  'openapi-operation': openapiOperation,
  'openapi-schemas': openapiSchemas,
  'openapi-webhook': openapiWebhook,
  paragraph,
  prompt,
  quote,
  raw,
  step,
  stepper,
  tab,
  table,
  tabs,
  unknown,
  update,
  updates,
}

/**
 * Returns the kind of a block. TypeScript cannot see that a block and the entry of its type match, so the cast is in
 * this one place.
 */
export function kindOf<B extends Block>(block: B): BlockKind<B> {
  return kinds[block.type] as unknown as BlockKind<B>
}
