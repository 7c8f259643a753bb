import { type Block, everyBlock } from '../content/blocks.ts'
import type { Document } from '../content/parse.ts'
import { alignBlocks, joinParts, type Part } from '../content/parts.ts'

/**
 * Reverts some blocks of the current text to how they were. Keys may come from either text: a changed block has a
 * different key in each. The key of a block inside another one stands for the outermost block around it.
 */
export function revertBlocks(
  before: Document,
  current: Document,
  keys: ReadonlySet<string>,
): { body: string; unknown: string[] } {
  const isNamed = (block: Block | undefined) =>
    block !== undefined && [...everyBlock([block])].some((each) => keys.has(each.key ?? ''))
  const parts: Part[] = []
  let at = 0
  for (const { start, end, newStart, newEnd } of alignBlocks(keysOf(before), keysOf(current))) {
    for (; at < newStart; at++) parts.push({ document: current, index: at })
    // Within a region, the n-th block of one text corresponds to the n-th of the other. The remaining ones were added
    // or removed.
    for (let n = 0; n < Math.max(end - start, newEnd - newStart); n++) {
      const [old, now] = [start + n < end ? start + n : -1, newStart + n < newEnd ? newStart + n : -1]
      const back = isNamed(before.blocks[old]) || isNamed(current.blocks[now])
      if (back && old !== -1) parts.push({ document: before, index: old })
      if (!back && now !== -1) parts.push({ document: current, index: now })
    }
    at = newEnd
  }
  for (; at < current.blocks.length; at++) parts.push({ document: current, index: at })

  const known = new Set([...everyBlock(before.blocks), ...everyBlock(current.blocks)].map(({ key }) => key))
  return { body: joinParts(parts, current), unknown: [...keys].filter((key) => !known.has(key)) }
}

const keysOf = ({ blocks }: Document) => blocks.map(({ key }) => key ?? '')
