import type { DocumentBlock } from './shape.ts'

/**
 * The Markdown that a paragraph stands for, where the format has no block for it. Undefined where the paragraph is just
 * that, or where somebody has edited it: then it says what it says now. `shownBy` tells what Markdown shows.
 */
export function sourceOf(node: DocumentBlock, shownBy: (markdown: string) => string): string | undefined {
  const source = node.extra?.['source']
  if (source !== true && typeof source !== 'string') return undefined
  const [only, ...more] = node.nodes ?? []
  const [leaf, ...others] = only?.object === 'text' ? only.leaves : []
  const plain = leaf && more.length === 0 && others.length === 0 && (leaf.marks ?? []).length === 0 && !leaf.extra
  if (!plain) return undefined
  if (source === true) return leaf.text
  return leaf.text === (isTag(source) ? '' : shownBy(source)) ? source : undefined
}

/** A tag alone, opening or closing: it shows nothing, whatever it means without its partner. */
const isTag = (markdown: string): boolean => /^(?:\{%[^\r\n]*%\}|<\/?[a-zA-Z][^<>]*>)$/.test(markdown)
