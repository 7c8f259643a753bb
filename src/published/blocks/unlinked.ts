import type { Inline } from '../../content/inlines.ts'

/** Prepares text for the inside of a link, where another link would not be valid: only its words stay. */
export function unlinked(inlines: readonly Inline[]): Inline[] {
  return inlines.flatMap((inline): Inline[] => {
    switch (inline.type) {
      case 'link':
      case 'mention':
      case 'button':
        return unlinked(inline.inlines)
      case 'footnote-reference':
        return unlinked(inline.inlines ?? [])
      case 'anchor':
        return []
      case 'element':
        return inline.name === 'a' || inline.name === 'button'
          ? unlinked(inline.inlines)
          : [{ ...inline, inlines: unlinked(inline.inlines) }]
      default:
        return ['inlines' in inline ? { ...inline, inlines: unlinked(inline.inlines) } : inline]
    }
  })
}
