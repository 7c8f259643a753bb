/**
 * A task that takes longer than until it is due again must not take all the places that jobs have. Whoever asks for it
 * while it runs does not wait: it runs once more behind that, since it may have looked already.
 */
export function oneAtATime(run: () => Promise<void>, stopping: AbortSignal): () => Promise<void> {
  let isRunning = false
  let isAskedAgain = false
  return async () => {
    isAskedAgain = true
    if (isRunning) return
    isRunning = true
    try {
      while (isAskedAgain && !stopping.aborted) {
        isAskedAgain = false
        await run()
      }
    } finally {
      isRunning = false
    }
  }
}
