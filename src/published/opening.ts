import type { Block } from '../content/blocks.ts'
import { plainText } from '../content/inlines/text.ts'
import { shortened } from '../shortened.ts'

/** About what others show of it, and how much of that a long last word may cost. */
const longest = 160
const longestWord = 30

/** How the text of a page begins, in one line, for those who show it elsewhere. Undefined: it has no sentence. */
export function openingOf(blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    const text = block.type === 'paragraph' ? plainText(block.inlines).replace(/\s+/g, ' ').trim() : ''
    if (text !== '') return text.length <= longest ? text : `${wholeWords(text)}…`
  }
  return undefined
}

function wholeWords(text: string): string {
  const end = text.lastIndexOf(' ', longest)
  return end < longest - longestWord ? shortened(text, longest) : text.slice(0, end)
}
