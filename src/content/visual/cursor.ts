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
  const isSame = says(marked.blocks).replace(/[\uFDD0\uFDD1]/g, '') === says(document.blocks)
  const shown = isSame ? toPlainText(marked.blocks) : ''
  const isSeen = Object.values(signs).every((sign) => shown.includes(sign))
  return drawVisual(isSeen ? marked : document, isSeen ? { ...options, without: document } : options).markup
}
