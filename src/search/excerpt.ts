import { fold, isAscii } from './fold.ts'
import { type Node, lexemesIn } from './nodes.ts'
import type { Term } from './question.ts'

const longest = 240
const before = 60
const nearBoundary = 20

/** Finds the first word of a text that was asked for. */
export type Needle = RegExp | undefined

/** By what was typed and by its stems. What it misses is no harm: the text is then shown from its start. */
export function needleOf(terms: readonly Term[], node: Node): Needle {
  const typed = terms.flatMap(({ tokens }) => tokens.map(({ text }) => fold(text)))
  const asked = new Set([...typed, ...lexemesIn(node).map(({ lexeme }) => lexeme)])
  const patterns = [...asked].toSorted((a, b) => b.length - a.length).map(pattern)
  return patterns.length === 0 ? undefined : new RegExp(patterns.join('|'), 'i')
}

/** Words are letters and digits: there is nothing in them to escape. A stem may end in i where the word has y. */
function pattern(word: string): string {
  return isAscii(word) ? `\\b${word.replace(/i$/, '[iy]').replaceAll('ss', '(?:ss|ß)')}` : word
}

/** A piece of a text around the first hit, in one line. */
export function excerptOf(body: string, needle: Needle): string {
  const text = body.replace(/\s+/g, ' ').trim()
  if (text.length <= longest) return text
  const hit = needle ? Math.max(0, comparable(text).search(needle)) : 0
  const start = hit <= before ? 0 : boundaryAfter(text, Math.min(hit - before, text.length - longest))
  const end = boundaryBefore(text, start + longest)
  const piece = text.slice(start, end).trim()
  return `${start > 0 ? '…' : ''}${piece}${end < text.length ? '…' : ''}`
}

/** Without accents, every character at the place it had. */
function comparable(text: string): string {
  if (isAscii(text)) return text
  return text.replace(/[\u00c0-\u024f\u0370-\u03ff\u0401\u0451\u1e00-\u1fff]/g, (letter) => {
    const folded = fold(letter.toLowerCase())
    return folded.length === 1 ? folded : letter
  })
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
