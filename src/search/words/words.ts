import { simplify } from './chinese.ts'
import { isAscii } from './fold.ts'

/**
 * A word of a text, in lower case and with its accents.
 * - `word`: letters and digits.
 * - `pair`: two adjacent characters of a script that is written without spaces, or the last one of a row of them;
 *   Chinese ones simplified.
 * - `joined`: several words written as one (`e-mail`, found by `email`; `don't`, found by `dont`), at the position
 *   of the first; also a letter with signs that make it a name (`C++`, found by `cplusplus`).
 * - `piece`: a part of a name such as `getUser`, at the position of the whole name.
 * - `option`: a name preceded by the dashes of a command line (`--resolve`), at the position of its first word.
 */
export interface Word {
  readonly text: string
  readonly at: number
  readonly kind: 'word' | 'pair' | 'joined' | 'piece' | 'option'
  /** For a pair: the original characters, if they differ. */
  readonly written?: string
}

/** Anything longer is not a word: keys, hashes, images encoded as text. */
const longest = 64
const mostParts = 4
const mostPieces = 8

/**
 * Returns the words of a text. Letters and digits of all scripts form words, everything else separates them. In scripts
 * without spaces, every two adjacent characters form a word, so that any part of the text can be found as a phrase.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let at = 0
  // Most text is ASCII, which is read eight times as fast this way.
  const plain = isAscii(text)
  const readable = plain ? text : text.normalize('NFKC').replace(invisible, '').replace(apostrophes, "'")
  for (const { 0: row, index } of readable.matchAll(plain ? plainRows : rows)) {
    if (row.length === 1) addSigned(words, row, readable.slice(index + 1, index + 4), at + 1)
    if (readable[index - 1] === '-') addOption(words, row, readable.slice(Math.max(0, index - 3), index), at + 1)
    const compounds = row.includes("'") ? row.split("'") : [row]
    // A name within a compound (`rock'n-roll`) is joined separately, and an elided article is not part of a word.
    if (compounds.length > 1 && !joint.test(row) && !elision.test(row)) addJoined(words, compounds, at + 1)
    for (const compound of compounds) {
      const parts = joint.test(compound) ? compound.split(joint) : [compound]
      if (parts.length > 1) addJoined(words, parts, at + 1)
      for (const part of parts) {
        if (plain || isAscii(part)) addWord(words, part, ++at)
        else {
          for (const [run] of part.matchAll(runs)) {
            if (unspaced.test(run)) at = addPairs(words, run, at)
            else addWord(words, run, ++at)
          }
        }
      }
    }
  }
  return words
}

/** Characters that are typed and typeset as apostrophes, including one that is a letter of its own (Ukrainian). */
export const apostrophes = /[\u2018\u2019\u02bc\u02bb\uff07]/g

/**
 * A word shortened before a vowel (`l'installation`) in French, Italian and Catalan. Each of these languages has them
 * among its stop words, but they also occur in spaces of other languages.
 */
export const elision =
  /^(?:[cdjlmnstv]|qu|jusqu|lorsqu|puisqu|quoiqu|un|quest|(?:[adns]|da|de|ne|su|co|que)ll)'(?=\p{L}{2})/iu

/** Soft hyphens and the like. */
const invisible = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** Words that belong together, including apostrophes and the signs that names contain. */
const rows = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:(?:'(?=\p{L})|[-_.\u2010])[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu
const plainRows = /[A-Za-z0-9]+(?:(?:'(?=[A-Za-z])|[-_.])[A-Za-z0-9]+)*/g
const joint = /[-_.\u2010]/

const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan']
const unspacedLetters = scripts.map((script) => `\\p{scx=${script}}`).join('')
/** Marks that all scripts share count as part of these, but cannot begin a run. */
const runs = new RegExp(`[[${unspacedLetters}]--\\p{M}][${unspacedLetters}]*|(?:[^${unspacedLetters}]|\\p{M})+`, 'gv')
const unspaced = new RegExp(`^[[${unspacedLetters}]--\\p{M}]`, 'v')

/** Whether a text begins in a script that is written without spaces. */
export const isUnspaced = (text: string) => unspaced.test(text)

function addWord(words: Word[], run: string, at: number): void {
  words.push({ text: run.toLowerCase().slice(0, longest), at, kind: 'word' })
  if (run.length > longest || !inCapitals.test(run)) return
  const pieces = run.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []
  for (const piece of pieces.slice(0, mostPieces)) {
    if (piece.length > 1) words.push({ text: piece.toLowerCase(), at, kind: 'piece' })
  }
}

const inCapitals = /[a-z][A-Z]|[A-Z]{2}[a-z]/

function addPairs(words: Word[], run: string, before: number): number {
  const simplified = simplify(run)
  const characters = [...simplified]
  const asWritten = simplified === run ? characters : [...run]
  const pairAt = (all: string[], i: number) => all[i]! + (all[i + 1] ?? '')
  characters.forEach((_, i) => {
    const text = pairAt(characters, i)
    const written = asWritten === characters ? text : pairAt(asWritten, i)
    const pair: Word = { text, at: before + i + 1, kind: 'pair' }
    words.push(written === text ? pair : { ...pair, written })
  })
  return before + characters.length
}

/** C++ and C# are different words than C. */
function addSigned(words: Word[], letter: string, behind: string, at: number): void {
  const sign = signBehind(letter, behind)
  if (sign === '') return
  words.push({ text: letter.toLowerCase() + (sign === '#' ? 'sharp' : 'plusplus'), at, kind: 'joined' })
}

/**
 * Returns the signs that turn a letter into a name. A `#` followed by a character without a space is part of an address
 * or a colour.
 */
export function signBehind(letter: string, behind: string): string {
  if (!/^[A-Za-z]$/.test(letter)) return ''
  return /^(?:\+\+(?!\+)|#(?![#\p{L}\p{N}_]))/u.exec(behind)?.[0] ?? ''
}

/** `--resolve` is not the same as the word. A dash after a letter joins two words, and three dashes are a line. */
function addOption(words: Word[], name: string, before: string, at: number): void {
  const dashes = /(?:^|[^-\p{L}\p{M}\p{N}])(--?)$/u.exec(before)?.[1]
  if (dashes === undefined || name.length > longest || !optionName.test(name)) return
  words.push({ text: dashes + name.toLowerCase(), at, kind: 'option' })
}

/** Upper and lower case are treated alike, as everywhere. */
const optionName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/

function addJoined(words: Word[], parts: string[], at: number): void {
  const text = parts.join('').toLowerCase()
  if (parts.length > mostParts || text.length > longest || /^\p{N}*$/u.test(text) || unspaced.test(text)) return
  words.push({ text, at, kind: 'joined' })
}
