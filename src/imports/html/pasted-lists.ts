import {
  type Element,
  type ElementContent,
  type Root,
  attribute,
  classesOf,
  elementsIn,
  everyElement,
  isElement,
  remove,
  textOf,
} from './elements.ts'
import { styleOf } from './styles.ts'

/** A list item as Word stores it: items are siblings, each with its depth. */
interface Item {
  depth: number
  kind: 'ul' | 'ol'
  /** The number in front of it. */
  number: number
  children: ElementContent[]
}

/** The deepest level of Word. Deeper items are placed on it. */
const deepest = 9

/** Builds lists from what Word copies instead: paragraphs with a sign in front, or a separate list for each item. */
export function listsOfParagraphs(root: Root): void {
  for (const parent of [root, ...everyElement(root)]) parent.children = withLists(parent.children as ElementContent[])
}

function withLists(nodes: readonly ElementContent[]): ElementContent[] {
  const made: ElementContent[] = []
  let items: Item[] = []
  const flush = () => {
    made.push(...nested(items))
    items = []
  }
  for (const node of nodes) {
    const item = isElement(node) ? itemIn(node) : undefined
    if (item) items.push(item)
    // Between two paragraphs, Word puts line breaks, and comments for other programs.
    else if (items.length === 0 || isElement(node) || (node.type === 'text' && node.value.trim() !== '')) {
      flush()
      made.push(node)
    }
  }
  flush()
  return made
}

function itemIn(element: Element): Item | undefined {
  return element.tagName === 'p' ? paragraphItem(element) : wrappedItem(element)
}

/** Reads an item of Word on the desktop. The sign in front determines the kind of list. */
function paragraphItem(paragraph: Element): Item | undefined {
  const depth = /\blevel(\d)\b/.exec(styleOf(paragraph).get('mso-list') ?? '')?.[1]
  if (depth === undefined) return undefined
  const isSign = (each: Element) => styleOf(each).get('mso-list') === 'ignore'
  const signs = elementsIn(paragraph).flatMap((each) => [each, ...everyElement(each)].filter(isSign))
  const sign = signs.map(textOf).join('').trim()
  remove(paragraph, isSign)
  return {
    depth: Number(depth),
    kind: /^\(?\w{1,5}[.)]/.test(sign) ? 'ol' : 'ul',
    number: Number(/^\(?(\d{1,5})[.)]+$/.exec(sign)?.[1] ?? 1),
    children: paragraph.children,
  }
}

/** Reads an item of Word in a browser. */
function wrappedItem(wrapper: Element): Item | undefined {
  if (!classesOf(wrapper).includes('ListContainerWrapper')) return undefined
  const [list, ...others] = elementsIn(wrapper)
  const [item, ...more] = list ? elementsIn(list) : []
  if (!item || others.length > 0 || more.length > 0 || item.tagName !== 'li') return undefined
  const depth = Number(attribute(item, 'dataAriaLevel') ?? attribute(item, 'ariaLevel') ?? 1)
  return {
    depth: depth >= 1 ? Math.min(depth, deepest) : 1,
    kind: list!.tagName === 'ol' ? 'ol' : 'ul',
    number: Number(attribute(list!, 'start') ?? 1),
    children: item.children,
  }
}

/** Nests the items in lists. An item of another kind begins another list. */
function nested(items: readonly Item[]): Element[] {
  const lists: Element[] = []
  let from = 0
  while (from < items.length) {
    const { depth, kind } = items[from]!
    let to = from + 1
    while (to < items.length && (items[to]!.depth > depth || (items[to]!.depth === depth && items[to]!.kind === kind)))
      to++
    lists.push(listOf(items.slice(from, to), kind, depth))
    from = to
  }
  return lists
}

function listOf(items: readonly Item[], kind: Item['kind'], depth: number): Element {
  const children: Element[] = []
  for (let from = 0; from < items.length;) {
    let to = from + 1
    while (to < items.length && items[to]!.depth > depth) to++
    const within = nested(items.slice(from + 1, to))
    children.push({
      type: 'element',
      tagName: 'li',
      properties: {},
      children: [...items[from]!.children, ...within],
    })
    from = to
  }
  return { type: 'element', tagName: kind, properties: { start: items[0]!.number }, children }
}
