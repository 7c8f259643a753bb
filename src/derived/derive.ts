import { type LinkPlace, links, linksWithRepeated } from '../content/links.ts'
import { parse } from '../content/parse.ts'
import { type Section, sections } from '../content/sections.ts'
import { Recent } from '../recent.ts'
import { bodyHash } from '../revisions/bodies.ts'

/** What can be derived from a body alone, wherever it is used. */
export interface Derived {
  readonly sections: readonly Section[]
  readonly links: readonly LinkPlace[]
}

/** Estimates the memory of a derived text: a few bytes per character, and a minimum even for the shortest text. */
const bytesOf = (characters: number) => 1_000 + 4 * characters

/** A cache, because a page is derived when it is written, and again when it is merged. */
const kept = new Recent<Derived>(32 * 1024 * 1024)

export function derive(markdown: string, hash = bodyHash(markdown)): Derived {
  const known = derivedBefore(hash)
  if (known) return known
  const document = parse(markdown)
  const derived = { sections: sections(document), links: links(document) }
  kept.set(hash, derived, bytesOf(markdown.length))
  return derived
}

/** Returns the cached result, if there is one, so that the caller does not have to read the text. */
export function derivedBefore(hash: string): Derived | undefined {
  return kept.get(hash)
}

/**
 * The links of a text for callers that replace their addresses: includes the links that cards to pages repeat in their
 * text. Almost no text has such cards, so only those that do are parsed again.
 */
export function linksToExchange(markdown: string, known: readonly LinkPlace[]): readonly LinkPlace[] {
  return /\{%-?\s*(?:content|page)-ref\b/.test(markdown) ? linksWithRepeated(parse(markdown)) : known
}

/** Upper limit of the additional cache room for texts that are being written right now. */
const mostRoom = 96 * 1024 * 1024

/**
 * Keeps the results for texts of these lengths cached while `work` writes them: each is needed three times, one after
 * the other.
 */
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
