import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** How long a book is worked on without a look at who else is there. */
const busyMs = 2
/** Then those go first: for as long as they are there, but not for ever. */
const mostRests = 5

/** What is being answered meanwhile. */
const others = new Set<ServerResponse>()
let books = 0
let restedAt = 0

/** Does work that calls `breathe` now and then. Requests that come in from now on are the others there. */
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
 * Lets others go first between two chapters. One turn is not enough: a request takes several, and a book of 500 pages
 * would put a chapter before each of them.
 */
export async function breathe(): Promise<void> {
  if (performance.now() - restedAt < busyMs) return
  await setImmediate()
  for (let rests = 0; rests < mostRests && areOthers(); rests++) await sleep(1)
  restedAt = performance.now()
}

function areOthers(): boolean {
  // Nobody says so where a client went away.
  for (const response of others) if (response.destroyed) others.delete(response)
  return others.size > 0
}

const begin = (message: unknown) => void others.add((message as { response: ServerResponse }).response)
const end = (message: unknown) => void others.delete((message as { response: ServerResponse }).response)
