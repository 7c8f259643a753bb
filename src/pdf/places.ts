import { ApiError } from '../http/errors.ts'

/** From when a file is asked for until it is made. What waits takes memory, and nobody waits for more than these. */
const mostPlaces = 24

/** Where a file stands that is to be made for somebody. */
export interface Place {
  readonly who: string
  /** Ends where others need it more. */
  readonly signal: AbortSignal
  /** From now on it stays until it is made. */
  begin(): void
  leave(): void
}

interface Taken extends Place {
  readonly given: AbortController
  isBegun: boolean
}

/**
 * The places of those for whom files are made. As long as there is room, anybody has as many as they like. Where there is
 * none, whoever has most makes room for those who have fewer: nobody keeps others from all files by asking for many.
 */
export class Places {
  readonly #most: number
  readonly #taken: Taken[] = []

  constructor(most = mostPlaces) {
    this.#most = most
  }

  enter(who: string): Place {
    if (this.#taken.length >= this.#most) this.#makeRoomFor(who)
    const given = new AbortController()
    const place: Taken = {
      who,
      given,
      signal: given.signal,
      isBegun: false,
      begin: () => void (place.isBegun = true),
      leave: () => this.#leave(place),
    }
    this.#taken.push(place)
    return place
  }

  #makeRoomFor(who: string): void {
    const byWho = Map.groupBy(this.#taken, (place) => place.who)
    const [most = []] = [...byWho.values()].toSorted((a, b) => b.length - a.length)
    const last = most.findLast(({ isBegun }) => !isBegun)
    // One more than they have must still be fewer: two would take turns in making room for each other.
    if (!last || (byWho.get(who)?.length ?? 0) + 1 >= most.length) throw new TooMany()
    this.#leave(last)
    last.given.abort(new GivenUp(last.who))
  }

  #leave(place: Taken): void {
    const at = this.#taken.indexOf(place)
    if (at !== -1) this.#taken.splice(at, 1)
  }
}

class TooMany extends ApiError {
  constructor() {
    super('unavailable', 'Too many PDF files are being created. Try again in a moment.', {
      headers: { 'retry-after': '10' },
    })
  }
}

/** Somebody's place went to others. Who waited for the same file has lost none. */
export class GivenUp extends TooMany {
  readonly who: string

  constructor(who: string) {
    super()
    this.who = who
  }
}
