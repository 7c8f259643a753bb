/** The last one in the queue of each line. */
const last = new Map<string, Promise<unknown>>()

/**
 * Lets merges into one main line happen one after the other. The database would see to that as well, but whoever waits
 * there holds a connection, and then finds that main has moved and all has to be worked out again. Other processes are
 * not seen here; for them there is the lock on the line.
 */
export async function inTurn<Result>(lineId: string, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(lineId)
  const mine = before ? before.then(work, work) : work()
  last.set(lineId, mine)
  try {
    return await mine
  } finally {
    if (last.get(lineId) === mine) last.delete(lineId)
  }
}
