import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { BlockFromDocument } from './reading.ts'

export interface Divider extends BlockBase {
  readonly type: 'divider'
}

export const divider: BlockKind<Divider> = {
  // Not `---`, which turns a paragraph above it into a heading and, at the top of a page, opens front matter.
  toMarkdown: () => '***',
  toHtml: () => html`<hr />`,
  toDocument: () => node('divider'),
}

export const dividerFromDocument: BlockFromDocument = () => ({ type: 'divider' })
