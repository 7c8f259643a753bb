/** An element of plain XML. */
export interface Element {
  /** The whole element, with its tags. */
  whole: string
  inside: string
  start: number
  end: number
  attribute: (name: string) => string | undefined
}

/**
 * Returns all elements with this name, whatever their namespace prefix; undefined if one of them is inside another.
 * Only for XML that `isPlainXml` has checked: there, `<` occurs only where a tag begins, and each tag that is opened is
 * closed.
 */
export function elementsIn(xml: string, name: string): Element[] | undefined {
  const tag = new RegExp(`<(/?)(?:[^\\s<>/]*:)?${name}(?=[\\s/>])((?:[^<>"']|"[^"]*"|'[^']*')*?)(/?)>`, 'g')
  const found: Element[] = []
  let open: RegExpExecArray | undefined
  for (const each of xml.matchAll(tag)) {
    const isEnd = each[1] !== ''
    if (isEnd !== (open !== undefined)) return undefined
    if (!isEnd && each[3] === '') open = each
    else {
      const first = open ?? each
      const [start, end] = [first.index, each.index + each[0].length]
      const inside = open ? xml.slice(start + first[0].length, each.index) : ''
      found.push({ whole: xml.slice(start, end), inside, start, end, attribute: attributesOf(first[2]!) })
      open = undefined
    }
  }
  return found
}

const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Resolves the character references in the text of an element or an attribute. In plain XML, they have one of five
 * names, or a number.
 */
export const spelledOut = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));/g, (_all, hex?: string, decimal?: string, name?: string) =>
    name === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : signs[name]!,
  )

/** Reads one attribute after the other, because the value of one can contain what looks like another. */
const attributesOf = (text: string) => (name: string) => {
  for (const [, called, double, single] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (called === name) return double ?? single
  }
  return undefined
}
