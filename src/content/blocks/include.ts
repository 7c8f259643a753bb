import { block as node } from '../document/shape.ts'
import { html } from '../html/template.ts'
import { writeTag } from '../markdown/tag.ts'
import type { BlockBase } from '../tree.ts'
import type { BlockKind } from './kind.ts'
import type { BlockFromDocument, TagContent } from './reading.ts'

/** Reusable content: `{% include "../.gitbook/includes/note.md" %}`, or by its id. */
export interface Include extends BlockBase {
  readonly type: 'include'
  readonly ref: string
}

export function readInclude({ rest, attributes, blocks }: TagContent): Include | undefined {
  const quoted = /^(["'])(.*)\1$/.exec(rest)?.[2]
  const named = [attributes['src'], attributes['ref'], attributes['id']].find((value) => typeof value === 'string')
  const ref = quoted ?? (typeof named === 'string' ? named : /^[^\s"'=]+$/.exec(rest)?.[0])
  return ref === undefined || blocks.length > 0 ? undefined : { type: 'include', ref }
}

export const include: BlockKind<Include> = {
  toMarkdown: (block) => writeTag(`include "${block.ref.replace(/["\r\n]|%\}/g, '')}"`),
  // Shows only what `evaluate` replaces it by.
  toHtml: () => html``,
  // Refers by id if that is known; otherwise as written, also if a page is included.
  toDocument({ ref: written }, to) {
    const ref = to.ref(written)
    const named = ref.kind === 'reusable-content' ? ref : { kind: 'reusable-content', reusableContent: written }
    return node('reusable-content', { data: { ref: named } })
  },
}

export const includeFromDocument: BlockFromDocument = (node, read) => ({
  type: 'include',
  ref: read.href(node.data?.['ref']),
})
