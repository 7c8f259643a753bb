import type { DocumentBlock } from './shape.ts'

/**
 * Returns the Markdown that a paragraph represents because the format has no block for it. Undefined if it is an
 * ordinary paragraph, or if it was edited: then its current text counts. `shows` returns whether this is the text that
 * Markdown shows.
 */
export function sourceOf(node: DocumentBlock, shows: (markdown: string, text: string) => boolean): string | undefined {
  const source = node.extra?.['source']
  if (source !== true && typeof source !== 'string') return undefined
  const [only, ...more] = node.nodes ?? []
  const [leaf, ...others] = only?.object === 'text' ? only.leaves : []
  const plain = leaf && more.length === 0 && others.length === 0 && (leaf.marks ?? []).length === 0 && !leaf.extra
  if (!plain) return undefined
  if (source === true) return leaf.text
  const isSame = isTag(source) ? leaf.text === '' : shows(source, leaf.text)
  return isSame ? source : undefined
}

/** Whether it is a single opening or closing tag: without its partner, it shows nothing. */
const isTag = (markdown: string): boolean => /^(?:\{%[^\r\n]*%\}|<\/?[a-zA-Z][^<>]*>)$/.test(markdown)
