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
 * A revision while a batch changes it: the entries as the batch left them, on top of what the database has. Entries are
 * read when asked for, and cached; every answer takes all changes so far into account.
 */
export class Draft {
  readonly #db: Db
  readonly #at: Revision
  readonly #before = new Map<string, Entry | null>()
  readonly #now = new Map<string, Entry | null>()
  /** The entry at each address: according to the database, and according to the batch. */
  readonly #occupants = new Map<string, string | null>()
  readonly #moved = new Map<string, string>()
  /** The ends of long lists of siblings, as far as they have been read. */
  readonly #tails = new Map<string, { read: number; places: Placed[] }>()
  /** Texts that the batch brought, by entry. Their links are bound when all changes are made. */
  readonly written = new Map<string, WrittenDocument>()

  constructor(db: Db, at: Revision) {
    this.#db = db
    this.#at = at
  }

  /** Finds an entry as it is at this point of the batch. Undefined if it does not exist, or has another kind. */
  async find(id: string, kind: Kind): Promise<Entry | undefined> {
    await this.load([id])
    const entry = this.#current(id)
    return entry?.kind === kind ? entry : undefined
  }

  /** Reads many entries at once, so that `find` does not need a query for each. */
  async load(ids: readonly string[]): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => id !== top && !this.#before.has(id))
    if (missing.length > 0) this.know(missing, await listEntries(this.#db, this.#at, missing))
  }

  /** Adds what was read of the revision: `found` has all of the `asked` entries that exist. */
  know(asked: readonly string[], found: readonly Entry[]): void {
    for (const entry of found) if (!this.#before.has(entry.entry)) this.#before.set(entry.entry, entry)
    for (const id of asked) if (!this.#before.has(id)) this.#before.set(id, null)
  }

  put(entry: Entry): void {
    // An entry that has not been read is a new one, so there is nothing to read.
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

  /** Each entry that the batch changed, as it was before the batch and as it is at this point. */
  *changes(): Generator<{ id: string; before: Entry | null; now: Entry | null }> {
    for (const [id, now] of this.#now) yield { id, before: this.#before.get(id) ?? null, now }
  }

  /** The id of the entry at an address. */
  async occupant(slot: Slot): Promise<string | undefined> {
    const moved = this.#moved.get(keyOf(slot))
    if (moved !== undefined) return moved
    await this.loadSlots([slot])
    const found = this.#occupants.get(keyOf(slot)) ?? undefined
    // An entry that the batch touched would have been found above, if it were still at this address.
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

  /** The last page below a parent, ignoring `except`. Appending to a long list must not read all of it. */
  async lastSibling(parent: string, except: string): Promise<Placed | undefined> {
    let tail = this.#tails.get(parent)
    const untouched = () => tail?.places.some(({ entry }) => !this.#now.has(entry) && entry !== except)
    while (!tail || (tail.places.length === tail.read && !untouched())) {
      // Reads twice as many each time, until one of them is untouched by the batch, or all are read.
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

  /** The level of pages that a page is on: 1 at the top, and 0 for the top itself. */
  async levelOf(id: string): Promise<number> {
    let level = 0
    for (let step = id; step !== top; level += 1) {
      if (!this.#before.has(step)) this.know([step], await listWithAncestors(this.#db, this.#at, [step]))
      step = this.#current(step)?.parent ?? top
    }
    return level
  }

  /** Reads an entry together with all its ancestors. */
  async loadWithAncestors(id: string): Promise<void> {
    if (id !== top && !this.#before.has(id)) this.know([id], await listWithAncestors(this.#db, this.#at, [id]))
  }

  /** How many levels a page and the pages below it take up. Counting stops once there are more than `most`. */
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

  /** Frees the address of an entry, unless another entry has taken it since. */
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
