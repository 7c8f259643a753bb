/**
 * Runs a task only once at a time, so that one that takes longer than its interval does not occupy all job slots. A
 * request during a run does not wait: the task runs once more afterwards, since it may already have looked for work.
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
