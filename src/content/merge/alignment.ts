import { effortFor, matchBetween, type Effort } from './myers.ts'
import { slideDown } from './sliding.ts'

/** Lines `start..end` of the old text became lines `newStart..newEnd` of the new one. Ends are exclusive. */
export type Region = { start: number; end: number; newStart: number; newEnd: number }

/** A text split into lines, each represented by a number. Equal lines have equal numbers. */
export type Lines = { text: string; starts: number[]; numbers: Int32Array }

/**
 * Splits texts into lines that keep their endings, so that a missing last newline and CRLF survive. All texts that are
 * to be compared must be numbered together.
 */
export function numberLines<Texts extends readonly string[]>(...texts: Texts): { [Index in keyof Texts]: Lines } {
  const seen = new Map<string, number>()
  const number = (text: string): Lines => {
    const starts = [0]
    const numbers: number[] = []
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf('\n', start)
      const end = newline === -1 ? text.length : newline + 1
      const line = text.slice(start, end)
      let known = seen.get(line)
      if (known === undefined) seen.set(line, (known = seen.size))
      numbers.push(known)
      starts.push((start = end))
    }
    return { text, starts, numbers: Int32Array.from(numbers) }
  }
  return texts.map(number) as { [Index in keyof Texts]: Lines }
}

export function textOf(lines: Lines, start: number, end: number): string {
  return lines.text.slice(lines.starts[start], lines.starts[end])
}

/**
 * Returns the changes from one text to the other, from top to bottom. Two regions never touch. `effort` can be shared
 * by several calls.
 */
export function changedRegions(
  before: Lines,
  after: Lines,
  effort = effortFor(before.numbers.length + after.numbers.length),
): Region[] {
  const partner = align(before.numbers, after.numbers, effort)
  const regions: Region[] = []
  let newStart = 0
  for (let start = 0; start <= partner.length; start++, newStart++) {
    let end = start
    while (end < partner.length && partner[end] === -1) end++
    const newEnd = end < partner.length ? partner[end]! : after.numbers.length
    if (end > start || newEnd > newStart) regions.push({ start, end, newStart, newEnd })
    start = end
    newStart = newEnd
  }
  return slideDown(regions, before.numbers, after.numbers)
}

/**
 * Returns, for each line of `a`, the line of `b` that it is kept as, or -1. Lines that occur once on both sides are
 * anchors, as in patience diff: they split hostile and large texts into small pieces, and the result is what people
 * expect.
 */
function align(a: Int32Array, b: Int32Array, effort: Effort): Int32Array {
  const partner = new Int32Array(a.length).fill(-1)
  const counts = new Counts(a, b)
  const whole = trim(a, b, { start: 0, end: a.length, newStart: 0, newEnd: b.length }, partner)
  let { start, newStart } = whole
  const between = (end: number, newEnd: number) => {
    const gap = trim(a, b, { start, end, newStart, newEnd }, partner)
    if (gap.start < gap.end && gap.newStart < gap.newEnd) matchGap(a, b, gap, counts, effort, partner)
  }
  for (const [line, newLine] of anchors(a, b, whole, counts)) {
    partner[line] = newLine
    between(line, newLine)
    start = line + 1
    newStart = newLine + 1
  }
  between(whole.end, whole.newEnd)
  return partner
}

/** Pairs the common head and tail of a region and returns what is left between them. */
function trim(a: Int32Array, b: Int32Array, region: Region, partner: Int32Array): Region {
  let { start, end, newStart, newEnd } = region
  while (start < end && newStart < newEnd && a[start] === b[newStart]) partner[start++] = newStart++
  while (start < end && newStart < newEnd && a[end - 1] === b[newEnd - 1]) partner[--end] = --newEnd
  return { start, end, newStart, newEnd }
}

/** Returns the longest run, increasing on both sides, of lines that occur once on both. */
function anchors(a: Int32Array, b: Int32Array, region: Region, counts: Counts): [number, number][] {
  counts.take(a, b, region)
  const newLineOf = new Map<number, number>()
  for (let j = region.newStart; j < region.newEnd; j++) if (counts.once(b[j]!)) newLineOf.set(b[j]!, j)

  const pairs: [number, number][] = []
  for (let i = region.start; i < region.end; i++) {
    const newLine = newLineOf.get(a[i]!)
    if (newLine !== undefined) pairs.push([i, newLine])
  }
  counts.drop(a, b, region)
  return longestIncreasing(pairs)
}

/** Patience sorting: `tops[n]` is the pair that ends the run of length n + 1 with the smallest last line. */
function longestIncreasing(pairs: [number, number][]): [number, number][] {
  const tops: number[] = []
  const previous = new Int32Array(pairs.length)
  pairs.forEach(([, newLine], at) => {
    let low = 0
    let high = tops.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (pairs[tops[middle]!]![1] < newLine) low = middle + 1
      else high = middle
    }
    previous[at] = low > 0 ? tops[low - 1]! : -1
    tops[low] = at
  })

  const run: [number, number][] = []
  for (let at = tops.at(-1) ?? -1; at !== -1; at = previous[at]!) run.push(pairs[at]!)
  return run.toReversed()
}

/** Matches the lines between anchors. Lines that only one side has cannot be kept, so only the others are compared. */
function matchGap(
  a: Int32Array,
  b: Int32Array,
  gap: Region,
  counts: Counts,
  effort: Effort,
  partner: Int32Array,
): void {
  counts.take(a, b, gap)
  const mine: number[] = []
  const others: number[] = []
  for (let i = gap.start; i < gap.end; i++) if (counts.inNew(a[i]!)) mine.push(i)
  for (let j = gap.newStart; j < gap.newEnd; j++) if (counts.inOld(b[j]!)) others.push(j)
  counts.drop(a, b, gap)

  const numbersOf = (all: Int32Array, lines: number[]) => Int32Array.from(lines, (line) => all[line]!)
  matchBetween(numbersOf(a, mine), numbersOf(b, others), effort, (i, j) => (partner[mine[i]!] = others[j]!))
}

/** How often each line occurs in a region. Reset after use: a new table for each gap would be quadratic. */
class Counts {
  private readonly before: Int32Array
  private readonly after: Int32Array

  constructor(a: Int32Array, b: Int32Array) {
    let last = -1
    for (const line of a) if (line > last) last = line
    for (const line of b) if (line > last) last = line
    this.before = new Int32Array(last + 1)
    this.after = new Int32Array(last + 1)
  }

  take(a: Int32Array, b: Int32Array, region: Region): void {
    for (let i = region.start; i < region.end; i++) this.before[a[i]!]!++
    for (let j = region.newStart; j < region.newEnd; j++) this.after[b[j]!]!++
  }

  drop(a: Int32Array, b: Int32Array, region: Region): void {
    for (let i = region.start; i < region.end; i++) this.before[a[i]!] = 0
    for (let j = region.newStart; j < region.newEnd; j++) this.after[b[j]!] = 0
  }

  once = (line: number) => this.before[line] === 1 && this.after[line] === 1
  inOld = (line: number) => this.before[line]! > 0
  inNew = (line: number) => this.after[line]! > 0
}
