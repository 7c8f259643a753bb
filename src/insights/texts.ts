import { composed } from '../content/composed.ts'
import { firstCharacters } from '../shortened.ts'
import { encodePath, maxSourceLength } from '../sites/redirects/match.ts'

/** All that is not counted one by one is counted under this. */
export const others = ''

const longestWords = 100

/** What somebody looked for, in one spelling. */
export function wordsOf(question: string): string {
  const words = composed(question)
    .toLowerCase()
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
  return firstCharacters(words, longestWords).trim()
}

/** As what it is counted. Whoever types an address of somebody, or is about to, has told nobody. */
export const countedAs = (words: string): string => (address.test(words) ? others : words)

/** A host may begin with a digit (`163.com`). So does the version of a package (`react@18.2.0`), which ends in no word. */
const address = /[^\s@]@(?:\p{L}|[\p{L}\p{N}.-]+\.\p{L}{2,}(?![\p{L}\p{N}-]))/u

export const longestRemark = 500

/**
 * What a reader wrote about a page, in one line. Addresses of people are left out, and signs that turn the direction of what
 * stands around them: whoever reads it reads it among other things.
 */
export function remarkOf(text: string): string {
  const plain = text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(wordOrAddress, (word) => (word.includes('@') ? '…' : word))
    .trim()
  return firstCharacters(plain, longestRemark).trim()
}

/** A word is gone through once, whether an address begins with it or not: anybody writes it, as long as they like. */
const wordOrAddress = /[^\s@]+(?:@[\p{L}\p{N}.-]+\.\p{L}{2,})?/gu

/**
 * A path that led nowhere, as a redirect names it. Undefined for what no reader ever asked for: what browsers and programs
 * look for by themselves, what machines read, and what could be a key that opens something.
 */
export function missingPathOf(segments: readonly string[]): string | undefined {
  if (segments.length === 0 || segments.some((segment) => unasked.test(segment) || isSecret(segment))) return undefined
  const path = `/${encodePath(segments).replaceAll('*', '%2A')}`
  return path.length > maxSourceLength ? undefined : path
}

const unasked =
  /^[.~]|^wp-|^(?:favicon\.ico|apple-touch-icon.*|browserconfig\.xml|ads\.txt|rss\.xml|llms(?:-full)?\.txt|xmlrpc\.php)$|\.(?:md|env|bak|sql)$/i

/** Words that people make addresses of do not look like this. */
const isSecret = (segment: string) =>
  /^[\w-]{22,}$/.test(segment) && /[a-z]/.test(segment) && /[A-Z]/.test(segment) && /\d/.test(segment)
