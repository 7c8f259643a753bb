import { kindOf } from '../blocks/all.ts'
import type { MarkdownWriter } from '../blocks/kind.ts'
import type { Block } from '../blocks.ts'
import { writeInlines } from './write-inlines.ts'

/** Writes blocks in canonical Markdown, regardless of how they were written before. */
export function writeBlocks(blocks: readonly Block[], spacing: 'loose' | 'tight' = 'loose'): string {
  let text = ''
  let previous: Block | undefined
  let otherMarks = false
  for (const block of blocks) {
    const written = writeBlock(block)
    if (written === '') continue
    // Two adjacent lists would read as one, so the second uses other marks.
    otherMarks =
      !otherMarks && previous?.type === 'list' && block.type === 'list' && isNumbered(previous) === isNumbered(block)
    if (previous) text += spacing === 'tight' && isText(previous) && block.type === 'list' ? '\n' : '\n\n'
    text += otherMarks ? written.replace(/^(?:- ?|(\d+)\.)/gm, (_, number) => (number ? `${number})` : '+ ')) : written
    previous = block
  }
  return text
}

/** Whether a block is a paragraph of text. An aligned one is HTML, which only ends at a blank line. */
const isText = (block: Block): boolean => block.type === 'paragraph' && !block.align

const isNumbered = (block: Block): boolean => block.type === 'list' && block.kind === 'ordered'

export function writeBlock(block: Block): string {
  return kindOf(block).toMarkdown(block, writer)
}

const writer: MarkdownWriter = { blocks: writeBlocks, inlines: writeInlines }
