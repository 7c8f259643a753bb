import type * as mdast from 'mdast'
import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument, type MarkdownReader } from './reading.ts'

export interface MathBlock extends BlockBase {
  readonly type: 'math'
  readonly text: string
}

export function readMath(node: mdast.RootContentMap['math'], read: MarkdownReader): MathBlock {
  return { type: 'math', text: read.words(node, node.value) }
}

export const math: BlockKind<MathBlock> = {
  toMarkdown(block) {
    const runs = block.text.match(/\${2,}/g) ?? []
    const fence = '$'.repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 2))
    return `${fence}\n${block.text}${block.text === '' ? '' : '\n'}${fence}`
  },
  toHtml: (block, draw) => html`<div class="math">${draw.formula?.(block.text, true) ?? block.text}</div>`,
  toDocument: (block) => node('math', { data: { formula: block.text } }),
}

export const mathFromDocument: BlockFromDocument = (node) => ({ type: 'math', text: textField(node, 'formula') ?? '' })
