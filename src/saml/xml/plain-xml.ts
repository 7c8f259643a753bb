/**
 * Limits for the elements and attributes of a whole document. A person in hundreds of groups needs fewer. Parsing and
 * canonicalization take time by the square of it, about a tenth of a second at this size.
 */
export const mostElements = 600
const mostAttributes = 1_200
const deepest = 32

/** The declaration, which may occur once, before everything else. */
export const declaration = /^<\?xml [^<>]{1,200}\?>/

const text = /[^<&]*/y
const name = '[A-Za-z_][\\w.:-]*'
const value = `(?:"[^"<]*"|'[^'<]*')`
const tag = new RegExp(`<(/?)(${name})((?:\\s+${name}\\s*=\\s*${value})*)\\s*(/?)>`, 'y')
const reference = /&(?:amp|lt|gt|quot|apos|#(\d{1,7})|#x([\da-fA-F]{1,6}));/y
const references = new RegExp(reference.source, 'g')

/**
 * Whether this is plain XML: elements, attributes and text, properly nested and not too many. Parsers repair broken
 * XML, each in its own way, and write about it to the console. They also disagree on what follows `<!` and `<?`
 * (document types, entities, comments that split a name). An honest response contains none of it.
 */
export function isPlainXml(document: string, most = { elements: mostElements, attributes: mostAttributes }): boolean {
  const open: string[] = []
  let [at, elements, attributes] = [0, 0, 0]
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(document)
    if (found) at = pattern.lastIndex
    return found
  }

  for (;;) {
    const between = take(text)![0]
    if (open.length === 0 && between.trim() !== '') return false
    if (at === document.length) return open.length === 0 && elements > 0
    if (document[at] === '&') {
      if (open.length === 0 || !isCharacter(take(reference))) return false
      continue
    }
    const [, closing, called, inside = '', empty] = take(tag) ?? []
    if (called === undefined || hasStraySign(inside)) return false
    if (closing !== '') {
      if (inside !== '' || empty !== '' || open.pop() !== called) return false
      continue
    }
    // A second root.
    if (open.length === 0 && elements > 0) return false
    elements += 1
    attributes += inside.split('=').length - 1
    if (empty === '') open.push(called)
    if (elements > most.elements || attributes > most.attributes || open.length > deepest) return false
  }
}

const hasStraySign = (attributes: string): boolean =>
  attributes.split('&').length - 1 !== [...attributes.matchAll(references)].filter(isCharacter).length

/** Accepts a numeric reference only if XML allows the character. */
function isCharacter(found: RegExpExecArray | null): boolean {
  if (!found) return false
  const [, decimal, hex] = found
  if (decimal === undefined && hex === undefined) return true
  const point = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
  return (
    [9, 10, 13].includes(point) ||
    (point >= 0x20 && point <= 0xd7ff) ||
    (point >= 0xe000 && point <= 0xfffd) ||
    (point >= 0x10000 && point <= 0x10ffff)
  )
}
