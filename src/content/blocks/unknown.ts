import type { Block } from '../blocks.ts'
import { html } from '../html/template.ts'
import { writeTag } from '../markdown/tag.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument, type TagContent } from './reading.ts'

/** A `{% tag %}` that the engine does not know. It survives as it is and shows what stands inside it. */
export interface Unknown extends BlockBase {
  readonly type: 'unknown'
  readonly name: string
  /** All after the name, as written. */
  readonly rest: string
  readonly closed: boolean
  readonly blocks: readonly Block[]
}

export const readUnknown = ({ name, rest, closed, blocks }: TagContent): Unknown => ({
  type: 'unknown',
  name,
  rest,
  closed,
  blocks,
})

export const unknown: BlockKind<Unknown> = {
  toMarkdown({ name, rest, closed, blocks }, write) {
    const open = writeTag(rest === '' ? name : `${name} ${rest}`)
    if (!closed) return open
    const content = write.blocks(blocks)
    return `${open}\n${content}${content === '' ? '' : '\n'}{% end${name} %}`
  },
  toHtml: (block, draw) => html`${draw.blocks(block.blocks)}`,
  toDocument: ({ name, rest, closed, blocks }, to) => ({
    object: 'block',
    type: 'unknown',
    data: { name, rest, closed },
    nodes: to.blocks(blocks),
  }),
}

export const unknownFromDocument: BlockFromDocument = (node, read) => {
  const name = /^[A-Za-z][\w-]*$/.exec(textField(node, 'name') ?? '')?.[0]
  const blocks = read.blocks(node.nodes)
  if (name === undefined) return blocks
  const rest = (textField(node, 'rest') ?? '').replace(/\s+/g, ' ').replaceAll('%}', '% }').trim()
  return { type: 'unknown', name, rest, closed: node.data?.['closed'] !== false || blocks.length > 0, blocks }
}
