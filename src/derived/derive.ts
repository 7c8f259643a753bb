import { type LinkPlace, links } from '../content/links.ts'
import { parse } from '../content/parse.ts'
import { type Section, sections } from '../content/sections.ts'
import { bodyHash } from '../revisions/bodies.ts'

/** What is known of a body by itself, wherever it stands: it depends on nothing but the text. */
export interface Derived {
  readonly sections: readonly Section[]
  readonly links: readonly LinkPlace[]
}

/** Characters of text whose outcome is kept: a page is derived when it is written, and again when it is merged. */
const mostKept = 8 * 1024 * 1024
const kept = new Map<string, { derived: Derived; weight: number }>()
let weight = 0

export function derive(markdown: string, hash = bodyHash(markdown)): Derived {
  const known = derivedBefore(hash)
  if (known) return known
  const document = parse(markdown)
  const derived = { sections: sections(document), links: links(document) }
  kept.set(hash, { derived, weight: markdown.length })
  weight += markdown.length
  for (const [oldest, { weight: freed }] of kept) {
    if (weight <= mostKept + room) break
    kept.delete(oldest)
    weight -= freed
  }
  return derived
}

/** The same, where it is at hand: nobody has to read the text. */
export function derivedBefore(hash: string): Derived | undefined {
  const known = kept.get(hash)
  if (!known) return undefined
  kept.delete(hash)
  kept.set(hash, known)
  return known.derived
}

/** Room for what is being written right now. Its outcome takes a few times that. */
const mostRoom = 24 * 1024 * 1024
let room = 0

/** While much is written at once, all of it is kept: each text is asked for three times, one after the other. */
export async function keepingDerived<Result>(characters: number, work: () => Promise<Result>): Promise<Result> {
  const more = Math.min(characters, mostRoom - room)
  room += more
  try {
    return await work()
  } finally {
    room -= more
  }
}
