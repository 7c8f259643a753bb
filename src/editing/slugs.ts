import { composed } from '../content/composed.ts'
import { page } from '../revisions/entries.ts'
import { firstCharacters } from '../shortened.ts'
import type { Step } from './batch.ts'
import type { Draft, Slot } from './draft.ts'

const maxCharacters = 100
/** Free numbers are looked for in blocks: one by one, a hundred pages called "Untitled" are a hundred questions. */
const block = 32

/** Where a mark is an accent. In other scripts it is a vowel, or makes another letter: ペ is not ヘ. */
const accents = /([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu
/** Such as the one that makes a picture of a sign. */
const strayMarks = /(?<![\p{L}\p{M}])\p{M}+/gu

/** Letters and digits of all scripts in lower case, accents taken off, with dashes for all else. */
export function slugFrom(title: string): string {
  const bare = title.normalize('NFKD').replace(accents, '$1').replace(strayMarks, '')
  const words = composed(bare)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return firstCharacters(words.replace(/^-+/, ''), maxCharacters).replace(/-+$/, '') || 'page'
}

/** The first of slug, slug-1, slug-2… that no other page below the parent has. */
export async function freeSlug(draft: Draft, id: string, parent: string, wanted: string): Promise<string> {
  for (let from = 0; ; from += block) {
    const candidates = Array.from({ length: block }, (_, at) => numbered(wanted, from + at))
    const slots: Slot[] = candidates.map((slug) => ({ parent, kind: page, slug }))
    // Most of the time the first one is free: it is asked for alone.
    if (from > 0) await draft.loadSlots(slots)
    for (const [at, slot] of slots.entries()) {
      if (from === 0 && at === 1) await draft.loadSlots(slots)
      const occupant = await draft.occupant(slot)
      if (occupant === undefined || occupant === id) return slot.slug
    }
  }
}

/** The n-th try: slug, slug-1, slug-2… */
export function numbered(slug: string, number: number): string {
  const suffix = number === 0 ? '' : `-${number}`
  return firstCharacters(slug, maxCharacters - suffix.length) + suffix
}

/** A slug that stands in a file. */
export const isSlug = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && [...value].length <= maxCharacters && isPartOfAddress(value)

/** Behind `~` stands what belongs to a site, or to a space, and is no page. */
function isPartOfAddress(slug: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[\s/\\?#%\u0000-\u001f\u007f]/u.test(slug) && !/^(?:\.{1,2}|~)$/.test(slug)
}

/** A slug that somebody chose: it is theirs, or it is refused. */
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
