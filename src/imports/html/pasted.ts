import { fromHtml } from 'hast-util-from-html'
import { writeBlocks } from '../../content/markdown/write-blocks.ts'
import { BlocksReader } from './blocks.ts'
import { type Element, type ElementContent, type Root, attribute, elementsIn } from './elements.ts'
import { listsOfParagraphs } from './pasted-lists.ts'
import { styleOf } from './styles.ts'
import { rowsOf } from './tables.ts'
import { findTabs } from './tabs.ts'

/**
 * Converts content that was copied from another program to Markdown. All of it is content, and much of it uses styles
 * where pages use elements.
 */
export function readPasted(html: string): string {
  const root = fromHtml(html, { fragment: true })
  listsOfParagraphs(root)
  giveMeaning(root)
  const context = { resolve: addressOf, keep: () => undefined, footnotes: new Map<string, string>() }
  return writeBlocks(new BlocksReader(context, findTabs(frameOf(root))).read(root.children))
}

const frameOf = ({ children }: Root): Element => ({
  type: 'element',
  tagName: 'div',
  properties: {},
  children: children as ElementContent[],
})

/** Relative addresses cannot be resolved, and files on the disk of the user are not accessible to others. */
const addressOf = (href: string) =>
  /^(https?|mailto|tel):/i.test(href) && URL.canParse(href) ? leadingOn(new URL(href)) : undefined

/** Links in documents of Google lead through a redirect of Google. Returns the target. */
function leadingOn({ hostname, pathname, searchParams, href }: URL): string {
  const to = hostname === 'www.google.com' && pathname === '/url' ? searchParams.get('q') : null
  return to !== null && /^https?:/i.test(to) && URL.canParse(to) ? new URL(to).href : href
}

/** Replaces styles by elements, from the outside to the inside, at any depth. */
function giveMeaning(root: Root): void {
  const stack = elementsIn(root).map((element) => ({ element, isInHeading: false }))
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { element } = next
    const isInHeading = next.isInHeading || /^h[1-6]$/.test(element.tagName)
    if (isInHeading) takeWeight(element)
    mean(element)
    for (const child of elementsIn(element)) stack.push({ element: child, isInHeading })
  }
}

function mean(element: Element): void {
  const { tagName } = element
  if (tagName === 'table') nameColumns(element)
  else if (tagName === 'li' && attribute(element, 'role') === 'checkbox') drawBox(element)
  else if (marksOfTags[tagName] !== undefined && isDenied(element)) element.tagName = 'span'
  else if (tagName === 'span' || tagName === 'font') markByStyle(element)
}

const marksOfTags: Record<string, 'weight' | 'slant'> = { b: 'weight', strong: 'weight', i: 'slant', em: 'slant' }

/** Google Docs wraps everything that is copied in one `<b>`, which is not bold. */
function isDenied(element: Element): boolean {
  const style = styleOf(element)
  if (marksOfTags[element.tagName] === 'slant') return style.get('font-style') === 'normal'
  return /^(normal|[1-5]\d\d)$/.test(style.get('font-weight') ?? '')
}

function markByStyle(element: Element): void {
  const [first, ...others] = tagsByStyle(element)
  if (first === undefined) return
  element.tagName = first
  // The outermost mark replaces the element, and the others are nested in it.
  element.children = others.reduceRight<ElementContent[]>(
    (children, tagName) => [{ type: 'element', tagName, properties: {}, children }],
    element.children,
  )
}

function tagsByStyle(element: Element): string[] {
  const style = styleOf(element)
  const says = (name: string, what: RegExp) => what.test(style.get(name) ?? '')
  if (says('font-family', /courier|consolas|menlo|monaco|\bmono(space)?\b/)) return ['code']
  return [
    says('font-weight', /^(bold|[6-9]\d\d)/) && 'strong',
    says('font-style', /^italic/) && 'em',
    (says('text-decoration', /line-through/) || says('text-decoration-line', /line-through/)) && 'del',
    says('vertical-align', /^super/) && 'sup',
    says('vertical-align', /^sub/) && 'sub',
  ].filter((tag) => tag !== false)
}

/** Removes the weight of an element in a heading, which is bold anyway. */
function takeWeight(element: Element): void {
  if (marksOfTags[element.tagName] === 'weight') element.tagName = 'span'
  const style = styleOf(element)
  if (!style.has('font-weight')) return
  const others = [...style].filter(([name]) => name !== 'font-weight')
  element.properties['style'] = others.map(([name, value]) => `${name}:${value}`).join(';')
}

/** A table copied from a spreadsheet has no head. Its first row is used as one. */
function nameColumns(table: Element): void {
  const rows = rowsOf(table)
  const isNamed = rows.some((row) => elementsIn(row).some(({ tagName }) => tagName === 'th'))
  if (isNamed || rows.length < 2) return
  for (const cell of elementsIn(rows[0]!)) if (cell.tagName === 'td') cell.tagName = 'th'
}

/** Replaces the picture that Google Docs draws for the checkbox of a task. */
function drawBox(item: Element): void {
  const checked = attribute(item, 'ariaChecked') === 'true'
  const box: Element = { type: 'element', tagName: 'input', properties: { type: 'checkbox', checked }, children: [] }
  const rest = item.children.filter((child) => child.type !== 'element' || child.tagName !== 'img')
  item.children = [box, ...rest]
}
