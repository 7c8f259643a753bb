import type { Block } from './blocks.ts'
import { lineBreakOf } from './markdown/lines.ts'
import { type Document, parse } from './parse.ts'
import { alignBlocks, joinParts, type Part } from './parts.ts'
import { toDocument, type DocumentOptions } from './to-document.ts'

/**
 * Markdown made from a document that somebody read, edited and sent back, with the very bytes of all blocks that say the
 * same as before. Written anew, blocks that nobody touched would meet the edits of others in a merge.
 */
export function keepSource(before: Document, made: string, options: DocumentOptions): string {
  const now = parse(made.replaceAll('\n', lineBreakOf(before.source)))
  const saidBy = (blocks: readonly Block[]) => JSON.stringify(toDocument(blocks, options), withoutNames)
  if (saidBy(before.blocks) === saidBy(now.blocks)) return before.source

  const each = ({ blocks }: Document) => blocks.map((block) => saidBy([block]))
  const parts: Part[] = []
  let at = 0
  const keep = (end: number) => {
    for (; at < end; at++) parts.push({ document: before, index: at })
  }
  for (const { start, end, newStart, newEnd } of alignBlocks(each(before), each(now))) {
    keep(start)
    for (let index = newStart; index < newEnd; index++) parts.push({ document: now, index })
    at = end
  }
  keep(before.blocks.length)

  const text = joinParts(parts, before)
  // Blocks may lean on others: a link on the definition of its address, a list on the one before it.
  return saidBy(parse(text).blocks) === saidBy(now.blocks) ? text : made
}

/** Keys and anchors of blocks depend on what else stands in the page. */
function withoutNames(this: { object?: unknown }, name: string, value: unknown): unknown {
  return this.object === 'block' && (name === 'key' || name === 'meta') ? undefined : value
}
