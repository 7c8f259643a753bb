import { html } from '../html/template.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'

/** Stands where evaluating a page failed: an include that is missing or includes itself. No source has it. */
export interface ErrorBlock extends BlockBase {
  readonly type: 'error'
  readonly message: string
}

export const error: BlockKind<ErrorBlock> = {
  toMarkdown: () => '',
  toHtml: (block) => html`<p class="error" role="alert">${block.message}</p>`,
  toDocument: (block, to) => ({
    object: 'block',
    type: 'error',
    data: { message: block.message },
    nodes: to.text(block.message),
  }),
}
