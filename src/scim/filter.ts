import { invalid } from '../http/errors.ts'

/** One thing that has to be so. Names of attributes are in small letters: the standard makes no difference. */
export interface Term {
  attribute: string
  value: string
}

const term = /\s*(?:urn:[\w:.-]+:)?([a-z][\w.]*)\s+eq\s+(?:"((?:[^"\\]|\\.)*)"|(true|false))\s*(and\s|$)/iy
const mostTerms = 10

/**
 * `userName eq "jo@example.com" and active eq true`: how identity providers find again what they know. The standard has
 * more (RFC 7644, 3.4.2.2), for which none of them asks.
 */
export function readFilter(text: string | undefined): Term[] {
  if (text === undefined) return []
  const terms: Term[] = []
  term.lastIndex = 0
  for (let isLast = false; !isLast;) {
    const found = terms.length < mostTerms ? term.exec(text) : null
    if (!found) throw wrongFilter('give comparisons with eq, joined by and')
    const [, attribute, quoted, word, joint] = found
    terms.push({ attribute: attribute!.toLowerCase(), value: word?.toLowerCase() ?? unescaped(quoted!) })
    isLast = joint === ''
  }
  return terms
}

export const wrongFilter = (message: string) => invalid('query.filter', 'filter', message)

function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(`"${quoted}"`))
  } catch {
    throw wrongFilter('a text between quotes is written as in JSON')
  }
}
