import assert from 'node:assert/strict'

/**
 * That work grows with its input and not with its square: eight times the input may take at most sixteen times as long
 * (2.5 times for each doubling), where a square takes sixty-four. Only the time of this thread counts, the best of a
 * few tries, and one good round is enough: what else the machine does, and where garbage is collected, is not the work's.
 */
export function assertLinear(work: (length: number) => unknown, length: number): void {
  const rounds: string[] = []
  for (let round = 0; round < 6; round++) {
    // The many come first and warm the code up for the few: that is against them, and mostly they hold at once.
    const many = fastest(() => work(length), round === 0 ? 1 : 3)
    const few = fastest(() => work(length / 8), 3)
    if (many <= 16 * Math.max(few, littleMs)) return
    rounds.push(`${few.toFixed(1)} then ${many.toFixed(1)} ms`)
  }
  assert.fail(`eight times the input took too much longer: ${rounds.join(', ')}`)
}

/** Below this a measure says more about the clock than about the work. */
const littleMs = 4

function fastest(run: () => unknown, tries: number): number {
  let best = Infinity
  for (let times = 0; times < tries; times++) {
    const start = process.threadCpuUsage()
    run()
    best = Math.min(best, process.threadCpuUsage(start).user / 1000)
  }
  return best
}
