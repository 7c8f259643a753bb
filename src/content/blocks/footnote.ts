import type * as mdast from 'mdast'
import type { Block } from '../blocks.ts'
import { html } from '../html/template.ts'
import { prefixLines, withoutBlanksAtEnd } from '../markdown/lines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { MarkdownReader } from './reading.ts'

/** `[^label]: …`, what a footnote or an annotation says. */
export interface Footnote extends BlockBase {
  readonly type: 'footnote'
  readonly label: string
  readonly blocks: readonly Block[]
}

export function readFootnote(node: mdast.FootnoteDefinition, read: MarkdownReader): Footnote {
  return {
    type: 'footnote',
    label: read.words(node, node.label ?? node.identifier),
    blocks: read.blocks(node.children),
  }
}

/** Labels are the same in capitals. */
export const footnoteKey = (label: string): string => label.toLowerCase()

/** The footnotes among all blocks of a page, by what their labels come to. Of two with one label the first counts. */
export function footnotesAmong(blocks: Iterable<Block>): Map<string, Footnote> {
  const footnotes = new Map<string, Footnote>()
  for (const block of blocks) {
    if (block.type === 'footnote' && !footnotes.has(footnoteKey(block.label)))
      footnotes.set(footnoteKey(block.label), block)
  }
  return footnotes
}

export const footnote: BlockKind<Footnote> = {
  toMarkdown(block, write) {
    const content = write.blocks(block.blocks)
    // A `{% tag %}` is only one at the start of a line.
    const marker = content.startsWith('{%') ? `[^${block.label}]:\n    ` : `[^${block.label}]: `
    return withoutBlanksAtEnd(prefixLines(content, marker, '    '))
  },
  toHtml: (block, draw) =>
    html`<aside class="footnote" id="footnote-${footnoteKey(block.label)}" role="doc-footnote">
      ${draw.blocks(block.blocks)}
    </aside>`,
  // Told where it is referred to.
  toDocument: () => [],
}
