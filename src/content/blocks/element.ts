import type { Block } from '../blocks.ts'
import { html } from '../html/template.ts'
import { writeOpenTag } from '../html/attributes.ts'
import { drawElement } from '../html/draw-element.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'

/** An HTML element around Markdown: `<div align="center">`, blank line, text, blank line, `</div>`. */
export interface Element extends BlockBase {
  readonly type: 'element'
  readonly name: string
  readonly attributes: Attributes
  readonly blocks: readonly Block[]
}

/** The elements that are supported around blocks; others stay separate pieces of HTML. */
export const elementNames: ReadonlySet<string> = new Set(['article', 'aside', 'center', 'div', 'p', 'section'])

export const element: BlockKind<Element> = {
  toMarkdown: (block, write) =>
    [writeOpenTag(block.name, block.attributes), write.blocks(block.blocks), `</${block.name}>`]
      .filter((part) => part !== '')
      .join('\n\n'),
  toHtml: (block, draw) => {
    // An HTML paragraph cannot contain the blocks that Markdown puts into it.
    const name = block.name === 'p' || block.name === 'center' ? 'div' : block.name
    const attributes = block.name === 'center' ? { align: 'center', ...block.attributes } : block.attributes
    return html`${drawElement(name, attributes, draw.blocks(block.blocks), draw)}`
  },
  // The format has no such block: the tags are written before and after the content.
  toDocument: (block, to) => [
    to.source(writeOpenTag(block.name, block.attributes), ''),
    ...to.blocks(block.blocks),
    to.source(`</${block.name}>`, ''),
  ],
}
