import type { Html } from '../html/template.ts'
import { parse, type Document } from '../parse.ts'
import { toPlainText } from '../text.ts'
import { drawVisual, type VisualOptions } from './draw.ts'
import { says } from './write.ts'

/** Where what is chosen begins and ends. No text has them: they are no characters. */
const signs = { from: '\uFDD0', to: '\uFDD1' }

/**
 * A page to be edited, with signs in it for what somebody has chosen in its source. They are left out where they would
 * make something else of the page, or nobody would see them: within an address, or in front of a heading.
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

/** Behind a picture, a link or marked words, signs are a text of their own, of which nothing is left without them. */
const wordsIn = (said: string): string =>
  JSON.stringify(JSON.parse(said, (_, value) => (Array.isArray(value) ? value.filter(saysSomething) : value)))

const saysSomething = (node: { object?: string; text?: string; leaves?: unknown[] } | string | null): boolean =>
  typeof node !== 'object' || node === null || (node.object === 'leaf' ? node.text !== '' : node.leaves?.length !== 0)
