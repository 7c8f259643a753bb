/** Lines of a text, and how much may still be looked at: what never ends is not looked for from each of its lines. */
export interface Lines {
  readonly all: readonly string[]
  readonly budget: { left: number }
  readonly depth: number
  readonly isMdx: boolean
}

/** What was read from a line on: what it is from now on, without what stands in front of that line, and the line behind it. */
export interface Translated {
  lines: string[]
  until: number
  /** What its last line says behind it. */
  rest?: string
}

export type DialectReader = (
  lines: Lines,
  at: number,
  inner: (lines: readonly string[]) => string[],
) => Translated | undefined

const fenceBegins = /^\s*(>[>\s]*)?(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/s

/**
 * The fence of the code that goes on after a line. In lists and notes it stands further in than elsewhere, and may begin
 * behind the mark of an item. Code in a quote ends with it.
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

/** Tells, one line after the other, which of them are code since they stand further in. In lists and in MDX none is. */
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

/** The line that closes what the line in front of `from` opened; -1 where none does. Code is no end of anything. */
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

/** The lines that stand further in than `indent`, blank ones between them included. Answers the line behind them. */
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

/** Without what all of them have in front, and without blank lines around. */
export function dedent(lines: readonly string[]): string[] {
  const said = lines.filter((line) => line.trim() !== '')
  const common = said.reduce((least, line) => Math.min(least, /^\s*/.exec(line)![0].length), Number.MAX_SAFE_INTEGER)
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first === -1 ? [] : lines.slice(first, last + 1).map((line) => line.slice(Math.min(common, line.length)))
}

export const indented = (lines: readonly string[], indent: string) =>
  indent === '' ? [...lines] : lines.map((line) => (line === '' ? '' : indent + line))

/** Without so much of what stands in front as `indent` is long. */
export const outdented = (lines: readonly string[], indent: string) =>
  lines.map((line) => line.slice(Math.min(indent.length, /^\s*/.exec(line)![0].length)))
