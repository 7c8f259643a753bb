import type * as mdast from 'mdast'
import { limits } from '../limits.ts'
import type { Range } from '../tree.ts'
import { type Source, tryRead } from './source.ts'

/**
 * Returns where a text has plain words: no code, no HTML, no part of a link written as such. A bare address in the text
 * counts as words. The ranges are in text order, and adjacent ones are merged.
 */
export function plainWords(text: string): Range[] {
  const source = tryRead(text, 0)
  if (!source) return []
  const found: { start: number; end: number }[] = []
  for (const range of wordsIn(source.root.children, source, 0)) {
    const last = found.at(-1)
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else found.push({ ...range })
  }
  return found
}

function* wordsIn(nodes: readonly mdast.Nodes[], source: Source, depth: number): Generator<Range> {
  for (const node of nodes) {
    const isLink = node.type === 'link' || node.type === 'linkReference'
    if (node.type === 'text' || (isLink && /^[^[<]/.test(source.text(node)))) yield source.range(node)
    else if (!isLink && 'children' in node && depth < limits.nesting * 2)
      yield* wordsIn(node.children, source, depth + 1)
  }
}
