import type { Db } from '../db/connect.ts'
import { simplify } from './words/chinese.ts'
import { fold, isAscii } from './words/fold.ts'
import { lexemesIn } from './nodes.ts'
import type { Term } from './question.ts'
import type { Found } from './search.ts'
import { Stems } from './words/stems.ts'
import { isUnspaced, signBehind, wordsOf } from './words/words.ts'

/** A word of a text, or part of a word, that matches the query. */
export interface Sighting {
  from: number
  to: number
  lexemes: readonly string[]
}

/** Start and end within a text. */
export type Mark = readonly [from: number, to: number]

/** A place in a text that may match the query. */
interface Candidate {
  from: number
  to: number
  part: string
}

/** If a text consists of little else, further candidates are ignored. */
const mostCandidates = 500

/**
 * Finds in texts the words by which they were found. A pattern quickly locates candidates. The words around them are
 * then stemmed as for indexing, because "use" also occurs in "because" and "user", which do not match.
 */
export class Needle {
  readonly #pattern: RegExp | undefined
  readonly #lexemes: ReadonlySet<string>
  readonly #beginnings: readonly string[]
  readonly #terms: readonly Term[]
  #stems: readonly Stems[] = []
  /** The lexemes of the typed words as such, without completions. */
  #own: ReadonlySet<string> = new Set()
  /** A cache, because the same word occurs many times in many texts. */
  readonly #known = new Map<string, readonly string[]>()
  /** A cache, because each text is searched twice: to learn the stems of its words, and to find the matches. */
  readonly #seen = new Map<string, readonly Candidate[]>()

  /** Creates a needle that can search these texts. */
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

  /**
   * Returns the sightings in their order. If all words of a name occur together somewhere, its words elsewhere do not
   * count.
   */
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

  /** Whether the row contains all words of a name. Of the last word, the beginning is enough. */
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

  /** The words that may match, each once. In a script without spaces, the matching characters themselves. */
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
      // In a query of several terms, a word that is a stop word in one of the languages does not count.
      return this.#terms.length > 1 && each.some(({ length }) => length === 0) ? [] : each.flat()
    })
    const isAsked = (lexeme: string) =>
      this.#lexemes.has(lexeme) || this.#beginnings.some((start) => lexeme.startsWith(start))
    return [...new Set(lexemes)].filter(isAsked)
  }

  /** Returns how many characters of a word follow the typed beginning. They were not asked for. */
  #behindTyped(part: string, lexemes: readonly string[]): number {
    const last = this.#terms.at(-1)?.tokens.at(-1)
    if (!last || last.kind !== 'word') return 0
    const isCompletion = this.#own.size > 0 && !lexemes.some((lexeme) => this.#own.has(lexeme))
    const start = fold(last.text)
    const isBegun = isCompletion && comparable(part).toLowerCase().startsWith(start)
    return isBegun ? part.length - start.length : 0
  }
}

/** Letters, digits and marks, and also halves of surrogate pairs. */
const inWord = /[\p{L}\p{M}\p{N}\ud800-\udfff]/u

/** Most text is ASCII, and this check is much faster for it. */
function isInWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 0x80) return inWord.test(text.charAt(at))
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
}

/**
 * Words consist of letters and digits, so nothing needs escaping. A stem may end in i where the word has y. A word may
 * be part of a name, but words of less than three letters are part of too many.
 */
function patternOf(word: string): string {
  if (!isAscii(word)) return word
  const letters = word.replace(/i$/, '[iy]').replaceAll('ss', '(?:ss|ß)')
  return word.length < 3 ? `\\b${letters}` : letters
}

const longerFirst = (a: string, b: string) => b.length - a.length

/** So that `useragent` matches `user-agent`, and `dont` matches `don’t`. */
const mayBeJoined = (word: string) => /^\p{L}{4,32}$/u.test(word) && !isUnspaced(word)
const joinedPattern = (word: string) => [...word].join("[-_.'’‘ʼ]?")

/** Groups sightings that are separated by nothing but characters that names contain. */
function rowsOf(text: string, sightings: readonly Sighting[]): Sighting[][] {
  const rows: Sighting[][] = []
  for (const sighting of sightings) {
    const last = rows.at(-1)?.at(-1)
    if (last && /^[-_.:/\s\u2010'’‘ʼ]{0,2}$/.test(text.slice(last.to, sighting.from))) rows.at(-1)!.push(sighting)
    else rows.push([sighting])
  }
  return rows
}

/** Returns the text without accents and simplified, with every character in its original place. */
function comparable(text: string): string {
  if (isAscii(text)) return text
  return simplify(text).replace(/[\u00c0-\u024f\u0370-\u03ff\u0401\u0451\u1e00-\u1fff]/g, (letter) => {
    const folded = fold(letter.toLowerCase())
    return folded.length === 1 ? folded : letter
  })
}
