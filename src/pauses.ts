import { setImmediate as breathe } from 'node:timers/promises'

/** How long to work before other work gets its turn. */
const busyMs = 20

/**
 * Returns a function that is called between the many small steps of a long work. It waits only if the work has gone on
 * for a while since it last did.
 */
export function pauses(): () => Promise<void> {
  let restedAt = performance.now()
  return async () => {
    if (performance.now() - restedAt < busyMs) return
    await breathe()
    restedAt = performance.now()
  }
}
