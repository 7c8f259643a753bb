import type { Inline } from '../inlines.ts'

/** Returns the text to read aloud, without marks and addresses. The code that read the inlines bounds their depth. */
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

/** Whether a reader sees nothing of these inlines: no words, no picture. */
export const isBlank = (inlines: readonly Inline[]): boolean =>
  inlines.every((inline) => {
    if (['icon', 'image', 'footnote-reference'].includes(inline.type)) return false
    return 'inlines' in inline && inline.inlines ? isBlank(inline.inlines) : plainText([inline]).trim() === ''
  })

/** Whether the text of a link is an address. */
export const isAddress = ([first, second]: readonly Inline[]): boolean =>
  first?.type === 'text' && second === undefined && /^(?:https?:\/\/|www\.)\S+$/i.test(first.text)

/** Whether an element is a list. Lists in running text are HTML elements: a table cell has no other way to hold one. */
export const isList = (name: string): boolean => name === 'ul' || name === 'ol'

/** Puts the items of a list on lines of their own. */
function elementText(name: string, text: string): string {
  return name === 'li' ? `\n${text}` : isList(name) ? `${text}\n` : text
}

/** Whether the only text of a link is its address, or the name of the file at the end of the address. */
export function saysAddress({ href, inlines }: { href: string; inlines: readonly Inline[] }): boolean {
  const said = plainText(inlines).trim()
  const [path = ''] = href.split('#')
  return said === href || said === path || (said !== '' && said === path.split('/').at(-1))
}
