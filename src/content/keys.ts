import { childBlocks, type Block } from './blocks.ts'
import { combine, hash, hashWord } from './hash.ts'
import { ownText } from './text.ts'

/**
 * Gives every block a key made from its type, its text and, among equal blocks, its place in the page. So a comment
 * finds its block again after other blocks were edited or moved, and loses it when the block itself changes.
 */
export function assignKeys(blocks: Block[]): Block[] {
  const occurrences = new Map<number, number>()
  for (const block of blocks) assignKey(block, occurrences)
  return blocks
}

/**
 * Writes the key into the block, which was just created and is not in use anywhere else. A copy would cost as much as
 * parsing it.
 */
function assignKey(block: Block & { key?: string }, occurrences: Map<number, number>): number {
  let content = hash(`${block.type}\0${ownText(block)}`)
  // Children are included by their own hash, so that the text of deep nesting is not read again at each level.
  for (const child of childBlocks(block)) content = combine(content, assignKey(child, occurrences))
  const occurrence = occurrences.get(content) ?? 0
  occurrences.set(content, occurrence + 1)
  block.key = hashWord(occurrence === 0 ? content : combine(content, occurrence))
  return content
}
