import type { Block } from '../blocks.ts'
import { block as node, fragment } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { writeTag, writeTagBlock } from '../markdown/tag.ts'
import type { Attributes, BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument, type TagContent } from './reading.ts'

/** `{% @name/block url="…" %}`: a block that an external integration draws. */
export interface Integration extends BlockBase {
  readonly type: 'integration'
  readonly name: string
  readonly block: string
  readonly props: Attributes
  readonly blocks: readonly Block[]
}

const tagName = /^@([A-Za-z][\w-]*)\/([A-Za-z][\w-]*)$/

export function readIntegration({ name, rest, attributes, blocks }: TagContent): Integration | undefined {
  const [, integration, block] = tagName.exec(name) ?? []
  if (integration === undefined || block === undefined) return undefined
  return { type: 'integration', name: integration, block, props: diagramIn(rest) ?? attributes, blocks }
}

/** GitBook does not escape the quotes in a diagram: it ends at the last quote, or before the width. */
function diagramIn(rest: string): Attributes | undefined {
  const start = 'content="'
  const end = /"(?:\s+fullWidth="(\w{0,9})")?$/.exec(rest)
  if (!rest.startsWith(start) || !rest.includes('\n') || rest.includes('\\') || !end) return undefined
  const content = rest.slice(start.length, Math.max(start.length, end.index))
  return end[1] === undefined ? { content } : { content, fullWidth: end[1] }
}

/** What to show of a block whose integration is not available here: its content, its diagram, or its source address. */
export function shownOf({ name, props, blocks }: Integration): readonly Block[] {
  const { content, url } = props
  if (blocks.length > 0) return blocks
  if (name === 'mermaid' && typeof content === 'string') return [{ type: 'code', language: 'mermaid', text: content }]
  return typeof url === 'string' ? [{ type: 'embed', url, blocks: [] }] : []
}

export const integration: BlockKind<Integration> = {
  toMarkdown({ name, block, props, blocks }, write) {
    const tag = `@${name}/${block}`
    return blocks.length === 0 ? writeTag(tag, { ...props }) : writeTagBlock(tag, { ...props }, write.blocks(blocks))
  },
  toHtml: (block, draw) => html`${draw.blocks(shownOf(block))}`,
  toDocument: ({ name, block, props, blocks }, to) =>
    node('integration', {
      data: { integration: name, block, props, url: typeof props['url'] === 'string' ? props['url'] : undefined },
      ...(blocks.length > 0 ? { fragments: [fragment('fallback', to.blocks(blocks))] } : {}),
    }),
}

export const integrationFromDocument: BlockFromDocument = (node, read) => {
  const [name, block] = [textField(node, 'integration') ?? '', textField(node, 'block') ?? '']
  const blocks = read.blocks(read.fragment(node, 'fallback')?.nodes)
  if (!tagName.test(`@${name}/${block}`)) return blocks
  const url = textField(node, 'url')
  const props = { ...(url === undefined ? {} : { url }), ...propsFrom(node.data?.['props']) }
  return { type: 'integration', name, block, props, blocks }
}

/** Attributes are texts: other values are written as JSON. */
function propsFrom(value: unknown): Attributes {
  if (typeof value !== 'object' || value === null) return {}
  const usable = Object.entries(value).filter(([name]) => /^[A-Za-z_][\w:.-]{0,99}$/.test(name))
  return Object.fromEntries(
    usable.map(([name, prop]) => [
      name,
      prop === true || typeof prop === 'string' ? prop : (JSON.stringify(prop) ?? ''),
    ]),
  )
}
