/** With more differences than this, the two texts count as unrelated: the work grows with the square of this number. */
const maxDistance = 2_000

/**
 * Steps left for all stretches of two texts together. Texts made to be slow, 125,000 lines with fifty stretches of
 * distance 2,000 in them, took 3.7 s; ordinary ones use a thousandth of this.
 */
export type Effort = { steps: number }

export function effortFor(lines: number): Effort {
  return { steps: 4_000_000 + 32 * lines }
}

/**
 * Reports the pairs of a longest common subsequence, last pair first, found by Myers' greedy algorithm ("An O(ND)
 * Difference Algorithm", 1986). Reports nothing if `a` and `b` differ too much.
 */
export function matchBetween(
  a: Int32Array,
  b: Int32Array,
  effort: Effort,
  report: (i: number, j: number) => void,
): void {
  if (a.length === 0 || b.length === 0) return
  const rounds = furthestByRound(a, b, effort)
  if (!rounds) return

  let i = a.length
  let j = b.length
  for (let d = rounds.length - 1; d > 0; d--) {
    const before = rounds[d - 1]!
    const k = (i - j + d) / 2
    const added = addsLine(before, d, k)
    const start = added ? before[k]! : before[k - 1]! + 1
    while (i > start) report(--i, --j)
    if (added) j--
    else i--
  }
  while (i > 0) report(--i, --j)
}

/**
 * After d edits, how far along `a` each diagonal reaches: `rounds[d][k]` is for the diagonal i - j = 2k - d. All
 * rounds are kept to walk back through them: at most 8 MB.
 */
function furthestByRound(a: Int32Array, b: Int32Array, effort: Effort): Int32Array[] | null {
  const rounds: Int32Array[] = []
  let before = new Int32Array(1)
  for (let d = 0; d <= maxDistance; d++) {
    const round = new Int32Array(d + 1)
    rounds.push(round)
    for (let k = 0; k <= d; k++) {
      const from = d === 0 ? 0 : addsLine(before, d, k) ? before[k]! : before[k - 1]! + 1
      let i = from
      let j = i - 2 * k + d
      while (i < a.length && j < b.length && a[i] === b[j]) {
        i++
        j++
      }
      round[k] = i
      if (i >= a.length && j >= b.length) return rounds
      effort.steps -= 1 + i - from
      if (effort.steps < 0) return null
    }
    before = round
  }
  return null
}

/** Whether round d gets furthest on a diagonal by adding a line of `b`, rather than by leaving out a line of `a`. */
function addsLine(before: Int32Array, d: number, k: number): boolean {
  return k === 0 || (k < d && before[k - 1]! < before[k]!)
}
