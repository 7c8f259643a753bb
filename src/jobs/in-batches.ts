/** So that no transaction holds many rows for long. */
export const batch = 5_000

/**
 * Has each of them remove some, `atOnce` at a time, until it has none left or the process is to end. Answers how many.
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
