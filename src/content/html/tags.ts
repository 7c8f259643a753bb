import type { Range } from '../tree.ts'

/** One tag in the text. `attributes` have the positions of their values, so that an address can be replaced. */
export interface HtmlTag extends Range {
  readonly name: string
  readonly closing: boolean
  readonly attributes: readonly HtmlAttribute[]
}

export interface HtmlAttribute extends Range {
  readonly name: string
  /** As written, with entities not decoded. */
  readonly value: string
}

const voidElements = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

export const isVoidElement = (name: string): boolean => voidElements.has(name)

/** Yields the tags of a piece of HTML in order; comments and stray `<` are skipped. Reads each character once. */
export function* scanTags(html: string): Generator<HtmlTag> {
  let at = html.indexOf('<')
  while (at !== -1) {
    let next = at + 1
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4)
      if (end === -1) return
      next = end + 3
    } else {
      const tag = readTag(html, at)
      if (tag === 'unfinished') return
      if (tag) {
        yield tag
        next = tag.end
      }
    }
    at = html.indexOf('<', next)
  }
}

const tagStart = /<(\/?)([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])/y
const attribute = /[\s/]*([^\s/>="'<]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/dy
const tagEnd = /[\s/]*>/y

/**
 * Reads the tag that begins at an offset; `unfinished` if the text ends inside it, so that the caller stops searching.
 */
export function readTag(html: string, start: number): HtmlTag | 'unfinished' | undefined {
  tagStart.lastIndex = start
  const head = tagStart.exec(html)
  if (!head) return undefined
  const attributes: HtmlAttribute[] = []
  let at = tagStart.lastIndex
  for (;;) {
    tagEnd.lastIndex = at
    if (tagEnd.test(html)) {
      return { name: (head[2] ?? '').toLowerCase(), closing: head[1] === '/', attributes, start, end: tagEnd.lastIndex }
    }
    attribute.lastIndex = at
    const found = attribute.exec(html)
    if (!found) return at >= html.length ? 'unfinished' : undefined
    const [valueStart, valueEnd] = found.indices?.[2] ?? found.indices?.[3] ?? found.indices?.[4] ?? [at, at]
    attributes.push({
      name: (found[1] ?? '').toLowerCase(),
      value: html.slice(valueStart, valueEnd),
      start: valueStart,
      end: valueEnd,
    })
    at = attribute.lastIndex
  }
}
