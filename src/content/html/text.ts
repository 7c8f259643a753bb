import { readFragment } from './fragment.ts'
import { withoutStripped } from './stripped.ts'

/** Returns the text of a piece of HTML as readers see it: without tags, styles and scripts, and with entities decoded. */
export function textOfHtml(html: string): string {
  const text = withoutStripped(html).replace(/<!--[^]*?(?:-->|$)|<[^<>]*>/g, ' ')
  return decodeText(text).replace(/\s+/g, ' ').trim()
}

/** Decodes all entities of HTML in a text without tags. */
export function decodeText(text: string): string {
  if (!text.includes('&')) return text
  const { children } = readFragment(`<p>${text.replaceAll('<', '&lt;')}</p>`)
  const [paragraph] = children
  if (paragraph?.type !== 'element') return text
  return paragraph.children.map((child) => (child.type === 'text' ? child.value : '')).join('')
}
