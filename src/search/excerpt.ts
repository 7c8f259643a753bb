import type { Needle, Sighting } from './needle.ts'

const longest = 240
const before = 60
const nearBoundary = 20

/** Whether only an excerpt of a text is shown. */
export const isCut = (text: string) => text.length > longest

/** Returns a text in one line. It leaves single spaces alone: replacing them by themselves was most of the work. */
export const inOneLine = (body: string) => body.replace(/\s{2,}|[^\S ]/g, ' ').trim()

/** Returns an excerpt of a text in one line, around the place where most of the matches are close together. */
export function excerptOf(text: string, needle: Needle): string {
  if (!isCut(text)) return text
  const hit = best(needle.sightings(text))?.from ?? 0
  const start = hit <= before ? 0 : boundaryAfter(text, Math.min(hit - before, text.length - longest))
  const end = boundaryBefore(text, start + longest)
  const piece = text.slice(start, end).trim()
  return `${start > 0 ? '…' : ''}${piece}${end < text.length ? '…' : ''}`
}

/**
 * Returns the first of those matches that fit into one excerpt, where there are the most of them, preferably side by
 * side.
 */
function best(sightings: readonly Sighting[]): Sighting | undefined {
  let found: { first: Sighting; worth: number } | undefined
  for (const [at, first] of sightings.entries()) {
    const lexemes = new Set<string>()
    let isSideBySide = false
    for (let i = at; i < sightings.length && sightings[i]!.to <= first.from + longest - before; i++) {
      for (const lexeme of sightings[i]!.lexemes) lexemes.add(lexeme)
      isSideBySide ||= i > at && sightings[i]!.from - sightings[i - 1]!.to <= 2
    }
    const worth = lexemes.size + (isSideBySide ? 0.5 : 0)
    if (!found || worth > found.worth) found = { first, worth }
  }
  return found?.first
}

/** Returns a position between two words, if there is one nearby. */
function boundaryAfter(text: string, at: number): number {
  const blank = text.indexOf(' ', at)
  return blank !== -1 && blank - at <= nearBoundary ? blank + 1 : beforeSign(text, at)
}

function boundaryBefore(text: string, at: number): number {
  if (at >= text.length) return text.length
  const blank = text.lastIndexOf(' ', at)
  return at - blank <= nearBoundary ? blank : beforeSign(text, at)
}

/** Created on first use, because it loads large tables. */
let signs: Intl.Segmenter | undefined

/** What readers see as one character is often several: a letter with its vowels, a family of emoji. */
function beforeSign(text: string, at: number): number {
  return (signs ??= new Intl.Segmenter()).segment(text).containing(at)?.index ?? at
}
