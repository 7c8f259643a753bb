/**
 * The lines of a text, and a budget of lines that may still be examined: an end that does not exist must not be
 * searched for from every line.
 */
export interface Lines {
  readonly all: readonly string[]
  readonly budget: { left: number }
  readonly depth: number
  readonly isMdx: boolean
}

/**
 * The translation of what begins at a line: its new lines, without the indent of that line, and the index of the line
 * after it.
 */
export interface Translated {
  lines: string[]
  until: number
  /** The text after it, on its last line. */
  rest?: string
}

export type DialectReader = (
  lines: Lines,
  at: number,
  inner: (lines: readonly string[]) => string[],
) => Translated | undefined

const fenceBegins = /^\s*(>[>\s]*)?(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/s

/**
 * Returns the fence of the code block that is still open after a line, else an empty string. In lists and notes a fence
 * is indented further, and may follow a list marker. Code in a quote ends with the quote.
 */
export function fenceAfter(line: string, open: string): string {
  const isQuoted = open.startsWith('>')
  if (open === '' || (isQuoted && !/^\s*>/.test(line))) {
    const [, quote, marks = '', rest = ''] = fenceBegins.exec(line) ?? []
    return marks.startsWith('`') && rest.includes('`') ? '' : (quote === undefined ? '' : '>') + marks
  }
  const plain = isQuoted ? line.replace(/^[\s>]+/, '') : line.trimStart()
  const isEnd = /^(`{3,}|~{3,})\s*$/.test(plain) && plain.startsWith(isQuoted ? open.slice(1) : open)
  return isEnd ? '' : open
}

/**
 * Returns a function to call with one line after the other. It reports whether the line is code because of its indent.
 * In lists no line is; in MDX none is either, which callers have to check.
 */
export function codeByIndent(): (line: string) => boolean {
  let isListed = false
  let isApart = true
  return (line) => {
    const isBlank = line.trim() === ''
    const isCode = isApart && !isBlank && !isListed && /^(?: {4}| {0,3}\t)/.test(line)
    if (/^ {0,3}(?:[-*+]|\d{1,9}[.)]|\[\^[^\]]+\]:|:)\s/.test(line)) isListed = true
    else if (isApart && /^\S/.test(line)) isListed = false
    isApart = isBlank || isCode
    return isCode
  }
}

/** Returns the line that closes what the line before `from` opened, or -1. Lines in code blocks do not count. */
export function endOf(
  { all, budget }: Lines,
  from: number,
  opens: (line: string) => boolean,
  closes: (line: string) => boolean,
): number {
  let fence = ''
  let depth = 0
  for (let at = from; at < all.length && budget.left > 0; at++) {
    budget.left -= 1
    const line = all[at]!
    const before = fence
    fence = fenceAfter(line, fence)
    if (before !== '' || fence !== '') continue
    if (closes(line) && depth-- === 0) return at
    if (opens(line)) depth += 1
  }
  return -1
}

/**
 * Finds the lines that are indented further than `indent`, including blank lines between them. Returns the index of the
 * line after them.
 */
export function endOfIndented({ all }: Lines, from: number, indent: string): number {
  const isWithin = (line: string) => line.startsWith(indent) && /^(?: {2}|\t)/.test(line.slice(indent.length))
  let end = from
  for (let at = from; at < all.length; at++) {
    const line = all[at]!
    if (line.trim() === '') continue
    if (!isWithin(line)) break
    end = at + 1
  }
  return end
}

/** Removes the indent that all lines have in common, and the blank lines at the beginning and at the end. */
export function dedent(lines: readonly string[]): string[] {
  const said = lines.filter((line) => line.trim() !== '')
  const common = said.reduce((least, line) => Math.min(least, /^\s*/.exec(line)![0].length), Number.MAX_SAFE_INTEGER)
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first === -1 ? [] : lines.slice(first, last + 1).map((line) => line.slice(Math.min(common, line.length)))
}

export const indented = (lines: readonly string[], indent: string) =>
  indent === '' ? [...lines] : lines.map((line) => (line === '' ? '' : indent + line))

/** Removes indentation up to the length of `indent` from each line. */
export const outdented = (lines: readonly string[], indent: string) =>
  lines.map((line) => line.slice(Math.min(indent.length, /^\s*/.exec(line)![0].length)))
