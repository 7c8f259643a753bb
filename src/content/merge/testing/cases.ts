const seed = Number(process.env.MERGE_SEED ?? Date.now() % 2 ** 31)

/**
 * How the random tests of this folder run. `MERGE_CASES=180000` makes a long run of it, `MERGE_SEED=…` repeats one:
 * each run prints its seed.
 */
export function cases(usual: number): { numRuns: number; seed: number } {
  return { numRuns: Number(process.env.MERGE_CASES ?? usual), seed }
}
