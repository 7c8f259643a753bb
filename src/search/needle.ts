import type { Db } from '../db/connect.ts'
import { simplify } from './words/chinese.ts'
import { fold, isAscii } from './words/fold.ts'
import { lexemesIn } from './nodes.ts'
import type { Term } from './question.ts'
import type { Found } from './search.ts'
import { Stems } from './words/stems.ts'
import { isUnspaced, signBehind, wordsOf } from './words/words.ts'

/** A word of a text, or a part of one, that was asked for. */
export interface Sighting {
  from: number
  to: number
  lexemes: readonly string[]
}

/** From where to where in a text. */
export type Mark = readonly [from: number, to: number]

/** Where something may be that was asked for. */
interface Candidate {
  from: number
  to: number
  part: string
}

/** Of more, in a text of nothing else, the rest is not looked at. */
const mostCandidates = 500

/**
 * Finds in texts what they were found by. A pattern says quickly where it may be, and the words there are asked for their
 * stems, as when they were indexed: "use" stands in "because" and in "user", and was found in neither.
 */
export class Needle {
  readonly #pattern: RegExp | undefined
  readonly #lexemes: ReadonlySet<string>
  readonly #beginnings: readonly string[]
  readonly #terms: readonly Term[]
  #stems: readonly Stems[] = []
  /** What the words that were typed are found by, as they stand. */
  #own: ReadonlySet<string> = new Set()
  /** A word stands in many places of many texts. */
  readonly #known = new Map<string, readonly string[]>()
  /** A text is looked at twice: to learn the stems of its words, and to find what was asked for. */
  readonly #seen = new Map<string, readonly Candidate[]>()

  /** For these texts. */
  static async of(db: Db, found: Found<unknown>, texts: readonly string[]): Promise<Needle> {
    const needle = new Needle(found)
    const parts = new Set(texts.flatMap((text) => needle.#candidates(text).map(({ part }) => part)))
    const words = new Set([...parts].flatMap((part) => wordsOf(part).map((word) => word.text)))
    const typed = found.terms.flatMap(({ tokens, joined }) => [...tokens.map(({ text }) => text), ...joined])
    for (const word of typed) words.add(word)
    needle.#stems = await Promise.all(found.lexicons.map((lexicon) => Stems.of(db, lexicon, words)))
    needle.#own = new Set(needle.#stems.flatMap((stems) => typed.flatMap((word) => stems.lexemes(word))))
    return needle
  }

  private constructor({ terms, node }: Found<unknown>) {
    const lexemes = lexemesIn(node)
    const typed = terms.flatMap(({ tokens }) => tokens.map(({ text }) => fold(text)))
    const words = [...new Set([...typed, ...lexemes.map(({ lexeme }) => lexeme)])].filter(Boolean)
    const names = [...terms.flatMap(({ joined }) => joined), ...typed].filter(mayBeJoined)
    const patterns = [...names.map(joinedPattern), ...words.toSorted(longerFirst).map(patternOf)]
    this.#pattern = patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'gi')
    this.#lexemes = new Set(lexemes.filter(({ prefix }) => !prefix).map(({ lexeme }) => lexeme))
    this.#beginnings = lexemes.filter(({ prefix }) => prefix).map(({ lexeme }) => lexeme)
    this.#terms = terms
  }

  /** In their order. Where all words of a name stand together, one of them elsewhere is not what was found. */
  sightings(text: string): Sighting[] {
    const found: Sighting[] = []
    for (const { from, to, part } of this.#candidates(text)) {
      const lexemes = this.#foundBy(part)
      if (lexemes.length > 0) found.push({ from, to: to - this.#behindTyped(part, lexemes), lexemes })
    }
    const [name] = this.#terms
    if (this.#terms.length !== 1 || name!.tokens.length < 2) return found
    const isWhole = (row: Sighting[]) => this.#isAll(name!, text.slice(row[0]!.from, row.at(-1)!.to))
    const whole = rowsOf(text, found).filter(isWhole)
    return whole.length > 0 ? whole.flat() : found
  }

  /** Whether all words of a name are in it, the last of them at least begun. */
  #isAll({ tokens, joined }: Term, row: string): boolean {
    const lexemes = this.#foundBy(row)
    return tokens.every(({ text, kind }, i) => {
      const own = kind === 'word' ? this.#stems.flatMap((stems) => stems.lexemes(text)) : [text]
      if (own.length === 0 || own.some((lexeme) => lexemes.includes(lexeme))) return true
      const starts = i === tokens.length - 1 ? [fold(text), ...joined] : []
      return lexemes.some((lexeme) => starts.some((start) => lexeme.startsWith(start)))
    })
  }

  marks(text: string): Mark[] {
    const marks: [number, number][] = []
    for (const { from, to } of this.sightings(text)) {
      const last = marks.at(-1)
      const isSame = last && (from <= last[1] || /^[-_.\u2010'’‘ʼ]$/.test(text.slice(last[1], from)))
      if (isSame) last[1] = Math.max(last[1], to)
      else marks.push([from, to])
    }
    return marks
  }

  #candidates(text: string): readonly Candidate[] {
    const seen = this.#seen.get(text) ?? this.#candidatesIn(text)
    this.#seen.set(text, seen)
    return seen
  }

  /** Words that may be it, each once; of a script without spaces, the very characters. */
  #candidatesIn(text: string): Candidate[] {
    if (!this.#pattern) return []
    const found: Candidate[] = []
    let end = -1
    for (const { 0: match, index } of comparable(text).matchAll(this.#pattern)) {
      if (found.length >= mostCandidates) break
      if (isUnspaced(match)) found.push({ from: index, to: index + match.length, part: match })
      else if (index >= end) {
        let from = index
        end = index + match.length
        while (from > 0 && isInWord(text, from - 1)) from--
        while (end < text.length && isInWord(text, end)) end++
        end += signBehind(text.slice(from, end), text.slice(end, end + 3)).length
        found.push({ from, to: end, part: text.slice(from, end) })
      }
    }
    return found
  }

  #foundBy(part: string): readonly string[] {
    const known = this.#known.get(part) ?? this.#askedIn(part)
    this.#known.set(part, known)
    return known
  }

  #askedIn(part: string): string[] {
    const lexemes = wordsOf(part).flatMap(({ text, kind }) => {
      if (kind === 'pair') return [text]
      const each = this.#stems.map((stems) => stems.lexemes(text))
      // What says nothing in one of the languages is not what somebody with other words looks for.
      return this.#terms.length > 1 && each.some(({ length }) => length === 0) ? [] : each.flat()
    })
    const isAsked = (lexeme: string) =>
      this.#lexemes.has(lexeme) || this.#beginnings.some((start) => lexeme.startsWith(start))
    return [...new Set(lexemes)].filter(isAsked)
  }

  /** Of a word that goes on behind what was typed, the rest was not asked for. */
  #behindTyped(part: string, lexemes: readonly string[]): number {
    const last = this.#terms.at(-1)?.tokens.at(-1)
    if (!last || last.kind !== 'word') return 0
    const isCompletion = this.#own.size > 0 && !lexemes.some((lexeme) => this.#own.has(lexeme))
    const start = fold(last.text)
    const isBegun = isCompletion && comparable(part).toLowerCase().startsWith(start)
    return isBegun ? part.length - start.length : 0
  }
}

/** Letters, digits and marks; halves of characters as well. */
const inWord = /[\p{L}\p{M}\p{N}\ud800-\udfff]/u

/** Most text is plain, and looked at much faster that way. */
function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 0x80) return inWord.test(text.charAt(at))
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
}

/**
 * Words are letters and digits: there is nothing in them to escape. A stem may end in i where the word has y. Names have
 * words within them, short ones in too many.
 */
function patternOf(word: string): string {
  if (!isAscii(word)) return word
  const letters = word.replace(/i$/, '[iy]').replaceAll('ss', '(?:ss|ß)')
  return word.length < 3 ? `\\b${letters}` : letters
}

const longerFirst = (a: string, b: string) => b.length - a.length

/** `useragent` is found in `user-agent`, and `dont` in `don’t`. */
const mayBeJoined = (word: string) => /^\p{L}{4,32}$/u.test(word) && !isUnspaced(word)
const joinedPattern = (word: string) => [...word].join("[-_.'’‘ʼ]?")

/** Those between which there is nothing but what names have in them. */
function rowsOf(text: string, sightings: readonly Sighting[]): Sighting[][] {
  const rows: Sighting[][] = []
  for (const sighting of sightings) {
    const last = rows.at(-1)?.at(-1)
    if (last && /^[-_.:/\s\u2010'’‘ʼ]{0,2}$/.test(text.slice(last.to, sighting.from))) rows.at(-1)!.push(sighting)
    else rows.push([sighting])
  }
  return rows
}

/** Without accents and simplified, every character at the place it had. */
function comparable(text: string): string {
  if (isAscii(text)) return text
  return simplify(text).replace(/[\u00c0-\u024f\u0370-\u03ff\u0401\u0451\u1e00-\u1fff]/g, (letter) => {
    const folded = fold(letter.toLowerCase())
    return folded.length === 1 ? folded : letter
  })
}
