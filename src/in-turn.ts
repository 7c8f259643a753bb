/** The last promise in each queue. */
const last = new Map<string, Promise<unknown>>()

/**
 * Runs work with the same `turn` one after the other within this process. Work that has to wait uses the time for
 * `meanwhile`, which makes the work itself shorter. The work does not depend on it, so `meanwhile` may fail.
 */
export async function inTurn<Result>(
  turn: string,
  work: () => Promise<Result>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<Result> {
  const before = last.get(turn)
  const mine = before ? Promise.allSettled([before, meanwhile()]).then(work) : work()
  last.set(turn, mine)
  try {
    return await mine
  } finally {
    if (last.get(turn) === mine) last.delete(turn)
  }
}
