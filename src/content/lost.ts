import { childBlocks, type Block } from './blocks.ts'
import { hasWords } from './blocks/content-ref.ts'
import type { TableColumn } from './blocks/table.ts'
import type { Inline } from './inlines.ts'
import { isAddress, isBlank, saysAddress } from './inlines/text.ts'
import { withOwnInlines } from './own-inlines.ts'
import type { Document } from './parse.ts'

/**
 * Removes from a page everything that consists only of the address of something that this reader may not see: cards and
 * mentions, which stand for a page, card targets in tables, embeds, and bare web addresses. Items with words of their
 * own stay.
 */
export function withoutLost(document: Document, isLost: (href: string) => boolean): Document {
  const blocks = blocksWithout(document.blocks, isLost)
  return blocks === document.blocks ? document : { ...document, blocks }
}

function blocksWithout(blocks: readonly Block[], isLost: (href: string) => boolean): readonly Block[] {
  const isGone: IsGone = (link, column) =>
    (isStandIn(link, column) || (isAddress(link.inlines) && saysAddress(link))) && isLost(link.href)
  const left = blocks.flatMap((block): readonly Block[] => {
    if (block.type === 'content-ref') return !hasWords(block) && isLost(block.url) ? [] : [block]
    if (block.type === 'embed' && isLost(block.url)) return []
    const children = childBlocks(block)
    const inside = blocksWithout(children, isLost)
    const copy = 'blocks' in block && inside !== children ? ({ ...block, blocks: inside } as Block) : block
    const own = withOwnInlines(copy, (inlines, column) => inlinesWithout(inlines, isGone, column))
    // A paragraph or heading with nothing left in it is removed.
    const isText = own.type === 'paragraph' || own.type === 'heading'
    return own !== copy && isText && isBlank(own.inlines) ? [] : [own]
  })
  return left.length === blocks.length && left.every((block, at) => block === blocks[at]) ? blocks : left
}

type Link = Extract<Inline, { type: 'link' | 'mention' }>

/** Whether to remove a link. `column` is the table column that it is in, if any. */
type IsGone = (link: Link, column?: TableColumn) => boolean

/** Removes links from inlines, at any depth. */
export function inlinesWithout(inlines: readonly Inline[], isGone: IsGone, column?: TableColumn): readonly Inline[] {
  const left = inlines.flatMap((inline): readonly Inline[] => {
    if ((inline.type === 'link' || inline.type === 'mention') && isGone(inline, column)) return []
    if (!('inlines' in inline) || !inline.inlines) return [inline]
    const inside = inlinesWithout(inline.inlines, isGone, column)
    return [inside === inline.inlines ? inline : { ...inline, inlines: inside }]
  })
  return left.length === inlines.length && left.every((inline, at) => inline === inlines[at]) ? inlines : left
}

/**
 * Whether a link stands for a page and has no words of its own. Readers see the title of that page; the words written
 * there are for people who read the Markdown.
 */
export const isStandIn = (link: Link, column?: TableColumn): boolean =>
  (link.type === 'mention' || isTarget(column)) && saysAddress(link)

const isTarget = (column: TableColumn | undefined): boolean =>
  column?.attributes?.['data-card-target'] !== undefined || column?.attributes?.['data-type'] === 'content-ref'
