const everyMs = 20_000

/**
 * Does the work, and says again and again that somebody is at it. So a claim on work can be short, and what a process
 * that died had taken is soon taken by another.
 */
export async function whileAlive<T>(say: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  // A database that is away for a moment is no reason to stop: a claim lasts longer than that.
  const timer = setInterval(() => void say().catch(() => {}), everyMs).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
