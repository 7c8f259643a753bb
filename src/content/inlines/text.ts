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
    case 'element':
      return elementText(inline.name, plainText(inline.inlines))
    default:
      return plainText(inline.inlines)
  }
}

/** Whether a reader sees nothing of it: no words, no picture. */
export const isBlank = (inlines: readonly Inline[]): boolean =>
  inlines.every((inline) => {
    if (['icon', 'image', 'footnote-reference'].includes(inline.type)) return false
    return 'inlines' in inline && inline.inlines ? isBlank(inline.inlines) : plainText([inline]).trim() === ''
  })

/** Whether the words of a link are an address. */
export const isAddress = ([first, second]: readonly Inline[]): boolean =>
  first?.type === 'text' && second === undefined && /^(?:https?:\/\/|www\.)\S+$/i.test(first.text)

/** Lists in running text are elements of HTML: a cell of a table has no other way to hold one. */
export const isList = (name: string): boolean => name === 'ul' || name === 'ol'

/** The items of a list stand on lines of their own. */
function elementText(name: string, text: string): string {
  return name === 'li' ? `\n${text}` : isList(name) ? `${text}\n` : text
}

/** Whether a link has no words but its address, or the name of the file at the end of it. */
export function saysAddress({ href, inlines }: { href: string; inlines: readonly Inline[] }): boolean {
  const said = plainText(inlines).trim()
  const [path = ''] = href.split('#')
  return said === href || said === path || (said !== '' && said === path.split('/').at(-1))
}
