import { limits } from '../limits.ts'
import type { Range } from '../tree.ts'
import { afterBreak, lineEndAt } from './lines.ts'

/* Inputs on which satteri 0.10 takes quadratic time or memory, found by feeding it repeated pieces of Markdown. Each
   function returns the offsets of characters that the parser must not interpret. Ordinary pages stay far below all
   of these limits, and a hostile page of 1 MiB takes a fraction of a second. */

/**
 * Returns the first mark above the limit on each line: the quote sign itself, or the space that turns a dash into a
 * list item.
 */
export function deepMarks(source: string): number[] {
  const found: number[] = []
  const mark = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])|\[\^[^\][\s]{1,200}\]:)/y
  for (let line = 0; line < source.length; line = afterBreak(source, lineEndAt(source, line))) {
    mark.lastIndex = line
    for (let count = 0; mark.test(source); count++) {
      const last = mark.lastIndex
      if (count < limits.nesting * 2) continue
      found.push(source[last - 1] === '>' ? last - 1 : last)
      break
    }
  }
  return found
}

const maxWord = 256

/** Returns every `_` in words too long to be real words: at each one the parser looks for an e-mail address. */
export function longWords(source: string): number[] {
  const found: number[] = []
  if (!source.includes('_')) return found
  let start = 0
  for (let at = 0; at <= source.length; at++) {
    if (at < source.length && isWordCode(source.charCodeAt(at))) continue
    if (at - start > maxWord) {
      for (let low = source.indexOf('_', start); low !== -1 && low < at; low = source.indexOf('_', low + 1)) {
        found.push(low)
      }
    }
    start = at + 1
  }
  return found
}

const maxTail = 256
const tail = /(?<![!"')*,.:;?\]_~])[!"')*,.:;?\]_~]{257,}/g

/**
 * Returns characters that end an address without belonging to it: at each of them the parser checks that nothing else
 * follows. In a very long run, only one in `maxTail + 1` is returned.
 */
export function longTails(source: string): number[] {
  const found: number[] = []
  for (const address of source.matchAll(/(?:www\.|:\/\/)\S{257,}/gi)) {
    for (const signs of address[0].matchAll(tail)) {
      const start = address.index + signs.index
      for (let at = maxTail; at < signs[0].length; at += maxTail + 1) found.push(start + at)
    }
  }
  return found
}

/** Whether a character may stand before the `@` of an e-mail address: letters, digits and `+ - . _`. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    (code >= 43 && code <= 46 && code !== 44)
  )
}

/**
 * Returns costly entities: the parser copies the text so far at each one, and a page of `&amp;` takes gigabytes. A
 * table is copied cell by cell, so it costs less, but still something, since what looks like a table need not be one.
 */
export function costlyEntities(source: string): number[] {
  return costly(source, /&/g, 16_000_000, (text) => (isTable(text) ? 1 / 16 : 1 / 2))
}

/**
 * Returns costly bare addresses: the parser scans the paragraph for each one if it contains brackets, tags or extremely
 * long words.
 */
export function costlyAddresses(source: string): number[] {
  const suspicious = (text: string) => /[[<]/.test(text) || (text.length > 1024 && /\S{1024}/.test(text))
  const weight = (text: string) => (isTable(text) ? 1 / 16 : suspicious(text) ? 1 : 0)
  return costly(source, /(?<=www)\.|:(?=\/\/)|@/gi, 30_000_000, weight)
}

const isTable = (text: string): boolean =>
  /^[^\r\n]*(?:\r\n|\r|\n)[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|/.test(text.slice(0, 2000))

/** Returns the offsets of a pattern in the paragraphs where it occurs so often that it costs too much. */
function costly(source: string, pattern: RegExp, pageBudget: number, weight: (text: string) => number): number[] {
  const found: number[] = []
  if (source.search(pattern) === -1) return found
  let budget = pageBudget
  for (const { start, end } of paragraphs(source)) {
    const text = source.slice(start, end)
    const count = text.match(pattern)?.length ?? 0
    const cost = count === 0 ? 0 : count * text.length * weight(text)
    if (cost <= budget) budget -= cost
    else for (const match of text.matchAll(pattern)) found.push(start + match.index)
  }
  return found
}

/**
 * Yields groups of lines that belong together. A group may contain several paragraphs: only lines that surely divide
 * are used, such as a blank line or the mark of a list item.
 */
function* paragraphs(source: string): Generator<Range> {
  const divides = /^ {0,3}(?:[-+*][ \t]+\S|#{1,6}[ \t]|$)/
  let start = 0
  for (let line = 0; line < source.length;) {
    const end = lineEndAt(source, line)
    if (line > start && divides.test(source.slice(line, Math.min(end, line + 80)).trimEnd())) {
      yield { start, end: line }
      start = line
    }
    line = afterBreak(source, end)
  }
  yield { start, end: source.length }
}

const special = /[`*_[\]<~!&$|@:.\\]/g

/** Lines that open an HTML block in any case: the parser looks for nothing inside them. */
const htmlLine = /^ {0,3}(?:> {0,3})*<(?:table|div|figure|details|p|ul|ol|dl|section|center)[\s>]/i

/**
 * Returns special characters in long lines that are not pure ASCII: for each node the parser counts characters from the
 * start of the line. `swapped` are the offsets that will hold a non-ASCII character.
 */
export function costlyLines(source: string, swapped: readonly number[]): number[] {
  const found: number[] = []
  let budget = 32_000_000
  let next = 0
  for (let line = 0; line < source.length;) {
    const end = lineEndAt(source, line)
    const before = next
    while ((swapped[next] ?? Infinity) < end) next++
    if (end - line > 2048) {
      const text = source.slice(line, end)
      const plain = next === before && !/\P{ASCII}/u.test(text)
      const cost = plain || htmlLine.test(text) ? 0 : (text.match(special)?.length ?? 0) * text.length
      if (cost <= budget) budget -= cost
      else for (const match of text.matchAll(special)) found.push(line + match.index)
    }
    line = afterBreak(source, end)
  }
  return found
}
