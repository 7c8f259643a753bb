/** A text, and what it belongs to. */
export interface Candidate<Key> {
  key: Key
  text: string
}

/** Half of the text is the same, which is also what git calls a rename. */
const least = 0.5
/** A line that occurs in more texts than this is ignored: it says little, and comparing all of them takes long. */
const mostHolders = 40

/**
 * Pairs texts that are mostly the same, the most similar first. Each is compared only with those that share a line with
 * it.
 */
export function pairSimilar<Left, Right>(
  left: readonly Candidate<Left>[],
  right: readonly Candidate<Right>[],
): Map<Left, Right> {
  const holders = new Map<string, Set<number>>()
  const rightLines = right.map(({ text }) => linesOf(text))
  rightLines.forEach((lines, index) => {
    for (const line of lines.keys()) holders.set(line, (holders.get(line) ?? new Set()).add(index))
  })
  const pairs = left.flatMap((each, at) => {
    const lines = linesOf(each.text)
    return [...sharedWith(lines, rightLines, holders)].flatMap(([index, shared]) => {
      const score = (2 * shared) / (weightOf(lines) + weightOf(rightLines[index]!))
      return score >= least ? [{ at, index, score }] : []
    })
  })
  const found = new Map<Left, Right>()
  const taken = new Set<number>()
  for (const { at, index } of pairs.toSorted((a, b) => b.score - a.score || a.at - b.at || a.index - b.index)) {
    const { key } = left[at]!
    if (found.has(key) || taken.has(index)) continue
    found.set(key, right[index]!.key)
    taken.add(index)
  }
  return found
}

/** Whether two texts are mostly the same. */
export const isSimilar = (a: string, b: string) =>
  pairSimilar([{ key: 'a', text: a }], [{ key: 'b', text: b }]).size > 0

type Lines = Map<string, number>

/** Counts each line; blank ones do not count. */
function linesOf(text: string): Lines {
  const lines: Lines = new Map()
  for (const line of text.split(/\r\n|\r|\n/)) {
    const plain = line.trim()
    if (plain !== '') lines.set(plain, (lines.get(plain) ?? 0) + 1)
  }
  return lines
}

function weightOf(lines: Lines): number {
  let weight = 0
  for (const [line, count] of lines) weight += line.length * count
  return weight
}

function sharedWith(lines: Lines, others: readonly Lines[], holders: ReadonlyMap<string, ReadonlySet<number>>) {
  const shared = new Map<number, number>()
  for (const [line, count] of lines) {
    const those = holders.get(line)
    if (!those || those.size > mostHolders) continue
    for (const index of those) {
      const both = Math.min(count, others[index]!.get(line)!)
      shared.set(index, (shared.get(index) ?? 0) + line.length * both)
    }
  }
  return shared
}
