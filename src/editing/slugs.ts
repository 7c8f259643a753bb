import { composed } from '../content/composed.ts'
import { page } from '../revisions/entries.ts'
import { firstCharacters } from '../shortened.ts'
import type { Step } from './batch.ts'
import type { Draft, Slot } from './draft.ts'

const maxCharacters = 100
/** Free numbers are looked up in blocks: one by one, a hundred pages called "Untitled" would take a hundred queries. */
const block = 32

/** The scripts in which a mark is an accent. In others, it is a vowel or makes a different letter: ペ is not ヘ. */
const accents = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
/** Marks without a letter before them, such as the one that turns a character into an emoji. */
const strayMarks = /(?<![\p{L}\p{M}])\p{M}+/gu

/** Letters and digits of all scripts in lower case, without accents, and with dashes in place of everything else. */
export function slugFrom(title: string): string {
  const bare = title.normalize('NFKD').replace(accents, '$1').replace(strayMarks, '')
  const words = composed(bare)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return firstCharacters(words.replace(/^-+/, ''), maxCharacters).replace(/-+$/, '') || 'page'
}

/**
 * The first of slug, slug-1, slug-2… that no other page below the parent has. `blocks` has the block of numbers to start
 * with, by slug: a caller that asks for thousands of siblings passes the same map each time.
 */
export async function freeSlug(
  draft: Draft,
  id: string,
  parent: string,
  wanted: string,
  blocks = new Map<string, number>(),
): Promise<string> {
  for (let from = blocks.get(wanted) ?? 0; ; from += block) {
    const candidates = Array.from({ length: block }, (_, at) => numbered(wanted, from + at))
    const slots: Slot[] = candidates.map((slug) => ({ parent, kind: page, slug }))
    // Usually the first one is free, so it is looked up alone.
    if (from > 0) await draft.loadSlots(slots)
    for (const [at, slot] of slots.entries()) {
      if (from === 0 && at === 1) await draft.loadSlots(slots)
      const occupant = await draft.occupant(slot)
      if (occupant !== undefined && occupant !== id) continue
      blocks.set(wanted, from)
      return slot.slug
    }
  }
}

/** The n-th candidate: slug, slug-1, slug-2… */
export function numbered(slug: string, number: number): string {
  const suffix = number === 0 ? '' : `-${number}`
  return firstCharacters(slug, maxCharacters - suffix.length) + suffix
}

/** Gives out slugs to siblings that are all known. Takes the slugs that others have already, and adds to them. */
export class FreeSlugs {
  readonly #taken: Set<string>
  /** The first number to try for a slug: thousands of pages may have the same title. */
  readonly #next = new Map<string, number>()

  constructor(taken = new Set<string>()) {
    this.#taken = taken
  }

  /** Returns the first free one of slug, slug-1, slug-2… */
  next(wanted: string): string {
    let number = this.#next.get(wanted) ?? 0
    let slug = number === 0 ? wanted : numbered(wanted, number)
    while (this.#taken.has(slug)) slug = numbered(wanted, ++number)
    this.#next.set(wanted, number)
    return slug
  }

  take(slug: string): void {
    this.#taken.add(slug)
  }
}

/** Whether a value from a file can be used as a slug. */
export const isSlug = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= maxCharacters && isPartOfAddress(value)

/** Addresses behind `~` belong to a site or a space, not to pages. */
function isPartOfAddress(slug: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\s/\\?#%\u0000-\u001f\u007f]/u.test(slug) && !/^(?:\.{1,2}|~)$/.test(slug)
}

/** Returns a slug that was explicitly chosen, or refuses it. */
export async function chosenSlug(
  { batch, path }: Step,
  id: string,
  parent: string,
  slug: string,
  field: string,
): Promise<string> {
  if (!isPartOfAddress(slug)) {
    throw path.invalid(field, 'slug', 'must be a part of an address: no spaces, slashes, ?, # and %, and not just ~')
  }
  const occupant = await batch.draft.occupant({ parent, kind: page, slug })
  if (occupant === undefined || occupant === id) return slug
  throw path.taken(field, 'is the slug of another page there')
}
