import { type Block, everyBlock } from '../content/blocks.ts'
import { changedRegions, numberLines } from '../content/merge/alignment.ts'
import type { Document } from '../content/parse.ts'

/**
 * The current text with some blocks put back to how they were. Keys come from either text: a block that was changed has
 * another key in each. A key of something inside a block stands for the outermost block around it.
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
  for (const { start, end, newStart, newEnd } of regionsOf(before.blocks, current.blocks)) {
    for (; at < newStart; at++) parts.push(partOf(current, at))
    // Within a region the n-th block of one text is the n-th of the other; what is left over was added or removed.
    for (let n = 0; n < Math.max(end - start, newEnd - newStart); n++) {
      const [old, now] = [start + n < end ? start + n : -1, newStart + n < newEnd ? newStart + n : -1]
      const back = isNamed(before.blocks[old]) || isNamed(current.blocks[now])
      if (back && old !== -1) parts.push(partOf(before, old))
      if (!back && now !== -1) parts.push(partOf(current, now))
    }
    at = newEnd
  }
  for (; at < current.blocks.length; at++) parts.push(partOf(current, at))

  const known = new Set([...everyBlock(before.blocks), ...everyBlock(current.blocks)].map(({ key }) => key))
  return { body: join(parts, current), unknown: [...keys].filter((key) => !known.has(key)) }
}

/** Blocks are aligned like lines: each key is one. */
function regionsOf(before: readonly Block[], current: readonly Block[]) {
  const asLines = (blocks: readonly Block[]) => blocks.map(({ key }) => `${key}\n`).join('')
  const [old, now] = numberLines(asLines(before), asLines(current))
  return changedRegions(old, now)
}

interface Part {
  document: Document
  index: number
  text: string
}

function partOf(document: Document, index: number): Part {
  const { start, end } = document.blocks[index]!.range!
  return { document, index, text: document.source.slice(start, end) }
}

/** What stood between two blocks stays between them; where others meet there is a blank line. */
function join(parts: readonly Part[], current: Document): string {
  const [first] = current.blocks
  const last = current.blocks.at(-1)
  let text = first?.range ? current.source.slice(0, first.range.start) : ''
  parts.forEach((part, at) => {
    const left = parts[at - 1]
    if (left) text += left.document === part.document && left.index + 1 === part.index ? gap(left, part) : '\n\n'
    text += part.text
  })
  const tail = last?.range ? current.source.slice(last.range.end) : ''
  return text + (tail || (parts.length > 0 ? '\n' : ''))
}

function gap({ document, index }: Part, next: Part): string {
  return document.source.slice(document.blocks[index]!.range!.end, document.blocks[next.index]!.range!.start)
}
