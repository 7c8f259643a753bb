import { ApiError } from '../http/errors.ts'

/**
 * The most files in progress at once, counted from the request until the file is made. A waiting file takes memory, so
 * there are never more than these.
 */
const mostPlaces = 24

/** A place among the files in progress, held by one asker. */
export interface Place {
  readonly who: string
  /** Aborted when the place is given to another asker. */
  readonly signal: AbortSignal
  /** From this call on, the place is kept until the file is made. */
  begin(): void
  leave(): void
}

interface Taken extends Place {
  readonly given: AbortController
  isBegun: boolean
}

/**
 * The places of askers whose files are being made. While there is room, an asker may have any number. When there is
 * none, the asker with the most places gives one up to an asker with fewer: nobody can keep others from getting files
 * by asking for many.
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
    // Even with one more place, this asker must have fewer: otherwise two askers would take turns displacing each
    // other.
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

/**
 * The place of `who` was given to another asker. Others who waited for the same file have lost no place of their own.
 */
export class GivenUp extends TooMany {
  readonly who: string

  constructor(who: string) {
    super()
    this.who = who
  }
}
