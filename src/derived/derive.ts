import { type LinkPlace, links, linksWithRepeated } from '../content/links.ts'
import { parse } from '../content/parse.ts'
import { type Section, sections } from '../content/sections.ts'
import { Recent } from '../recent.ts'
import { bodyHash } from '../revisions/bodies.ts'

/** What is known of a body by itself, wherever it stands: it depends on nothing but the text. */
export interface Derived {
  readonly sections: readonly Section[]
  readonly links: readonly LinkPlace[]
}

/** What is made of a text takes a few times its characters, and something even for the shortest one. */
const bytesOf = (characters: number) => 1_000 + 4 * characters

/** A page is derived when it is written, and again when it is merged. */
const kept = new Recent<Derived>(32 * 1024 * 1024)

export function derive(markdown: string, hash = bodyHash(markdown)): Derived {
  const known = derivedBefore(hash)
  if (known) return known
  const document = parse(markdown)
  const derived = { sections: sections(document), links: links(document) }
  kept.set(hash, derived, bytesOf(markdown.length))
  return derived
}

/** The same, where it is at hand: nobody has to read the text. */
export function derivedBefore(hash: string): Derived | undefined {
  return kept.get(hash)
}

/** The links of a text for whoever exchanges them: with those that cards to pages repeat, of which nearly no text has any. */
export function linksToExchange(markdown: string, known: readonly LinkPlace[]): readonly LinkPlace[] {
  return /\{%-?\s*(?:content|page)-ref\b/.test(markdown) ? linksWithRepeated(parse(markdown)) : known
}

/** Room for what is being written right now. */
const mostRoom = 96 * 1024 * 1024

/** While texts of these lengths are written, all of them are kept: each is asked for three times, one after the other. */
export async function keepingDerived<Result>(lengths: number[], work: () => Promise<Result>): Promise<Result> {
  const wanted = lengths.reduce((sum, length) => sum + bytesOf(length), 0)
  const more = Math.min(wanted, mostRoom - kept.moreBytes)
  kept.moreBytes += more
  try {
    return await work()
  } finally {
    kept.moreBytes -= more
  }
}
