import type { DiffLine } from '../../content/diff.ts'
import { type Region, changedRegions, numberLines } from '../../content/merge/alignment.ts'

/** A part of a line. `isOther`: it occurs on this side only. */
export interface Words {
  text: string
  isOther: boolean
}

/** Limit for all lines in which words are compared. Nobody reads more of them. */
const mostCharacters = 40_000

/** For all lines together: a page shows many texts, and even a single line could be crafted to be slow. */
const mostSteps = 1_000_000

/**
 * Finds the words that changed in lines that replaced others: a paragraph is one line, and nobody finds a changed word
 * by reading both. Lines that have little in common are left out.
 */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, Words[]> {
  const found = new Map<DiffLine, Words[]>()
  const effort = { steps: mostSteps }
  let room = mostCharacters
  for (const [before, after] of pairsIn(lines)) {
    room -= before.text.length + after.text.length
    if (room < 0) break
    const [old, now] = [wordsIn(before.text), wordsIn(after.text)]
    const regions = changedRegions(...numberLines(onLines(old), onLines(now)), effort)
    const isGone = marksOf(old, regions, ({ start, end }) => [start, end])
    const isNew = marksOf(now, regions, ({ newStart, newEnd }) => [newStart, newEnd])
    const kept = blackOf(old.filter((_, at) => !isGone[at]))
    if (kept * 2 < Math.min(blackOf(old), blackOf(now))) continue
    found.set(before, joined(old, isGone))
    found.set(after, joined(now, isNew))
  }
  return found
}

/** The number of characters that are not blank. */
const blackOf = (words: readonly string[]) => words.join('').replaceAll(/\s+/g, '').length

type Pair = [before: DiffLine, after: DiffLine]

/** Pairs the first removed line with the first added one, and so on. */
function pairsIn(lines: readonly DiffLine[]): Pair[] {
  const pairs: Pair[] = []
  let gone: DiffLine[] = []
  let came = 0
  for (const line of lines) {
    if (line.type === 'added') {
      const before = gone[came++]
      if (before) pairs.push([before, line])
      continue
    }
    if (came > 0 || line.type === 'kept') [gone, came] = [[], 0]
    if (line.type === 'removed') gone.push(line)
  }
  return pairs
}

/** Splits a text into words, blanks and single signs. */
const wordsIn = (text: string): string[] => text.replace(/\r?\n$/, '').match(/[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu) ?? []

const onLines = (words: readonly string[]) => words.map((word) => `${word}\n`).join('')

function marksOf(words: readonly string[], regions: readonly Region[], placeOf: (region: Region) => [number, number]) {
  const marks = words.map(() => false)
  for (const region of regions) marks.fill(true, ...placeOf(region))
  return marks
}

/** Joins adjacent words into one part if both occur on this side only, or both do not. */
function joined(words: readonly string[], marks: readonly boolean[]): Words[] {
  const parts: Words[] = []
  for (const [at, text] of words.entries()) {
    const [last, isOther] = [parts.at(-1), marks[at] === true]
    if (last?.isOther === isOther) last.text += text
    else parts.push({ text, isOther })
  }
  return parts
}
