/** The last one in each queue. */
const last = new Map<string, Promise<unknown>>()

/**
 * Within this process, work of the same turn is done one after the other. Whoever has to wait uses the time for
 * `meanwhile`, which makes the work shorter; the work does not rely on it, and so it may fail.
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
