import type { Footnote } from '../../content/blocks/footnote.ts'
import { percentDecoded } from '../../percent.ts'
import type { Context } from './context.ts'
import { type Element, type Node, attribute, classesOf, everyElement, remove, wordsOf } from './elements.ts'

/** The texts of footnotes, removed from the page. They are added at its end. */
export interface FoundFootnotes {
  labels: Map<string, string>
  texts: { label: string; element: Element }[]
}

export function takeFootnotes(root: Node): FoundFootnotes {
  const linked = linkedIds(root)
  const labels = new Map<string, string>()
  const texts: FoundFootnotes['texts'] = []
  for (const element of everyElement(root)) {
    const id = attribute(element, 'id')
    if (id === undefined || labels.has(id) || !isText(element, id) || !linked.has(id)) continue
    const label = String(texts.length + 1)
    labels.set(id, label)
    texts.push({ label, element })
  }
  const taken = new Set(texts.map(({ element }) => element))
  remove(root, (element) => taken.has(element))
  // The elements around them are empty after that, except for a line or a heading.
  remove(root, (element) => texts.length > 0 && isHolder(element) && wordsOf(element).length < 40)
  return { labels, texts }
}

/** `fn1`, `fn:1`, `user-content-fn-1`, `footnote-1`, but not the link back from the footnote. */
const isId = (id: string) => /^(user-content-)?(fn|footnote|cite_note|ftn)[-:._]?[\w-]*$/i.test(id) && !/ref/i.test(id)

function isText(element: Element, id: string): boolean {
  const { tagName } = element
  const isFootnote = classesOf(element).some((name) => /^footnote(-definition)?$/.test(name))
  if (isFootnote && (tagName === 'aside' || tagName === 'div' || tagName === 'dd')) return true
  return isId(id) && ['li', 'aside', 'div', 'p', 'dd'].includes(tagName)
}

const isHolder = (element: Element) =>
  attribute(element, 'dataFootnotes') !== undefined ||
  classesOf(element).some((name) => /^footnotes?(-list)?$/.test(name))

function linkedIds(root: Node): Set<string> {
  const ids = new Set<string>()
  for (const element of everyElement(root)) {
    const href = element.tagName === 'a' ? attribute(element, 'href') : undefined
    if (href?.startsWith('#')) ids.add(anchorIn(href))
  }
  return ids
}

/** Returns the id that `#…` refers to. */
export function anchorIn(href: string): string {
  const anchor = href.slice(1)
  return percentDecoded(anchor) ?? anchor
}

export function footnoteBlocks({ texts }: FoundFootnotes, context: Context): Footnote[] {
  return texts.map(({ label, element }) => {
    remove(element, isWayBack)
    return { type: 'footnote', label, blocks: context.blocks(element.children) }
  })
}

/** Whether this is the arrow back to the reference, or the number in front of the footnote. */
function isWayBack(element: Element): boolean {
  const classes = classesOf(element)
  if (element.tagName === 'span' && classes.includes('label')) return true
  if (element.tagName !== 'a') return false
  const href = attribute(element, 'href') ?? ''
  return attribute(element, 'dataFootnoteBackref') !== undefined || (href.startsWith('#') && /ref/i.test(href)) ||
    classes.some((name) => /back-?(ref|link)|footnote-back/.test(name)) // prettier-ignore
}
