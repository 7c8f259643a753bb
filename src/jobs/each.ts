import type { FastifyBaseLogger } from 'fastify'

/**
 * Runs the function for each item and returns for how many it succeeded. A failure is logged and does not hold up the
 * other items. The failed item is tried again in the next run.
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
