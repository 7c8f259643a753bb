import type * as hast from 'hast'
import { limits } from '../limits.ts'
import type { Inline } from '../inlines.ts'
import { mergeTexts } from '../inlines/merge.ts'
import { inlineFromElement } from '../inlines/element.ts'
import { isList } from '../inlines/text.ts'
import { inlinesFromWords } from '../inlines/words.ts'
import { elementAttributes } from './attributes.ts'

/** Converts running text written as HTML: a table cell, a caption, a summary. */
export function htmlToInlines(nodes: readonly hast.Nodes[], within: Within = 'text', depth = 0): Inline[] {
  const inlines: Inline[] = []
  // One by one: as arguments of a single call, the inlines of a long text would overflow the stack.
  const add = (some: readonly Inline[]) => some.forEach((each) => inlines.push(each))
  for (const node of nodes) {
    if (node.type === 'text') add(readText(node.value, within))
    if (node.type !== 'element') continue
    const children = isList(node.tagName) ? node.children.filter(isShown) : node.children
    const inside = depth < limits.nesting ? htmlToInlines(children, withinOf(node.tagName, within), depth + 1) : []
    if (paragraphs.has(node.tagName)) {
      const last = inlines.at(-1)
      const isBehind = last !== undefined && !(last.type === 'element' && isList(last.name))
      if (isBehind && inside.length > 0) inlines.push({ type: 'break' })
      add(inside)
    } else {
      inlines.push(inlineFromElement(node.tagName, elementAttributes(node), inside))
    }
  }
  return mergeTexts(inlines)
}

type Within = 'text' | 'code' | 'pre'

const withinOf = (name: string, outer: Within): Within =>
  name === 'pre' || outer === 'pre' ? 'pre' : name === 'code' ? 'code' : outer

/** In code, everything is plain text; in preformatted text, blanks and line breaks are kept as well. */
function readText(value: string, within: Within): Inline[] {
  const text = within === 'pre' ? value : value.replace(/\s+/g, ' ')
  return within === 'text' ? inlinesFromWords(text) : [{ type: 'text', text }]
}

/** Elements that put their text on a separate line; in running text, only a line break can do that. */
const paragraphs = new Set(['p', 'div'])

/** Blanks between the items of a list are not text. */
const isShown = (node: hast.Nodes): boolean => node.type !== 'text' || node.value.trim() !== ''
