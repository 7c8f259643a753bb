import { afterBreak, lineEndAt } from './lines.ts'

/**
 * Returns where a bare address in a table ends at the `|` of its cell. satteri continues to the next blank and takes
 * the cells behind it for a part of the address, so a blank is inserted at these places.
 */
export function addressEnds(source: string): number[] {
  const found: number[] = []
  if (!/https?:\/\//i.test(source) || !source.includes('|')) return found
  let above = { start: 0, end: 0 }
  let isTable = false
  for (let start = 0; start < source.length; start = afterBreak(source, above.end)) {
    const line = { start, end: lineEndAt(source, start) }
    const text = source.slice(line.start, line.end)
    if (marksOnly.test(text)) isTable = false
    else if (isTable) found.push(...endsIn(text, start))
    else if (text.includes('|') && delimiters.test(text)) {
      found.push(...endsIn(source.slice(above.start, above.end), above.start))
      isTable = true
    }
    above = line
  }
  return found
}

/** A line that contains only the marks of the quotes around it. */
const marksOnly = /^[ \t>]*$/
/**
 * No two of its parts can match the same blanks. Otherwise a line of very many blanks would be tried in every way to
 * share them out.
 */
const delimiters = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/

const address = /https?:\/\/(?:\\[^\s<]?|[^\s<|\\])*/gi

function endsIn(line: string, offset: number): number[] {
  return [...line.matchAll(address)]
    .map(({ 0: { length }, index }) => index + length)
    .filter((end) => line[end] === '|')
    .map((end) => offset + end)
}

const blanks = '\f\v\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a'

/**
 * Returns white space that a text does not use, or '' if it uses all candidates. Addresses in such a text stay too
 * long.
 */
export function unusedBlank(text: string): string {
  return [...blanks].find((blank) => !text.includes(blank)) ?? ''
}
