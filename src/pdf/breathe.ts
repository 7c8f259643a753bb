import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** How long to work on a book before checking for other requests. */
const busyMs = 2
/** How often in a row other requests go first, so that the book is not delayed for ever. */
const mostRests = 5

/** The requests being answered in the meantime. */
const others = new Set<ServerResponse>()
let books = 0
let restedAt = 0

/** Runs work that calls `breathe` from time to time. Requests that arrive from now on go first there. */
export async function besideOthers<Result>(work: () => Promise<Result>): Promise<Result> {
  if (books++ === 0) {
    subscribe('http.server.request.start', begin)
    subscribe('http.server.response.finish', end)
  }
  try {
    return await work()
  } finally {
    if (--books === 0) {
      unsubscribe('http.server.request.start', begin)
      unsubscribe('http.server.response.finish', end)
      others.clear()
    }
  }
}

/**
 * Lets other requests go first between two chapters. One turn of the event loop is not enough: a request takes several,
 * and a book of 500 pages would put a chapter before each of them.
 */
export async function breathe(): Promise<void> {
  if (performance.now() - restedAt < busyMs) return
  await setImmediate()
  for (let rests = 0; rests < mostRests && areOthers(); rests++) await sleep(1)
  restedAt = performance.now()
}

function areOthers(): boolean {
  // There is no event if a client disconnects.
  for (const response of others) if (response.destroyed) others.delete(response)
  return others.size > 0
}

const begin = (message: unknown) => void others.add((message as { response: ServerResponse }).response)
const end = (message: unknown) => void others.delete((message as { response: ServerResponse }).response)
