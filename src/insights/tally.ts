import type { SiteRow } from '../db/tables.ts'

/** What something is counted for: all of it is of a site. */
export interface OfSite {
  organizationId: string
  siteId: string
}

export const ofSite = ({ site }: { site: SiteRow }): OfSite => ({
  organizationId: site.organization_id,
  siteId: site.id,
})

/** A page that is read, of a site. */
export interface PageRead extends OfSite {
  key: string
  spaceId: string
  pageId: string
}

/** What a reader wrote about a page. */
export interface Remark extends PageRead {
  id: string
  text: string
}

/** Words, or a path. */
export interface TextAsked extends OfSite {
  text: string
}

/** How often something happened on a day, and how often in vain. */
export interface Count<About extends OfSite> {
  key: string
  about: About
  day: string
  times: number
  unfound: number
}

/**
 * Counts until they are written. Bounded, since a database may be away for long, and since anybody can ask for any number
 * of things that are not there.
 */
export class Tally<About extends OfSite> {
  readonly #most: number
  readonly #mostOfSite: number
  #counts = new Map<string, Count<About>>()
  /** Of days before, where the same was counted since: by day and key. */
  #earlier = new Map<string, Count<About>>()
  #ofSite = new Map<string, number>()

  constructor(most: number, mostOfSite = most) {
    this.#most = most
    this.#mostOfSite = mostOfSite
  }

  /** Whether it was counted before, and so is counted now: for what is asked for again and again, nothing else is done. */
  again(key: string, day: string): boolean {
    const known = this.#counts.get(key)
    if (known?.day !== day) return false
    known.times += 1
    return true
  }

  /** Answers whether there was room for it: for some there always is, as long as there is any. */
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
    // The last day is the one at hand, in whatever order they come: what could not be written comes back late.
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

  /** All that was counted. It is not here any more. */
  take(): Count<About>[] {
    const taken = [...this.#earlier.values(), ...this.#counts.values()]
    this.#earlier = new Map()
    this.#counts = new Map()
    this.#ofSite = new Map()
    return taken
  }
}
