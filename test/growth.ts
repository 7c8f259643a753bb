import assert from 'node:assert/strict'

/**
 * Asserts that the time of some work grows with its input and not with the square of it: eight times the input may take
 * at most sixteen times as long (2.5 times for each doubling), whereas a square would take sixty-four times. Only the
 * CPU time of this thread counts, the best of a few tries, and one good round is enough, so that other load on the
 * machine and garbage collection do not matter.
 */
export function assertLinear(work: (length: number) => unknown, length: number): void {
  const rounds: string[] = []
  for (let round = 0; round < 6; round++) {
    // The large input comes first and warms up the code for the small one. That makes the test harder, and usually it
    // still passes in the first round.
    const many = fastest(() => work(length), round === 0 ? 1 : 3)
    const few = fastest(() => work(length / 8), 3)
    if (many <= 16 * Math.max(few, littleMs)) return
    rounds.push(`${few.toFixed(1)} then ${many.toFixed(1)} ms`)
  }
  assert.fail(`eight times the input took too much longer: ${rounds.join(', ')}`)
}

/** Below this, a measurement depends more on the clock than on the work. */
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
