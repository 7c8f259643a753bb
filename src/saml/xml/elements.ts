/** An element of plain XML. */
export interface Element {
  /** All of it, with its tags. */
  whole: string
  inside: string
  start: number
  end: number
  attribute: (name: string) => string | undefined
}

/**
 * Every element that is called so, whatever its namespace is called; undefined where one stands inside another. Only of what
 * `isPlainXml` has looked at: it has no `<` but where a tag begins, and each tag that is opened is closed.
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

/** What the text of an element or an attribute says: in plain XML, signs have one of five names, or a number. */
export const spelledOut = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-fA-F]+)|#(\d+)|(\w+));/g, (_all, hex?: string, decimal?: string, name?: string) =>
    name === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : signs[name]!,
  )

/** One after the other: what looks like an attribute may stand in the value of another. */
const attributesOf = (text: string) => (name: string) => {
  for (const [, called, double, single] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (called === name) return double ?? single
  }
  return undefined
}
