import type * as hast from 'hast'
import { limits } from '../limits.ts'
import type { Inline } from '../inlines.ts'
import { mergeTexts } from '../inlines/merge.ts'
import { inlineFromElement } from '../inlines/element.ts'
import { inlinesFromWords } from '../inlines/words.ts'
import { elementAttributes } from './attributes.ts'

/** Running text written as HTML: a table cell, a caption, a summary. */
export function htmlToInlines(nodes: readonly hast.Nodes[], depth = 0): Inline[] {
  const inlines: Inline[] = []
  // One by one: as arguments of one call, those of a long text would be more than the stack takes.
  const add = (some: readonly Inline[]) => some.forEach((each) => inlines.push(each))
  for (const node of nodes) {
    if (node.type === 'text') add(inlinesFromWords(node.value.replace(/\s+/g, ' ')))
    if (node.type !== 'element') continue
    const inside = depth < limits.nesting ? htmlToInlines(node.children, depth + 1) : []
    if (paragraphs.has(node.tagName)) {
      if (inlines.length > 0 && inside.length > 0) inlines.push({ type: 'break' })
      add(inside)
    } else {
      inlines.push(inlineFromElement(node.tagName, elementAttributes(node), inside))
    }
  }
  return mergeTexts(inlines)
}

/** What puts its text on a line of its own; running text has only line breaks for that. */
const paragraphs = new Set(['p', 'div', 'li', 'ul', 'ol'])
