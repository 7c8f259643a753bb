import { invalid } from '../http/errors.ts'

/** One thing that has to be so. Names of attributes are in small letters: the standard makes no difference. */
export interface Term {
  attribute: string
  value: string
  /** Where in the request it was said. */
  field: string
}

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`
const bracket = String.raw`\[((?:[^\]"]|"(?:[^"\\]|\\.)*")*)\](?:\.(\w+))?`
const form = String.raw`\s*((?:urn:[\w:.-]+:)?[a-z][\w.]*)(?:${bracket})?(?:\s+eq\s+(?:${quoted}|(true|false)))?\s*(and\s|$)`
const mostTerms = 10

/**
 * `userName eq "jo@example.com" and active eq true`: how identity providers find again what they know; and
 * `emails[type eq "work"].value eq "jo@example.com"`, which says one thing more. The standard has more (RFC 7644, 3.4.2.2),
 * for which none of them asks.
 */
export function readFilter(text: string | undefined, field = 'query.filter'): Term[] {
  if (text === undefined) return []
  const terms: Term[] = []
  const term = new RegExp(form, 'iy')
  for (let isLast = false; !isLast;) {
    const found = terms.length < mostTerms ? term.exec(text) : null
    if (!found) throw wrongFilter('give comparisons with eq, joined by and', field)
    terms.push(...termsIn(found, field))
    isLast = found.at(-1) === ''
  }
  return terms
}

/** A name without the schema that it is of, where that is the standard's own for people and groups. */
export const withoutSchema = (name: string) =>
  name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i, '')

function termsIn([, name, within, part, text, word]: RegExpExecArray, field: string): Term[] {
  const attribute = withoutSchema(name!).toLowerCase()
  const value = word?.toLowerCase() ?? (text === undefined ? undefined : unescaped(text, field))
  if (within === undefined) return [{ attribute, value: given(value, field), field }]
  const chosen = readFilter(within, field).map((each) => ({ ...each, attribute: `${attribute}.${each.attribute}` }))
  if (part === undefined && value === undefined) return chosen
  return [
    ...chosen,
    { attribute: `${attribute}.${(part ?? 'value').toLowerCase()}`, value: given(value, field), field },
  ]
}

function given(value: string | undefined, field: string): string {
  if (value === undefined) throw wrongFilter('give comparisons with eq, joined by and', field)
  return value
}

export const wrongFilter = (message: string, field: string) => invalid(field, 'filter', message)

function unescaped(quoted: string, field: string): string {
  try {
    return String(JSON.parse(`"${quoted}"`))
  } catch {
    throw wrongFilter('a text between quotes is written as in JSON', field)
  }
}
