import type { SiteRow } from '../db/tables.ts'

/** The site that something is counted for. */
export interface OfSite {
  organizationId: string
  siteId: string
}

export const ofSite = ({ site }: { site: SiteRow }): OfSite => ({
  organizationId: site.organization_id,
  siteId: site.id,
})

/** A page of a site that was read. */
export interface PageRead extends OfSite {
  key: string
  spaceId: string
  pageId: string
}

/** A remark that a reader wrote about a page. */
export interface Remark extends PageRead {
  id: string
  text: string
}

/** Search words, or a path. */
export interface TextAsked extends OfSite {
  text: string
}

/** How often something happened on a day, and how often without success. */
export interface Count<About extends OfSite> {
  key: string
  about: About
  day: string
  times: number
  unfound: number
}

/**
 * Collects counts until they are written. Bounded, because the database may be unavailable for long, and because
 * anybody can request any number of missing paths.
 */
export class Tally<About extends OfSite> {
  readonly #most: number
  readonly #mostOfSite: number
  #counts = new Map<string, Count<About>>()
  /** Counts of earlier days for keys that were also counted since, by day and key. */
  #earlier = new Map<string, Count<About>>()
  #ofSite = new Map<string, number>()

  constructor(most: number, mostOfSite = most) {
    this.#most = most
    this.#mostOfSite = mostOfSite
  }

  /**
   * Counts one more and returns true if the key was already counted on this day. This is the fast path for frequent
   * requests.
   */
  again(key: string, day: string): boolean {
    const known = this.#counts.get(key)
    if (known?.day !== day) return false
    known.times += 1
    return true
  }

  /**
   * Returns whether there was room for the count. With `always`, only the total limit applies, not the limit per site.
   */
  add(count: Count<About>, { always = false } = {}): boolean {
    const { key, about, day } = count
    const known = this.#counts.get(key)
    if (!known) {
      if (!this.#takeRoom(about.siteId, always ? Infinity : this.#mostOfSite)) return false
      this.#counts.set(key, count)
      return true
    }
    const same = known.day === day ? known : this.#earlier.get(`${day} ${key}`)
    if (same) {
      same.times += count.times
      same.unfound += count.unfound
      return true
    }
    // The current count is that of the latest day, in whatever order counts arrive: those that could not be written are
    // added again later.
    const [older, newer] = day < known.day ? [count, known] : [known, count]
    this.#counts.set(key, newer)
    if (this.#earlier.size < this.#most) this.#earlier.set(`${older.day} ${key}`, older)
    return true
  }

  #takeRoom(siteId: string, most: number): boolean {
    const ofSite = this.#ofSite.get(siteId) ?? 0
    if (this.#counts.size >= this.#most || ofSite >= most) return false
    this.#ofSite.set(siteId, ofSite + 1)
    return true
  }

  /** Returns all counts and clears the tally. */
  take(): Count<About>[] {
    const taken = [...this.#earlier.values(), ...this.#counts.values()]
    this.#earlier = new Map()
    this.#counts = new Map()
    this.#ofSite = new Map()
    return taken
  }
}
