import { childBlocks, type Block } from './blocks.ts'
import { hasWords } from './blocks/content-ref.ts'
import type { TableColumn } from './blocks/table.ts'
import type { Inline } from './inlines.ts'
import { isBlank, saysAddress } from './inlines/text.ts'
import { withOwnInlines } from './own-inlines.ts'
import type { Document } from './parse.ts'

/**
 * Removes from a page everything that consists only of the address of something that this reader may not see: cards and
 * mentions, which stand for a page, and card targets in tables. Items with words of their own stay.
 */
export function withoutLost(document: Document, isLost: (href: string) => boolean): Document {
  const blocks = blocksWithout(document.blocks, isLost)
  return blocks === document.blocks ? document : { ...document, blocks }
}

function blocksWithout(blocks: readonly Block[], isLost: (href: string) => boolean): readonly Block[] {
  const left = blocks.flatMap((block): readonly Block[] => {
    if (block.type === 'content-ref') return !hasWords(block) && isLost(block.url) ? [] : [block]
    const children = childBlocks(block)
    const inside = blocksWithout(children, isLost)
    const copy = 'blocks' in block && inside !== children ? ({ ...block, blocks: inside } as Block) : block
    const own = withOwnInlines(copy, (inlines, column) => inlinesWithout(inlines, isLost, column))
    // A paragraph with nothing left in it is removed.
    return own !== copy && own.type === 'paragraph' && isBlank(own.inlines) ? [] : [own]
  })
  return left.length === blocks.length && left.every((block, at) => block === blocks[at]) ? blocks : left
}

/** Does the same for inlines. `column` is the table column that they are in, if any. */
export function inlinesWithout(
  inlines: readonly Inline[],
  isLost: (href: string) => boolean,
  column?: TableColumn,
): readonly Inline[] {
  const left = inlines.flatMap((inline): readonly Inline[] => {
    if (standsForPage(inline, column)) return saysAddress(inline) && isLost(inline.href) ? [] : [inline]
    if (!('inlines' in inline) || !inline.inlines) return [inline]
    const inside = inlinesWithout(inline.inlines, isLost, column)
    return [inside === inline.inlines ? inline : { ...inline, inlines: inside }]
  })
  return left.length === inlines.length && left.every((inline, at) => inline === inlines[at]) ? inlines : left
}

type Link = Extract<Inline, { type: 'link' | 'mention' }>

/**
 * Whether an inline stands for a page. Readers see the title of that page; the words written there are for people who
 * read the Markdown.
 */
const standsForPage = (inline: Inline, column?: TableColumn): inline is Link =>
  inline.type === 'mention' || (inline.type === 'link' && isTarget(column))

const isTarget = (column: TableColumn | undefined): boolean =>
  column?.attributes?.['data-card-target'] !== undefined || column?.attributes?.['data-type'] === 'content-ref'
