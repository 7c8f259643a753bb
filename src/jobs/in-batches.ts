/** Limits how many rows a transaction holds, so that it does not hold them for long. */
export const batch = 5_000

/**
 * Calls each remover, which removes `atOnce` rows at a time, until nothing is left or the process is to end. Returns
 * the number of removed rows.
 */
export async function removeInBatches(
  removers: readonly (() => Promise<number>)[],
  stopping: AbortSignal | undefined,
  atOnce = batch,
): Promise<number> {
  let removed = 0
  for (const removeSome of removers) {
    for (let count = atOnce; count === atOnce; removed += count) {
      if (stopping?.aborted) return removed
      count = await removeSome()
    }
  }
  return removed
}
