import { type Statement, join, sql } from '../db/sql.ts'
import { invalid } from '../http/errors.ts'

/** One comparison. Names of attributes are in lower case, since the standard ignores case. */
export interface Term {
  attribute: string
  operator: Operator
  /** Empty if the attribute only has to exist. */
  value: string
  /** Where in the request it was found. */
  field: string
}

export type Filter = Term | { all: Filter[] } | { any: Filter[] } | { not: Filter }

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'pr'] as const
type Operator = (typeof operators)[number]

const blank = /\s*/y
const path = /(?:urn:[\w:.-]+:)?[a-z][\w.]*/iy
const part = /\.(\w+)/y
const literal = /"((?:[^"\\]|\\.)*)"|(true|false)\b/iy
const word = (...words: readonly string[]) => new RegExp(`(${words.join('|')})\\b`, 'iy')
const [operator, and, or, not] = [word(...operators), word('and'), word('or'), word('not')]
const [opening, closing, bracket, endOfBracket] = [/\(/y, /\)/y, /\[/y, /\]/y]

const mostTerms = 30
const deepest = 10

const howItIs = 'give comparisons with eq, ne, co, sw, ew or pr, joined by and, or and not ( )'

/**
 * Parses a filter such as `userName eq "jo@example.com" and active eq true`, with which identity providers find what
 * they know, or `emails[type eq "work"].value eq "jo@example.com"`, which adds a condition. `not` binds closest, then
 * `and`. Of the standard (RFC 7644, 3.4.2.2), only comparisons by order are missing.
 */
export function readFilter(text: string | undefined, field = 'query.filter'): Filter {
  if (text === undefined) return { all: [] }
  const refused = () => wrongFilter(howItIs, field)
  let [at, terms] = [0, 0]

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  /** Takes the next word, after any blanks. */
  const next = (pattern: RegExp) => {
    take(blank)
    return take(pattern)
  }
  const need = (pattern: RegExp) => {
    const found = next(pattern)
    if (!found) throw refused()
    return found
  }

  const any = (depth: number): Filter => joined(or, () => all(depth), 'any')
  const all = (depth: number): Filter => joined(and, () => one(depth), 'all')
  const joined = (by: RegExp, read: () => Filter, how: 'all' | 'any'): Filter => {
    const parts = [read()]
    while (next(by)) parts.push(read())
    return parts.length === 1 ? parts[0]! : how === 'all' ? { all: parts } : { any: parts }
  }

  function one(depth: number): Filter {
    if (depth > deepest || ++terms > mostTerms) throw refused()
    const isDenied = next(not) !== null
    if (isDenied || next(opening)) {
      if (isDenied) need(opening)
      const inside = any(depth + 1)
      need(closing)
      return isDenied ? { not: inside } : inside
    }
    const attribute = withoutSchema(need(path)[0]).toLowerCase()
    return take(bracket) ? chosen(attribute, depth) : compared(attribute)
  }

  /** Reads a condition on one of several values, and perhaps on a part of it. */
  function chosen(attribute: string, depth: number): Filter {
    const among = inside(any(depth + 1), attribute)
    need(endOfBracket)
    const named = take(part)?.[1]
    const compares = next(operator)
    if (named === undefined && !compares) return among
    if (compares) at -= compares[0].length
    return { all: [among, compared(`${attribute}.${(named ?? 'value').toLowerCase()}`)] }
  }

  function compared(attribute: string): Term {
    const how = need(operator)[1]!.toLowerCase() as Operator
    if (how === 'pr') return { attribute, operator: how, value: '', field }
    const [, quoted, bare] = need(literal)
    return { attribute, operator: how, value: bare?.toLowerCase() ?? unescaped(quoted!, field), field }
  }

  const read = any(0)
  take(blank)
  if (at < text.length) throw refused()
  return read
}

/**
 * Parses the brackets in a path; `field` is where in the request it is. Only equality is accepted there, and all
 * providers write it like that.
 */
export function readChoice(text: string, field: string): Term[] {
  const read = readFilter(text, field)
  const terms = 'all' in read ? read.all : [read]
  return terms.map((each) => {
    if ('operator' in each && each.operator === 'eq') return each
    throw wrongFilter('give comparisons with eq, joined by and', field)
  })
}

/** Returns the condition for a whole filter, given the condition for each comparison. */
export function conditionOf(filter: Filter, holds: (term: Term) => Statement): Statement {
  const each = (parts: Filter[], separator: Statement) =>
    join(
      parts.map((one) => conditionOf(one, holds)),
      separator,
    )
  if ('all' in filter) return filter.all.length === 0 ? sql`true` : sql`(${each(filter.all, sql` and `)})`
  if ('any' in filter) return sql`(${each(filter.any, sql` or `)})`
  if ('not' in filter) return sql`not (${conditionOf(filter.not, holds)})`
  return filter.operator === 'ne' ? sql`not (${holds({ ...filter, operator: 'eq' })})` : holds(filter)
}

/** Returns the condition that a text meets the comparison. */
export function textHolds(text: Statement, { operator: how, value }: Term): Statement {
  return comparing(text, how, sql`${value}::text`)
}

/** The same, ignoring case. */
export function wordsHold(text: Statement, { operator: how, value }: Term): Statement {
  return comparing(sql`lower(${text})`, how, sql`lower(${value}::text)`)
}

function comparing(text: Statement, how: Operator, value: Statement): Statement {
  if (how === 'co') return sql`strpos(${text}, ${value}) > 0`
  if (how === 'sw') return sql`starts_with(${text}, ${value})`
  if (how === 'ew') return sql`right(${text}, length(${value})) = ${value}`
  return how === 'pr' ? sql`${text} <> ''` : sql`${text} = ${value}`
}

/** Removes the schema from a name, if it is the standard's own for users or groups. */
export const withoutSchema = (name: string) =>
  name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i, '')

function inside(filter: Filter, attribute: string): Filter {
  if ('all' in filter) return { all: filter.all.map((each) => inside(each, attribute)) }
  if ('any' in filter) return { any: filter.any.map((each) => inside(each, attribute)) }
  if ('not' in filter) return { not: inside(filter.not, attribute) }
  return { ...filter, attribute: `${attribute}.${filter.attribute}` }
}

export const wrongFilter = (message: string, field: string) => invalid(field, 'filter', message)

function unescaped(quoted: string, field: string): string {
  try {
    return String(JSON.parse(`"${quoted}"`))
  } catch {
    throw wrongFilter('a text between quotes is written as in JSON', field)
  }
}
