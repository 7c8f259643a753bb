import type * as mdast from 'mdast'
import { html } from '../html/template.ts'
import { writeDestination, writeTitle } from '../markdown/destination.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { MarkdownReader } from './reading.ts'

/** `[label]: address "title"`, the address of links written as `[text][label]`. Not shown anywhere. */
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
  toMarkdown: writeDefinition,
  toHtml: () => html``,
  toDocument: (block, to) => to.source(writeDefinition(block), ''),
}

function writeDefinition({ label, href, title }: Definition): string {
  return `[${label}]: ${writeDestination(href) || '<>'}${writeTitle(title)}`
}
