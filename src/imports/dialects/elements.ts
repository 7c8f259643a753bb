import { type Lines, dedent, fenceAfter } from './lines.ts'

export interface FoundElement {
  attributes: Record<string, string | undefined>
  /** The values in braces in its opening tag. */
  given: readonly Given[]
  body: string[]
  until: number
  /** The text after the element, on its last line. */
  rest?: string
}

/**
 * Reads the element that begins at this line. Its tags may be anywhere on their lines. Returns undefined if it is not
 * closed.
 */
export function readElement({ all, budget }: Lines, at: number): FoundElement | undefined {
  const opening = readOpening(all, at, budget)
  if (!opening) return undefined
  const { name, attributes, given, line, column } = opening
  if (opening.isEmpty) return { attributes, given, body: [], until: line + 1, ...restOf(all[line]!.slice(column)) }
  const tag = new RegExp(`<(/?)${name.replaceAll('.', '\\.')}\\b(?!\\.)[^<>]*?(/?)>`, 'g')
  let depth = 0
  let fence = ''
  for (let row = line; row < all.length && budget.left > 0; row++) {
    budget.left -= 1
    const text = row === line ? all[row]!.slice(column) : all[row]!
    const before = fence
    fence = row === line ? '' : fenceAfter(text, fence)
    if (before !== '' || fence !== '') continue
    for (const { 0: whole, 1: slash, 2: isEmpty, index } of text.matchAll(tag)) {
      if (isEmpty) continue
      if (!slash) depth += 1
      else if (depth-- === 0) {
        const first = all[line]!.slice(column)
        const body = row === line ? [first.slice(0, index)] : [first, ...all.slice(line + 1, row), text.slice(0, index)]
        const rest = restOf(text.slice(index + whole.length))
        return {
          attributes,
          given,
          body: dedent(body[0]!.trim() === '' ? body.slice(1) : body),
          until: row + 1,
          ...rest,
        }
      }
    }
  }
  return undefined
}

const restOf = (text: string) => (text.trim() === '' ? {} : { rest: text.trim() })

const mostLines = 30
/** Maximum number of lines of an opening tag that contains a list or a table for the component. */
const mostLinesGiven = 3000
const mostRead = 10_000

/** Reads an opening tag. The tag may span several lines, and values in braces may span many. */
function readOpening(all: readonly string[], at: number, budget: Lines['budget']) {
  const [, name] = /^\s*<([A-Z][\w.]{0,99})(?![\w.])/.exec(all[at]!) ?? []
  if (name === undefined) return undefined
  let quote = ''
  let braces = 0
  let text = ''
  let from = 0
  let outside = 0
  const within: [from: number, to: number][] = []
  for (let line = at; line < Math.min(all.length, at + mostLinesGiven) && outside < mostLines; line++) {
    if (line > at && --budget.left < 0) return undefined
    const row = all[line]!
    for (let column = line === at ? row.indexOf(name) + name.length : 0; column < row.length; column++) {
      const sign = row[column]!
      if (quote !== '') {
        if (sign === '\\' && braces > 0) text += row[column++]!
        else if (sign === quote) quote = ''
      } else if (/["'`]/.test(sign)) quote = sign
      else if (sign === '{' && braces++ === 0) from = text.length + 1
      else if (sign === '}' && --braces === 0) within.push([from, text.length])
      else if (sign === '>' && braces === 0) {
        const isEmpty = text.trimEnd().endsWith('/')
        return {
          name,
          attributes: text.length > mostRead ? {} : readAttributes(text),
          given: within.map((place) => givenAt(text, place)),
          isEmpty,
          line,
          column: column + 1,
        }
      }
      text += row[column] ?? ''
    }
    text += '\n'
    if (braces === 0) outside += 1
  }
  return undefined
}

interface Given {
  name: string | undefined
  code: string
}

/**
 * Called after the whole tag has been read: looking back from each brace while reading would copy everything before it.
 */
const givenAt = (text: string, [from, to]: readonly [number, number]): Given => ({
  name: /([\w-]+)=\{$/.exec(text.slice(Math.max(0, from - 60), from))?.[1],
  code: text.slice(from, to),
})

function readAttributes(text: string): Record<string, string | undefined> {
  // Never matches from within a name: a long name without a value would be scanned again from each of its letters.
  const pattern = /(?<![\w-])([A-Za-z][\w-]*)=(?:"([^"]*)"|'([^']*)'|\{((?:[^{}]|\{[^{}]*\})*)\})/g
  const valued = Array.from(text.matchAll(pattern), ([, name = '', double, single, braces]) => {
    const value = double ?? single ?? braces?.replace(/^\s*(["'`])(.*)\1\s*$/s, '$2').trim()
    return [name, value] as const
  })
  const alone = Array.from(text.replace(pattern, '').matchAll(/[A-Za-z][\w-]*/g), ([name]) => [name, 'true'] as const)
  return Object.fromEntries([...alone, ...valued])
}
