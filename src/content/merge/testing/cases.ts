const seed = Number(process.env.MERGE_SEED ?? Date.now() % 2 ** 31)

/**
 * Options for the random tests of this folder. `MERGE_CASES=180000` makes a long run, and `MERGE_SEED=…` repeats a run:
 * each run prints its seed.
 */
export function cases(usual: number): { numRuns: number; seed: number } {
  return { numRuns: Number(process.env.MERGE_CASES ?? usual), seed }
}
