import type { Html } from '../html/template.ts'
import { parse, type Document } from '../parse.ts'
import { toPlainText } from '../text.ts'
import { drawVisual, type VisualOptions } from './draw.ts'
import { says } from './write.ts'

/** The signs at the start and end of the selection. No text contains them: they are noncharacters of Unicode. */
const signs = { from: '\uFDD0', to: '\uFDD1' }

/**
 * Draws a page to be edited, with signs at the start and end of what the user has selected in its source. The signs are
 * left out if they would change the page or would not be visible: within an address, or in front of a heading.
 */
export function drawWithCursor(
  document: Document,
  [from, to]: readonly [number, number],
  options: VisualOptions,
): Html {
  const { source } = document
  const marked = parse(source.slice(0, from) + signs.from + source.slice(from, to) + signs.to + source.slice(to))
  const isSame = wordsIn(says(marked.blocks).replace(/[\uFDD0\uFDD1]/g, '')) === wordsIn(says(document.blocks))
  const shown = isSame ? toPlainText(marked.blocks) : ''
  const isSeen = Object.values(signs).every((sign) => shown.includes(sign))
  return drawVisual(isSeen ? marked : document, isSeen ? { ...options, without: document } : options).markup
}

/**
 * Behind a picture, a link or marked words, the signs are a text of their own. Without the signs it is empty, and is
 * left out.
 */
const wordsIn = (said: string): string =>
  JSON.stringify(JSON.parse(said, (_, value) => (Array.isArray(value) ? value.filter(saysSomething) : value)))

const saysSomething = (node: { object?: string; text?: string; leaves?: unknown[] } | string | null): boolean =>
  typeof node !== 'object' || node === null || (node.object === 'leaf' ? node.text !== '' : node.leaves?.length !== 0)
