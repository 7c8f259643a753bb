import { byPosition, type Placed } from '../content/positions.ts'
import type { Db } from '../db/connect.ts'
import {
  type Entry,
  type Kind,
  listChildren,
  listEntries,
  listLastPlaces,
  listOccupants,
  listPlaces,
  listWithAncestors,
  page,
  top,
} from '../revisions/entries.ts'
import type { Revision } from '../revisions/revision.ts'
import type { WrittenDocument } from './documents.ts'

export interface Slot {
  parent: string
  kind: Kind
  slug: string
}

/**
 * A revision while a batch changes it: what the batch made of the entries it touched, over what the database has.
 * Reads what is asked for and keeps it; whatever is asked, the answer counts all changes so far.
 */
export class Draft {
  readonly #db: Db
  readonly #at: Revision
  readonly #before = new Map<string, Entry | null>()
  readonly #now = new Map<string, Entry | null>()
  /** What is at an address: in the database, and through the batch. */
  readonly #occupants = new Map<string, string | null>()
  readonly #moved = new Map<string, string>()
  /** The ends of long lists of siblings, as far as they were read. */
  readonly #tails = new Map<string, { read: number; places: Placed[] }>()
  /** Texts that the batch brought, by entry: their links are bound when all changes are made. */
  readonly written = new Map<string, WrittenDocument>()

  constructor(db: Db, at: Revision) {
    this.#db = db
    this.#at = at
  }

  /** An entry as it is now; nothing where it is not there, or something else. */
  async find(id: string, kind: Kind): Promise<Entry | undefined> {
    await this.load([id])
    const entry = this.#current(id)
    return entry?.kind === kind ? entry : undefined
  }

  /** Reads many at once, so that `find` does not ask for each. */
  async load(ids: readonly string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => id !== top && !this.#before.has(id))
    if (missing.length > 0) this.know(missing, await listEntries(this.#db, this.#at, missing))
  }

  /** What was read of the revision: of those that were asked for, all that are there. */
  know(asked: readonly string[], found: readonly Entry[]): void {
    for (const entry of found) if (!this.#before.has(entry.entry)) this.#before.set(entry.entry, entry)
    for (const id of asked) if (!this.#before.has(id)) this.#before.set(id, null)
  }

  put(entry: Entry): void {
    // A new one was never there, so there is nothing to ask.
    if (!this.#before.has(entry.entry)) this.#before.set(entry.entry, null)
    this.#leave(entry.entry)
    this.#now.set(entry.entry, entry)
    if (entry.slug !== null) this.#moved.set(keyOf(entry), entry.entry)
  }

  remove(id: string): void {
    this.#leave(id)
    this.#now.set(id, null)
    this.written.delete(id)
  }

  /** How an entry was before the batch, and how it is now, for each that the batch has a say about. */
  *changes(): Generator<{ id: string; before: Entry | null; now: Entry | null }> {
    for (const [id, now] of this.#now) yield { id, before: this.#before.get(id) ?? null, now }
  }

  /** What is at an address. */
  async occupant(slot: Slot): Promise<string | undefined> {
    const moved = this.#moved.get(keyOf(slot))
    if (moved !== undefined) return moved
    await this.loadSlots([slot])
    const found = this.#occupants.get(keyOf(slot)) ?? undefined
    // Whoever the batch touched would have been found above, were it still there.
    return found === undefined || this.#now.has(found) ? undefined : found
  }

  async loadSlots(slots: readonly Slot[]): Promise<void> {
    const missing = [...new Map(slots.map((slot) => [keyOf(slot), slot])).values()].filter(
      (slot) => !this.#occupants.has(keyOf(slot)),
    )
    const found = await listOccupants(this.#db, this.#at, missing)
    for (const slot of missing) this.#occupants.set(keyOf(slot), null)
    for (const entry of found) this.#occupants.set(keyOf(entry), entry.entry)
    this.know([], found)
  }

  /** The pages below a parent, in order. */
  async siblings(parent: string): Promise<Placed[]> {
    return this.#withChanges(parent, await listPlaces(this.#db, this.#at, parent))
  }

  /** The last page below a parent, but for `except`. Appending to a long list must not read all of it. */
  async lastSibling(parent: string, except: string): Promise<Placed | undefined> {
    let tail = this.#tails.get(parent)
    const untouched = () => tail?.places.some(({ entry }) => !this.#now.has(entry) && entry !== except)
    while (!tail || (tail.places.length === tail.read && !untouched())) {
      // Twice as many each time, until one is among them that the batch has not touched, or all are read.
      const read = tail ? tail.read * 2 : 4
      tail = { read, places: await listLastPlaces(this.#db, this.#at, parent, read) }
      this.#tails.set(parent, tail)
    }
    return this.#withChanges(parent, tail.places).findLast(({ entry }) => entry !== except)
  }

  /** Whether `id` is `ancestor`, or anywhere below it. */
  async isWithin(id: string, ancestor: string): Promise<boolean> {
    for (let step = id; step !== top;) {
      if (step === ancestor) return true
      if (!this.#before.has(step)) this.know([step], await listWithAncestors(this.#db, this.#at, [step]))
      step = this.#current(step)?.parent ?? top
    }
    return false
  }

  /** On which level of pages it stands: one at the top is on the first, and the top itself on none. */
  async levelOf(id: string): Promise<number> {
    let level = 0
    for (let step = id; step !== top; level += 1) {
      if (!this.#before.has(step)) this.know([step], await listWithAncestors(this.#db, this.#at, [step]))
      step = this.#current(step)?.parent ?? top
    }
    return level
  }

  /** Reads one with all that is above it. */
  async loadWithAncestors(id: string): Promise<void> {
    if (id !== top && !this.#before.has(id)) this.know([id], await listWithAncestors(this.#db, this.#at, [id]))
  }

  /** How many levels of pages a page is, with those below it: as far as `most`. */
  async levelsIn(root: Entry, most: number): Promise<number> {
    let levels = 1
    for (let level = [root]; levels <= most; levels += 1) {
      level = await this.below(level)
      if (level.length === 0) break
    }
    return levels
  }

  /** A page and all that is below it, parents first. */
  async subtree(root: Entry): Promise<Entry[]> {
    const all = [root]
    for (let level = [root]; level.length > 0; all.push(...level)) level = await this.below(level)
    return all
  }

  /** The pages right below these. */
  async below(level: readonly Entry[]): Promise<Entry[]> {
    const parents = new Set(level.map(({ entry }) => entry))
    const below = await listChildren(this.#db, this.#at, [...parents])
    this.know([], below)
    const stayed = below.filter(({ entry }) => !this.#now.has(entry))
    return [...stayed, ...this.#made((entry) => entry.kind === page && parents.has(entry.parent))]
  }

  #withChanges(parent: string, places: Placed[]): Placed[] {
    const stayed = places.filter(({ entry }) => !this.#now.has(entry))
    const made = this.#made((entry) => entry.kind === page && entry.parent === parent)
    return [...stayed, ...(made as Placed[])].toSorted(byPosition)
  }

  /** Its address is free, unless another has taken it since. */
  #leave(id: string): void {
    const now = this.#now.get(id)
    if (now && this.#moved.get(keyOf(now)) === id) this.#moved.delete(keyOf(now))
  }

  #made(matches: (entry: Entry) => boolean): Entry[] {
    return [...this.#now.values()].filter((entry) => entry !== null && matches(entry)) as Entry[]
  }

  #current(id: string): Entry | null {
    const now = this.#now.get(id)
    return now === undefined ? (this.#before.get(id) ?? null) : now
  }
}

const keyOf = ({ parent, kind, slug }: Omit<Slot, 'slug'> & { slug: string | null }) => `${parent} ${kind} ${slug}`
