import type { Block } from './blocks.ts'
import { lineBreakOf } from './markdown/lines.ts'
import { type Document, parse } from './parse.ts'
import { alignBlocks, joinParts, type Part } from './parts.ts'
import { toDocument, type DocumentOptions } from './to-document.ts'

/**
 * Returns the Markdown of a document that a client read, edited and sent back. Blocks that say the same as before keep
 * their exact bytes: if untouched blocks were written anew, they would conflict with the edits of others in a merge.
 */
export function keepSource(before: Document, made: string, options: DocumentOptions): string {
  const now = parse(made.replaceAll('\n', lineBreakOf(before.source)))
  const saidBy = (blocks: readonly Block[]) => JSON.stringify(toDocument(blocks, { ...options, nameless: true }))
  const each = ({ blocks }: Document) => blocks.map((block) => saidBy([block]))
  const regions = alignBlocks(each(before), each(now))
  if (regions.length === 0) return before.source
  const said = saidBy(now.blocks)
  // A page that is written anew has its footnotes at the end. That alone is not a change.
  if (before.blocks.some(({ type }) => type === 'footnote') && saidBy(before.blocks) === said) return before.source

  const parts: Part[] = []
  let at = 0
  const keep = (end: number) => {
    for (; at < end; at++) parts.push({ document: before, index: at })
  }
  for (const { start, end, newStart, newEnd } of regions) {
    keep(start)
    for (let index = newStart; index < newEnd; index++) parts.push({ document: now, index })
    at = end
  }
  keep(before.blocks.length)

  const text = joinParts(parts, before)
  // Blocks may depend on others: a link on the definition of its address, a list on the one before it.
  return saidBy(parse(text).blocks) === said ? text : made
}
