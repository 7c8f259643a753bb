import { kindOf } from '../blocks/all.ts'
import type { MarkdownWriter } from '../blocks/kind.ts'
import type { Block } from '../blocks.ts'
import { writeInlines } from './write-inlines.ts'

/** Blocks in canonical Markdown, whatever they looked like before. */
export function writeBlocks(blocks: readonly Block[], spacing: 'loose' | 'tight' = 'loose'): string {
  let text = ''
  let previous: Block | undefined
  let otherMarks = false
  for (const block of blocks) {
    const written = writeBlock(block)
    if (written === '') continue
    // Two lists below each other would read as one: the second takes other marks.
    otherMarks =
      !otherMarks && previous?.type === 'list' && block.type === 'list' && isNumbered(previous) === isNumbered(block)
    if (previous) text += spacing === 'tight' && isText(previous) && block.type === 'list' ? '\n' : '\n\n'
    text += otherMarks ? written.replace(/^(?:- ?|(\d+)\.)/gm, (_, number) => (number ? `${number})` : '+ ')) : written
    previous = block
  }
  return text
}

/** One that is aligned is HTML, which ends at a blank line only. */
const isText = (block: Block): boolean => block.type === 'paragraph' && !block.align

const isNumbered = (block: Block): boolean => block.type === 'list' && block.kind === 'ordered'

export function writeBlock(block: Block): string {
  return kindOf(block).toMarkdown(block, writer)
}

const writer: MarkdownWriter = { blocks: writeBlocks, inlines: writeInlines }
