import type { Block } from '../blocks.ts'
import { html } from '../html/template.ts'
import { writeTag } from '../markdown/tag.ts'
import type { BlockBase } from '../tree.ts'
import { shownOf } from './api-method.ts'
import type { BlockKind } from './kind.ts'
import type { TagContent } from './reading.ts'

/** A `{% tag %}` that the engine does not know. It is kept as it is, and its content is shown. */
export interface Unknown extends BlockBase {
  readonly type: 'unknown'
  readonly name: string
  /** Everything after the name, as written. */
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
    const open = openingTag(name, rest)
    if (!closed) return open
    const content = write.blocks(blocks)
    return `${open}\n${content}${content === '' ? '' : '\n'}{% end${name} %}`
  },
  toHtml: (block, draw) => html`${draw.blocks(shownOf(block))}`,
  // The format has no such block: the tags are written before and after the content.
  toDocument: ({ name, rest, closed, blocks }, to) => [
    to.source(openingTag(name, rest), ''),
    ...to.blocks(blocks),
    ...(closed ? [to.source(`{% end${name} %}`, '')] : []),
  ],
}

const openingTag = (name: string, rest: string): string => writeTag(rest === '' ? name : `${name} ${rest}`)
