import type * as hast from 'hast'
import { toHast } from '../markdown/parser.ts'
import { isVoidElement, scanTags } from './tags.ts'

/** Elements nested deeper than any page needs. The parser takes quadratic time on them, and later steps recurse. */
const maxDepth = 256

/** A piece of HTML as a tree; one nested beyond all measure is taken for a text. */
export function readFragment(html: string): hast.Root {
  return isTooDeep(html) ? { type: 'root', children: [{ type: 'text', value: html }] } : toHast(html)
}

export function isTooDeep(html: string): boolean {
  let depth = 0
  for (const tag of scanTags(html)) {
    if (!isVoidElement(tag.name)) depth += tag.closing ? -1 : 1
    if (depth > maxDepth) return true
  }
  return false
}
