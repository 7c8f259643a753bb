import type { Needle, Sighting } from './needle.ts'

const longest = 240
const before = 60
const nearBoundary = 20

/** Whether only a piece of a text is shown. */
export const isCut = (text: string) => text.length > longest

/** A text in one line. Most blanks are single spaces already: replacing those as well took longer than all else here. */
export const inOneLine = (body: string) => body.replace(/\s{2,}|[^\S ]/g, ' ').trim()

/** Returns an excerpt of a text in one line, around the place where most of the matches stand close together. */
export function excerptOf(text: string, needle: Needle): string {
  if (!isCut(text)) return text
  const hit = best(needle.sightings(text))?.from ?? 0
  const start = hit <= before ? 0 : boundaryAfter(text, Math.min(hit - before, text.length - longest))
  const end = boundaryBefore(text, start + longest)
  const piece = text.slice(start, end).trim()
  return `${start > 0 ? '…' : ''}${piece}${end < text.length ? '…' : ''}`
}

/** The first of those that a piece has room for, where there are the most of them, and side by side. */
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

/** Between two words, where one is near. */
function boundaryAfter(text: string, at: number): number {
  const blank = text.indexOf(' ', at)
  return blank !== -1 && blank - at <= nearBoundary ? blank + 1 : beforeSign(text, at)
}

function boundaryBefore(text: string, at: number): number {
  if (at >= text.length) return text.length
  const blank = text.lastIndexOf(' ', at)
  return at - blank <= nearBoundary ? blank : beforeSign(text, at)
}

/** Made when first needed: it reads large tables. */
let signs: Intl.Segmenter | undefined

/** What readers see as one sign is often several: a letter with its vowels, a family of emoji. */
function beforeSign(text: string, at: number): number {
  return (signs ??= new Intl.Segmenter()).segment(text).containing(at)?.index ?? at
}
