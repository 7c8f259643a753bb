import { composed } from '../content/composed.ts'
import { firstCharacters } from '../shortened.ts'
import { encodePath, maxSourceLength } from '../sites/redirects/match.ts'

/** The text under which everything is counted that is not counted individually. */
export const others = ''

const longestWords = 100

/** Normalizes the words of a search. */
export function wordsOf(question: string): string {
  const words = composed(question)
    .toLowerCase()
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
  return firstCharacters(words, longestWords).trim()
}

/** The text that a search is counted as. E-mail addresses, also partly typed ones, are not stored. */
export const countedAs = (words: string): string => (address.test(words) ? others : words)

/**
 * Matches e-mail addresses. A host may begin with a digit (`163.com`), and so does the version of a package
 * (`react@18.2.0`), but that does not end in a word.
 */
const address = /[^\s@]@(?:\p{L}|[\p{L}\p{N}.-]+\.\p{L}{2,}(?![\p{L}\p{N}-]))/u

export const longestRemark = 500

/**
 * Cleans a remark of a reader and puts it in one line. Removes e-mail addresses, and characters that change the
 * direction of the text around them, since the remark is displayed among other content.
 */
export function remarkOf(text: string): string {
  const plain = text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(wordOrAddress, (word) => (word.includes('@') ? '…' : word))
    .trim()
  return firstCharacters(plain, longestRemark).trim()
}

/**
 * Goes through each word only once, whether an address begins with it or not: the text comes from anybody and may be
 * long.
 */
const wordOrAddress = /[^\s@]+(?:@[\p{L}\p{N}.-]+\.\p{L}{2,})?/gu

/**
 * Returns a path that led nowhere, in the spelling of redirects. Undefined for paths that no reader asks for: those
 * that browsers and programs request on their own, those for machines, and those that may contain a secret key.
 */
export function missingPathOf(segments: readonly string[]): string | undefined {
  if (segments.length === 0 || segments.some((segment) => unasked.test(segment) || isSecret(segment))) return undefined
  const path = `/${encodePath(segments).replaceAll('*', '%2A')}`
  return path.length > maxSourceLength ? undefined : path
}

const unasked =
  /^[.~]|^wp-|^(?:favicon\.ico|apple-touch-icon.*|browserconfig\.xml|ads\.txt|rss\.xml|llms(?:-full)?\.txt|xmlrpc\.php)$|\.(?:md|env|bak|sql)$/i

/** Path segments made of words do not look like this. */
const isSecret = (segment: string) =>
  /^[\w-]{22,}$/.test(segment) && /[a-z]/.test(segment) && /[A-Z]/.test(segment) && /\d/.test(segment)
