import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

const busyMs = 4
const restMs = 2

let restedAt = 0

/**
 * Lets others have their turn between two chapters. Not only one each: a request takes several, and a book of 500 pages
 * would put a chapter before every one of them. So after some work there is a rest.
 */
export async function breathe(): Promise<void> {
  if (performance.now() - restedAt < busyMs) return setImmediate()
  await sleep(restMs)
  restedAt = performance.now()
}
