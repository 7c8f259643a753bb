import type { Block } from '../content/blocks.ts'
import { plainText } from '../content/inlines/text.ts'
import { shortened } from '../shortened.ts'

/**
 * About as many characters as other sites show, and how many of them may be given up so as not to cut a long last word.
 */
const longest = 160
const longestWord = 30

/**
 * Returns the beginning of a page's text in one line, for sites that show it elsewhere. Undefined if the page has no
 * paragraph.
 */
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
