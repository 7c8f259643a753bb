const everyMs = 20_000

/**
 * Does the work, and calls `say` regularly to renew the claim on it. So claims can be short, and the work of a process
 * that died is soon taken over by another.
 */
export async function whileAlive<T>(say: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  // The work continues if the database is unavailable for a moment: a claim lasts longer than that.
  const timer = setInterval(() => void say().catch(() => {}), everyMs).unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
