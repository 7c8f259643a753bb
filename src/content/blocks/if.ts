import type { Block } from '../blocks.ts'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { writeTag } from '../markdown/tag.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument, type TagContent } from './reading.ts'

export interface If extends BlockBase {
  readonly type: 'if'
  readonly expression: string
  readonly blocks: readonly Block[]
}

export const readIf = ({ rest, blocks }: TagContent): If => ({ type: 'if', expression: rest, blocks })

export const ifBlock: BlockKind<If> = {
  toMarkdown(block, write) {
    const content = write.blocks(block.blocks)
    const expression = block.expression.replace(/\s+/g, ' ').replaceAll('%}', '% }')
    return `${writeTag(`if ${expression}`)}\n${content}${content === '' ? '' : '\n'}{% endif %}`
  },
  // Conditional content stays hidden until `evaluate` has decided.
  toHtml: () => html``,
  toDocument: ({ expression, blocks }, to) => node('if', { data: { expression }, nodes: to.blocks(blocks) }),
}

export const ifFromDocument: BlockFromDocument = (node, read) => ({
  type: 'if',
  expression: textField(node, 'expression') ?? 'false',
  blocks: read.blocks(node.nodes),
})
