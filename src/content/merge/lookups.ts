import { top, type Entry, type Kind } from './entry.ts'
import { mergeLines, type LineMerge } from './lines.ts'

/** What a merge asks about the two main revisions. Null means that the entry does not exist. */
export type Lookups = {
  base(entry: string): Entry | null
  /** The same, for an entry whose ancestors may be needed, too. */
  baseWithAncestors(entry: string): Entry | null
  theirs(entry: string): Entry | null
  /** The parent on main, used to walk up. */
  parentOf(entry: string): string | null
  childrenOf(entry: string): readonly Entry[]
  /** Returns main's entry at an address. */
  occupant(slot: Slot): string | null
  body(hash: string): string
  /** Merges the lines of three bodies, which are identified by their hashes. */
  lines(hashes: Three<string | null | undefined>, texts: Three<string>): LineMerge
}

export type Three<Value> = { base: Value; ours: Value; theirs: Value }

/** An address below a parent. `number` is the number of the suffix that is tried for it, 0 for none. */
export type Slot = { parent: string; kind: Kind; slug: string; number: number }

/** What must be fetched before the merge can continue. */
export type Wanted = {
  base: string[]
  /** Entries of the base, with all their ancestors there: one recursive query. */
  baseAncestors: string[]
  theirs: string[]
  /** The same for main. */
  ancestors: string[]
  children: string[]
  slots: { parent: string; kind: Kind; slug: string }[]
  bodies: string[]
  /** Large bodies, to be merged by `fetch`. */
  lines: { key: string; texts: Three<string> }[]
}

/** What was fetched: the entries that exist, in any order. Entries that were not asked for do no harm. */
export type Found = {
  /** For `base` and `baseAncestors`. */
  base: Entry[]
  /** For `theirs` and `ancestors`. */
  theirs: Entry[]
  children: Entry[]
  slots: Entry[]
  bodies: { hash: string; markdown: string }[]
  lines: { key: string; merge: LineMerge }[]
}

/**
 * Longer bodies take a while, the worst of a megabyte 0.3 s, so they are merged elsewhere in order not to keep others
 * waiting.
 */
const mostCharactersHere = 256 * 1024

/** Looking up suffixes one by one took up to 76 rounds. */
const suffixesAtOnce = 64

/**
 * Answers from what was fetched. A question that it cannot answer yet is noted and answered with a guess, so that the
 * merge continues and one round notes as much as possible of what it needs. If anything was noted, the result is thrown
 * away.
 */
export class Known implements Lookups {
  private readonly bases = new Map<string, Entry | null>()
  private readonly mains = new Map<string, Entry | null>()
  private readonly children = new Map<string, Entry[]>()
  private readonly slots = new Map<string, string | null>()
  private readonly bodies = new Map<string, string>()
  private readonly merges = new Map<string, LineMerge>()
  private noted = new Noted()

  base(entry: string): Entry | null {
    return this.answer(this.bases.get(entry), this.noted.base, entry, null)
  }

  baseWithAncestors(entry: string): Entry | null {
    return this.answer(this.bases.get(entry), this.noted.baseAncestors, entry, null)
  }

  theirs(entry: string): Entry | null {
    return this.answer(this.mains.get(entry), this.noted.theirs, entry, null)
  }

  parentOf(entry: string): string | null {
    const known = this.mains.get(entry)
    return this.answer(known === undefined ? known : (known?.parent ?? null), this.noted.ancestors, entry, top)
  }

  childrenOf(entry: string): readonly Entry[] {
    return this.answer(this.children.get(entry), this.noted.children, entry, [])
  }

  occupant(slot: Slot): string | null {
    const known = this.slots.get(slotKey(slot))
    if (known === undefined) for (const wanted of blockOf(slot)) this.noted.slots.set(slotKey(wanted), wanted)
    return known ?? null
  }

  body(hash: string): string {
    return this.answer(this.bodies.get(hash), this.noted.bodies, hash, '')
  }

  lines(hashes: Three<string | null | undefined>, texts: Three<string>): LineMerge {
    const { base, ours, theirs } = texts
    if (Math.max(base.length, ours.length, theirs.length) <= mostCharactersHere) return mergeLines(base, ours, theirs)
    const key = `${hashes.base} ${hashes.ours} ${hashes.theirs}`
    const known = this.merges.get(key)
    if (!known) this.noted.lines.set(key, { key, texts })
    return known ?? { text: ours, conflicts: [] }
  }

  /** Returns what was asked for and missing since the last call, or null if there was nothing. */
  takeMissing(): Wanted | null {
    const { base, baseAncestors, theirs, ancestors, children, slots, bodies, lines } = this.noted
    this.noted = new Noted()
    const all = [base, baseAncestors, theirs, ancestors, children, slots, bodies, lines]
    if (all.every((noted) => noted.size === 0)) return null

    // If main deleted a part of the tree, it comes back page by page, upwards. Without this, each page would take two
    // rounds.
    for (const id of ancestors) {
      const above = this.bases.get(id)?.parent ?? top
      if (above !== top && !this.mains.has(above)) ancestors.add(above)
    }
    return {
      base: [...base.difference(baseAncestors)],
      baseAncestors: [...baseAncestors],
      theirs: [...theirs.difference(ancestors)],
      ancestors: [...ancestors],
      children: [...children],
      slots: [...slots.values()],
      bodies: [...bodies],
      // While one of the three bodies is missing, the noted texts are not the ones that will be merged.
      lines: bodies.size > 0 ? [] : [...lines.values()],
    }
  }

  /** Adds what was fetched. Anything wanted but not found is known to be absent. */
  add(wanted: Wanted, found: Found): void {
    for (const id of [...wanted.base, ...wanted.baseAncestors]) this.bases.set(id, null)
    for (const entry of found.base) this.bases.set(entry.entry, entry)

    for (const id of [...wanted.theirs, ...wanted.ancestors]) this.mains.set(id, null)
    for (const entry of [...found.theirs, ...found.children, ...found.slots]) this.mains.set(entry.entry, entry)

    for (const id of wanted.children) this.children.set(id, [])
    for (const child of found.children) this.children.get(child.parent)?.push(child)

    for (const slot of wanted.slots) this.slots.set(slotKey(slot), null)
    for (const { entry, parent, kind, slug } of found.slots) {
      if (slug !== null) this.slots.set(slotKey({ parent, kind, slug }), entry)
    }

    for (const { hash, markdown } of found.bodies) this.bodies.set(hash, markdown)
    for (const { key, merge } of found.lines) this.merges.set(key, merge)
    const lost = wanted.bodies.find((hash) => !this.bodies.has(hash))
    if (lost !== undefined) throw new Error(`The body ${lost} is referred to, but is not stored`)
  }

  private answer<Answer>(known: Answer | undefined, noted: Set<string>, key: string, guess: Answer): Answer {
    if (known !== undefined) return known
    noted.add(key)
    return guess
  }
}

class Noted {
  readonly base = new Set<string>()
  readonly baseAncestors = new Set<string>()
  readonly theirs = new Set<string>()
  readonly ancestors = new Set<string>()
  readonly children = new Set<string>()
  readonly slots = new Map<string, Wanted['slots'][number]>()
  readonly bodies = new Set<string>()
  readonly lines = new Map<string, Wanted['lines'][number]>()
}

/** Returns the whole block of suffixes that a suffix belongs to. */
function blockOf({ parent, kind, slug, number }: Slot): Wanted['slots'] {
  if (number === 0) return [{ parent, kind, slug }]
  const plain = slug.slice(0, -suffix(number).length)
  const first = number - ((number - 1) % suffixesAtOnce)
  return Array.from({ length: suffixesAtOnce }, (_, i) => ({ parent, kind, slug: plain + suffix(first + i) }))
}

export function suffix(number: number): string {
  return number === 0 ? '' : `-${number}`
}

export function slotKey({ parent, kind, slug }: { parent: string; kind: Kind; slug: string }): string {
  return `${parent} ${kind} ${slug}`
}
