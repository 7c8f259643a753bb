import { hash } from '../../content/hash.ts'

/**
 * How a word that no page contains leads to words that pages do contain. A word with one letter too many, too few,
 * replaced, or two letters swapped equals the right word once a letter or two are removed from either. A part of a word
 * shares its sequences of three letters with it. Both are stored as numbers in one column, with the organization hashed
 * in, so they are looked up exactly and only among the words of one organization. (Trigram similarity, a database
 * extension that not every server has, misses short words: "pgae" and "page" share one trigram of nine.)
 */
const shortest = 4
const longest = 32

/** The keys by which a word is looked up, from the word and its stem. */
export function keysOf(organizationId: string, word: string, stem: string): number[] {
  const spelt = new Set([word, stem].filter(isCorrectable).flatMap((text) => [text, ...withoutOne(text)]))
  return [...Array.from(spelt, (text) => number(organizationId, '-', text)), ...partKeys(organizationId, word)]
}

/** The keys to look up for a word that may be misspelt. Longer words may contain two errors. */
export function wrongKeys(organizationId: string, word: string): number[] {
  if (!isCorrectable(word)) return []
  const once = withoutOne(word)
  const twice = mayErrTwice(word) ? once.flatMap(withoutOne) : []
  return [...new Set([word, ...once, ...twice])].map((text) => number(organizationId, '-', text))
}

/** The keys to look up for a part of a word. */
export function partKeys(organizationId: string, word: string): number[] {
  const isPart = isCorrectable(word) || (word.length === 3 && takesPrefixes.test(word))
  return isPart ? threes(word).map((text) => number(organizationId, '+', text)) : []
}

/**
 * In these scripts, "the", "in" and "from" are written as one with the following word, which often has three letters.
 */
const takesPrefixes = /^[\p{Script=Hebrew}\p{Script=Arabic}]+$/u

/** The number of errors that a word may contain. */
export const mostErrors = (word: string) => (mayErrTwice(word) ? 2 : 1)

const mayErrTwice = ({ length }: string) => length > 6 && length <= 20

/** Shorter words have too many similar ones, and in numbers every digit matters. */
export const isCorrectable = (word: string) => word.length >= shortest && word.length <= longest && !/\d/.test(word)

const number = (organizationId: string, kind: string, text: string) => hash(`${organizationId}${kind}${text}`)

const withoutOne = (word: string) => Array.from(word, (_, i) => word.slice(0, i) + word.slice(i + 1))

const threes = (word: string) => [...new Set(Array.from({ length: word.length - 2 }, (_, i) => word.slice(i, i + 3)))]

/** The number of letters to add, remove, change or swap to turn one word into the other. */
export function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + changed)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, beforeLast[j - 2]! + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
