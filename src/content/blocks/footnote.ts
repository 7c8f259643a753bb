import type * as mdast from 'mdast'
import type { Block } from '../blocks.ts'
import { html } from '../html/template.ts'
import { prefixLines, withoutBlanksAtEnd } from '../markdown/lines.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { MarkdownReader } from './reading.ts'

/** `[^label]: …`, the text of a footnote or an annotation. */
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

/** Labels are case-insensitive. */
export const footnoteKey = (label: string): string => label.toLowerCase()

/**
 * Returns the footnotes among all blocks of a page, by the key of their label. If two have the same label, the first
 * counts.
 */
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
    // A `{% tag %}` is only recognized at the start of a line.
    const marker = content.startsWith('{%') ? `[^${block.label}]:\n    ` : `[^${block.label}]: `
    return withoutBlanksAtEnd(prefixLines(content, marker, '    '))
  },
  toHtml: (block, draw) =>
    html`<aside class="footnote" id="footnote-${footnoteKey(block.label)}" role="doc-footnote">
      ${draw.blocks(block.blocks)}
    </aside>`,
  // Written where it is referred to.
  toDocument: () => [],
}
