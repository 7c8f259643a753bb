import type * as hast from 'hast'
import { toHast } from '../markdown/parser.ts'
import { isVoidElement } from './tags.ts'

/** Elements nested deeper than any page needs. The parser takes quadratic time on them, and later steps recurse. */
const maxDepth = 256

/** A piece of HTML as a tree; one nested beyond all measure is taken for a text. */
export function readFragment(html: string): hast.Root {
  return isTooDeep(html) ? { type: 'root', children: [{ type: 'text', value: html }] } : toHast(html)
}

/**
 * Whether the parser would nest elements too deep, or make far more of them than are written: what is left open of bold and
 * the like, it opens anew in each block behind that. Where it might read tags otherwise than we do, nothing counts as closed.
 */
export function isTooDeep(html: string): boolean {
  if (countOpened(html) <= maxDepth) return false
  const open = new Map<string, number>()
  const formats = new Formats()
  let [depth, tags, anew] = [0, 0, 0]
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const { end, name, closing } = readMarkup(html, at)
    if (end === undefined) return true
    if (name !== '') {
      const before = open.get(name) ?? 0
      const step = closing ? (before > 0 ? -1 : 0) : isVoidElement(name) ? 0 : 1
      open.set(name, before + step)
      depth += step
      tags += 1
      if (isFormat.has(name)) formats.count(name, html.slice(at, end), closing)
      else anew += formats.left
      if (depth > maxDepth || anew > 4 * tags + 20_000) return true
    }
    at = end
    if (!closing && keepsText.has(name)) {
      const rest = html.slice(end).search(new RegExp(`</${name}(?=[\\s/>])`, 'i'))
      if (rest === -1) return true
      at += rest
      // Or markup after all, as in a drawing.
      const within = countOpened(html.slice(end, at))
      depth += within
      formats.left += within
    }
  }
  return false
}

const countOpened = (html: string): number => html.match(/<[a-z]/gi)?.length ?? 0

const isFormat = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/** What stands in these is text, most often. */
const keepsText = new Set('iframe noembed noframes noscript plaintext script style textarea title xmp'.split(' '))

const tag = /<(\/?)([a-z][a-z0-9-]*)(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>/iy

/** What begins with this `<`: a tag, a comment or a sign. Without an end, it may be anything. */
function readMarkup(html: string, at: number): { end: number | undefined; name: string; closing: boolean } {
  tag.lastIndex = at
  const [, slash, name = ''] = tag.exec(html) ?? []
  if (name !== '') return { end: tag.lastIndex, name: name.toLowerCase(), closing: slash !== '' }
  const isSign = !/[a-z/!?]/i.test(html.charAt(at + 1))
  return { end: isSign ? at + 1 : endOfComment(html, at), name, closing: false }
}

/** Of one that ends where everybody says so: two dashes may end it, or not. */
function endOfComment(html: string, at: number): number | undefined {
  const dashes = html.indexOf('--', at + 4)
  const isPlain = html.startsWith('<!--', at) && !/^-?>/.test(html.slice(at + 4, at + 6))
  return isPlain && html.startsWith('-->', dashes) && dashes !== -1 ? dashes + 3 : undefined
}

/** Bold and the like that are open. Of those that are written alike, the parser opens three anew; of links, one. */
class Formats {
  left = 0
  readonly #open = new Map<string, { count: number; kinds: Set<string> }>()

  count(name: string, written: string, closing: boolean): void {
    const known = this.#open.get(name) ?? { count: 0, kinds: new Set<string>() }
    this.#open.set(name, known)
    const before = leftOf(name, known)
    known.count = Math.max(0, known.count + (closing ? -1 : 1))
    if (known.count === 0) known.kinds.clear()
    else if (!closing) known.kinds.add(written)
    this.left += leftOf(name, known) - before
  }
}

const leftOf = (name: string, { count, kinds }: { count: number; kinds: ReadonlySet<string> }) =>
  Math.min(count, name === 'a' || name === 'nobr' ? 1 : 3 * kinds.size)
