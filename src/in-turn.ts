/** The last one in each queue. */
const last = new Map<string, Promise<unknown>>()

/** Within this process, work of the same turn is done one after the other. */
export async function inTurn<Result>(turn: string, work: () => Promise<Result>): Promise<Result> {
  const before = last.get(turn)
  const mine = before ? before.then(work, work) : work()
  last.set(turn, mine)
  try {
    return await mine
  } finally {
    if (last.get(turn) === mine) last.delete(turn)
  }
}
