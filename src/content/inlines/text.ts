import type { Inline } from '../inlines.ts'

/** What a reader would read out: no marks, no addresses. Depth is bounded by the reader that made the inlines. */
export function plainText(inlines: readonly Inline[]): string {
  let text = ''
  for (const inline of inlines) text += inlineText(inline)
  return text
}

function inlineText(inline: Inline): string {
  switch (inline.type) {
    case 'text':
    case 'code':
    case 'math':
    case 'emoji':
      return inline.text
    case 'break':
      return '\n'
    case 'image':
      return inline.alt
    case 'footnote-reference':
      return plainText(inline.inlines ?? [])
    case 'expression':
    case 'icon':
    case 'anchor':
    case 'html':
      return ''
    default:
      return plainText(inline.inlines)
  }
}
