import type { Code } from './blocks/code.ts'
import type { Column, Columns } from './blocks/columns.ts'
import type { ContentRef } from './blocks/content-ref.ts'
import type { Definition } from './blocks/definition.ts'
import type { Details } from './blocks/details.ts'
import type { Divider } from './blocks/divider.ts'
import type { Element } from './blocks/element.ts'
import type { Embed } from './blocks/embed.ts'
import type { ErrorBlock } from './blocks/error.ts'
import type { File } from './blocks/file.ts'
import type { Footnote } from './blocks/footnote.ts'
import type { Heading } from './blocks/heading.ts'
import type { Hint } from './blocks/hint.ts'
import type { HtmlBlock } from './blocks/html.ts'
import type { If } from './blocks/if.ts'
import type { Images } from './blocks/images.ts'
import type { Include } from './blocks/include.ts'
import type { Integration } from './blocks/integration.ts'
import type { List, ListItem } from './blocks/list.ts'
import type { MathBlock } from './blocks/math.ts'
import type { OpenApi, OpenApiOperation, OpenApiSchemas, OpenApiWebhook } from './blocks/openapi.ts'
import type { Paragraph } from './blocks/paragraph.ts'
import type { Prompt } from './blocks/prompt.ts'
import type { Quote } from './blocks/quote.ts'
import type { Raw } from './blocks/raw.ts'
import type { Step, Stepper } from './blocks/stepper.ts'
import type { Table } from './blocks/table.ts'
import type { Tab, Tabs } from './blocks/tabs.ts'
import type { Unknown } from './blocks/unknown.ts'
import type { Update, Updates } from './blocks/updates.ts'

/** All types of blocks. A new one does not compile until it can be written, drawn and sent (`blocks/all.ts`). */
export type Block =
  | Code
  | Column
  | Columns
  | ContentRef
  | Definition
  | Details
  | Divider
  | Element
  | Embed
  | ErrorBlock
  | File
  | Footnote
  | Heading
  | Hint
  | HtmlBlock
  | If
  | Images
  | Include
  | Integration
  | List
  | ListItem
  | MathBlock
  | OpenApi
  | OpenApiOperation
  | OpenApiSchemas
  | OpenApiWebhook
  | Paragraph
  | Prompt
  | Quote
  | Raw
  | Step
  | Stepper
  | Tab
  | Table
  | Tabs
  | Unknown
  | Update
  | Updates

export type BlockOf<Type extends Block['type']> = Extract<Block, { readonly type: Type }>

/** The blocks directly inside a block; none for those that hold text or nothing. */
export function childBlocks(block: Block): readonly Block[] {
  return 'blocks' in block ? block.blocks : []
}

/** Replaces some blocks by others, at any depth. A block that contains none of them stays the same object. */
export function exchangeBlocks(blocks: readonly Block[], others: ReadonlyMap<Block, readonly Block[]>): Block[] {
  return blocks.flatMap((block) => {
    const found = others.get(block)
    if (found) return found
    const inside = childBlocks(block)
    const exchanged = exchangeBlocks(inside, others)
    const isSame = exchanged.length === inside.length && exchanged.every((each, at) => each === inside[at])
    return [isSame ? block : ({ ...block, blocks: exchanged } as Block)]
  })
}

/** Removes some blocks, at any depth. */
export function without(blocks: readonly Block[], some: readonly Block[]): readonly Block[] {
  return some.length === 0 ? blocks : exchangeBlocks(blocks, new Map(some.map((block) => [block, []])))
}

/** All blocks in reading order, parents before children. */
export function* everyBlock(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block
    yield* everyBlock(childBlocks(block))
  }
}
