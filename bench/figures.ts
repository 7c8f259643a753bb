/** One row of the results table. */
export interface Figure {
  what: string
  target: string
  value: string
  met: boolean
}

export function atLeast(what: string, least: number, measured: number): Figure {
  return { what, target: `≥ ${least}`, value: measured.toFixed(2), met: measured >= least }
}

export function atMost(what: string, most: number, measured: number, unit = ''): Figure {
  return {
    what,
    target: `≤ ${most}${unit}`,
    value: `${measured.toFixed(measured < 10 ? 2 : 0)}${unit}`,
    met: measured <= most,
  }
}

/** A figure without a target, for comparison with others. */
export function forReference(what: string, measured: number, unit = ''): Figure {
  return { what, target: '', value: `${measured.toFixed(2)}${unit}`, met: true }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/**
 * Runs the measures in turn, so that a slow minute of the machine affects all of them alike. Returns the median of
 * each.
 */
export async function byTurns(rounds: number, measures: (() => Promise<number>)[]): Promise<number[]> {
  const values = measures.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    for (const [i, measure] of measures.entries()) values[i]!.push(await measure())
  }
  return values.map(median)
}
