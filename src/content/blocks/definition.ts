import type * as mdast from 'mdast'
import { html } from '../html/template.ts'
import { writeDestination, writeTitle } from '../markdown/destination.ts'
import type { BlockBase } from '../tree.ts'
import { data } from '../document/shape.ts'
import type { BlockKind } from './kind.ts'
import { textField, type BlockFromDocument, type MarkdownReader } from './reading.ts'

/** `[label]: address "title"`, the address of links written as `[text][label]`. Shown nowhere. */
export interface Definition extends BlockBase {
  readonly type: 'definition'
  readonly label: string
  readonly href: string
  readonly title?: string
}

export function readDefinition(node: mdast.Definition, read: MarkdownReader): Definition {
  return {
    type: 'definition',
    label: read.words(node, node.label ?? node.identifier),
    href: read.words(node, node.url),
    ...(node.title ? { title: read.words(node, node.title) } : {}),
  }
}

export const definition: BlockKind<Definition> = {
  toMarkdown: (block) => `[${block.label}]: ${writeDestination(block.href) || '<>'}${writeTitle(block.title)}`,
  toHtml: () => html``,
  toDocument: (block) => ({
    object: 'block',
    type: 'definition',
    isVoid: true,
    data: data({ label: block.label, href: block.href, title: block.title }),
  }),
}

export const definitionFromDocument: BlockFromDocument = (node) => {
  const label = textField(node, 'label')
    ?.replace(/[[\]\\\r\n]+/g, ' ')
    .trim()
  const title = textField(node, 'title')
  if (!label) return []
  return { type: 'definition', label, href: textField(node, 'href') ?? '', ...(title === undefined ? {} : { title }) }
}
