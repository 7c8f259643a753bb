import type { FastifyBaseLogger } from 'fastify'

/**
 * Does it for each of them, and answers for how many it was done. The others do not wait for one that fails: it is told
 * about, and has its turn again in the next run.
 */
export async function each<Item>(
  { log, isEnough }: { log: FastifyBaseLogger; isEnough: () => boolean },
  items: readonly Item[],
  failure: string,
  run: (item: Item) => Promise<void>,
): Promise<number> {
  let done = 0
  for (const item of items) {
    if (isEnough()) break
    try {
      await run(item)
      done += 1
    } catch (error) {
      log.error({ err: error, item }, failure)
    }
  }
  return done
}
