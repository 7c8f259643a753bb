/** Lines of a text, and how much may still be looked at: what never ends is not looked for from each of its lines. */
export interface Lines {
  readonly all: readonly string[]
  readonly budget: { left: number }
  readonly depth: number
}

/** What was read from a line on: what it is from now on, and the line behind it. */
export interface Translated {
  lines: string[]
  until: number
}

export type DialectReader = (
  lines: Lines,
  at: number,
  inner: (lines: readonly string[]) => string[],
) => Translated | undefined

/** The fence of the code that goes on after a line. In lists and notes it stands further in than elsewhere. */
export function fenceAfter(line: string, open: string): string {
  const found = /^\s*(`{3,}|~{3,})(.*)$/.exec(line)
  if (!found) return open
  const [, marks = '', rest = ''] = found
  if (open === '') return marks.startsWith('`') && rest.includes('`') ? '' : marks
  return marks.startsWith(open) && rest.trim() === '' ? '' : open
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
