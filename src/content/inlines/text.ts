import type { Inline } from '../inlines.ts'

/** Returns the text to read aloud, without marks and addresses. The code that read the inlines bounds their depth. */
export function plainText(inlines: readonly Inline[]): string {
  let text = ''
  // Reading the end of a text that is still being joined costs as much as the whole text.
  let last = ''
  inlines.forEach((inline, at) => {
    const own = inlineText(inline)
    const isBroken = at > 0 && (isApart(inline) || isApart(inlines[at - 1]!))
    text += isBroken && last !== '' && last !== '\n' && !own.startsWith('\n') ? `\n${own}` : own
    last = own.at(-1) ?? last
  })
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

const apart = new Set(
  `article aside blockquote caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section
   summary table tbody td tfoot th thead tr ul`.split(/\s+/),
)

/** Whether an element, which a table cell or HTML may contain, is on lines of its own. */
export const isApart = (inline: Inline): boolean => inline.type === 'element' && apart.has(inline.name)

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
