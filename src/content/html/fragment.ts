import type * as hast from 'hast'
import { toHast } from '../markdown/parser.ts'
import { readMarkup } from './markup.ts'
import { OpenElements, formats } from './open-elements.ts'

/** Deeper than any page needs. The parser takes quadratic time on deeply nested elements, and later steps recurse. */
const maxDepth = 256

/** The parser adds elements that nobody wrote, such as the body of a table. */
const maxDepthRead = 2 * maxDepth

/** Parses HTML into nodes. HTML that is nested too deep becomes text, as it was written. */
export function readFragment(html: string): hast.Root {
  if (isTooDeep(html)) return asText(html)
  const tree = toHast(html)
  // HTML that might be deep was checked before it was parsed. If the parser nests it differently, this check keeps
  // later steps safe.
  return mayBeDeep(html) && depthOf(tree) > maxDepthRead ? asText(html) : tree
}

const asText = (html: string): hast.Root => ({ type: 'root', children: [{ type: 'text', value: html }] })

const mayBeDeep = (html: string): boolean => (html.match(/<[a-z]/gi)?.length ?? 0) > maxDepth

/** Level by level: a tree that is too deep would be too deep for a recursive function as well. */
function depthOf(tree: hast.Root): number {
  let depth = 0
  for (let level: hast.Nodes[] = [tree]; level.length > 0; depth++)
    level = level.flatMap((node) => ('children' in node ? node.children : []))
  return depth
}

/**
 * Whether the parser might nest elements too deep, or create far more of them than are written: it reopens formatting
 * elements that are left open, such as bold, in each block that follows.
 */
export function isTooDeep(html: string): boolean {
  if (!mayBeDeep(html)) return false
  const open = new OpenElements()
  let [tags, anew] = [0, 0]
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const markup = readMarkup(html, at)
    if (!markup) return false
    const { end, name, closing } = markup
    if (open.isElsewhere && isCut(html, at, end)) return true
    const written = html.slice(at, end)
    at = end
    if (name === '') continue
    if (closing) open.close(name)
    else open.open(name, written)
    tags += 1
    if (!formats.has(name)) anew += open.left
    if (open.depth > maxDepth || anew > 4 * tags + 20_000) return true
    if (closing || !keepsText.has(name)) continue
    const until = endOfText(html, end, name)
    const text = html.slice(end, until)
    if (text.includes('<') && (open.isElsewhere || isScriptInScript(name, text))) return true
    at = until
  }
  return false
}

/** Whether a CDATA section would end too early: `<![CDATA[ a > b ]]>` ends later in SVG and MathML than elsewhere. */
const isCut = (html: string, at: number, end: number): boolean =>
  html.startsWith('<![CDATA[', at) && !html.startsWith(']]>', end - 3)

/** The content of these is text, except in SVG and MathML. */
const keepsText = new Set('iframe noembed noframes plaintext script style textarea title xmp'.split(' '))

function endOfText(html: string, from: number, name: string): number {
  if (name === 'plaintext') return html.length
  const ends = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')
  ends.lastIndex = from
  return ends.exec(html)?.index ?? html.length
}

/** In that case, the first end tag belongs to the inner script. */
function isScriptInScript(name: string, text: string): boolean {
  // One pattern for both would begin anew at each comment.
  const comment = name === 'script' ? text.indexOf('<!--') : -1
  return comment !== -1 && /<script/i.test(text.slice(comment))
}
