import type { DiffLine } from '../../content/diff.ts'
import { type Region, changedRegions, numberLines } from '../../content/merge/alignment.ts'

/** A part of a line; `isOther`: it stands on this side alone. */
export interface Words {
  text: string
  isOther: boolean
}

/** Of all lines in which words are looked for: nobody reads more of them. */
const mostCharacters = 40_000

/** For all lines together: a page shows many texts, and each line alone could be made to be slow. */
const mostSteps = 1_000_000

/**
 * In lines that took the place of others, the words that changed: a paragraph is one line, in which nobody finds a word by
 * reading both. Lines that have little in common are left out.
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

/** How much of words is more than blanks. */
const blackOf = (words: readonly string[]) => words.join('').replaceAll(/\s+/g, '').length

type Pair = [before: DiffLine, after: DiffLine]

/** The first line of what is gone and the first of what came, and so on. */
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

/** Words, blanks and signs, each by itself. */
const wordsIn = (text: string): string[] => text.replace(/\r?\n$/, '').match(/[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu) ?? []

const onLines = (words: readonly string[]) => words.map((word) => `${word}\n`).join('')

function marksOf(words: readonly string[], regions: readonly Region[], placeOf: (region: Region) => [number, number]) {
  const marks = words.map(() => false)
  for (const region of regions) marks.fill(true, ...placeOf(region))
  return marks
}

/** Words beside each other that are both on this side alone, or both not, are one part. */
function joined(words: readonly string[], marks: readonly boolean[]): Words[] {
  const parts: Words[] = []
  for (const [at, text] of words.entries()) {
    const [last, isOther] = [parts.at(-1), marks[at] === true]
    if (last?.isOther === isOther) last.text += text
    else parts.push({ text, isOther })
  }
  return parts
}
