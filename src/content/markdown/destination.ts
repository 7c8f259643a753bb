import type { Range } from '../tree.ts'

/** Writes an address for use in `[text](…)`. Returns an empty text if there is no address. */
export function writeDestination(href: string): string {
  const escaped = escapeWords(href.replace(/[\r\n]+/g, '%0A'))
  if (/^[^\s<>()\p{Cc}][^\s()\p{Cc}]*$/u.test(href)) return escaped
  return href === '' ? '' : `<${escaped.replace(/[<>]/g, '\\$&')}>`
}

/**
 * Escapes backslashes and entities for places where Markdown interprets nothing else: in addresses and after a fence.
 */
export const escapeWords = (text: string): string =>
  text.replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\').replace(entityStart, '&amp;')

const entityStart = /&(?=#?[a-zA-Z0-9]+;)/g

/** Writes ` "title"`, to be put directly behind the address. */
export function writeTitle(title: string | undefined): string {
  if (title === undefined) return ''
  const escaped = title
    .replace(/["\\]/g, '\\$&')
    .replace(entityStart, '&amp;')
    .replace(/(?:\r?\n|\r)+/g, '\n')
  return ` "${escaped}"`
}

/**
 * Finds the address of a link in its source, which ends with `](address "title")`. The search goes from the end,
 * because the text may contain anything that looks like a link; `href` distinguishes the address from a title that
 * looks like one. It gives up after a few tries: no genuine title is full of `](`.
 */
export function findDestination(source: string, href: string): Range | undefined {
  let at = source.length
  for (let tries = 0; tries < 16 && at > 0; tries++) {
    at = source.lastIndexOf('](', at - 1)
    if (at === -1) return undefined
    const place = destinationAt(source, at + 2)
    if (place && sameAddress(source.slice(place.start, place.end), href)) return place
  }
  return undefined
}

// No address is longer than 8 KiB.
const plainDestination = /[\s>]{0,999}(?:<([^<>\r\n]{0,8192})>|((?:\\.|[^\s\\<])(?:\\.|[^\s\\]){0,8192}))/dy

function destinationAt(source: string, start: number): Range | undefined {
  plainDestination.lastIndex = start
  const match = plainDestination.exec(source)
  if (!match) return undefined
  const pointed = match.indices?.[1]
  if (pointed) return { start: pointed[0], end: pointed[1] }
  const [from, to] = match.indices?.[2] ?? [start, start]
  return { start: from, end: from + balancedLength(source.slice(from, to)) }
}

/** Returns the length of an address, which ends at the first parenthesis that was not opened in it. */
function balancedLength(text: string): number {
  let open = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') open++
    else if (character === ')' && open-- === 0) return at
  }
  return text.length
}

/**
 * Whether the written address is `href` once its escapes are decoded. If it contains `&`, it is accepted without
 * comparing any further.
 */
function sameAddress(written: string, href: string): boolean {
  if (written === href) return true
  return written.replace(/\\(?=[!-/:-@[-`{-~])/g, '').replaceAll('&amp;', '&') === href || written.includes('&')
}
