import {
  type Element,
  type Node,
  attribute,
  childrenOf,
  classesOf,
  elementsIn,
  everyElement,
  isElement,
  remove,
  wordsOf,
} from './elements.ts'
import { silent } from './inlines.ts'

/** An item of a menu: a page, a heading above pages, or both. */
export interface MenuItem {
  title: string
  url?: string
  /** Set instead of `url` if the item itself is a link to somewhere else. */
  link?: string
  items: MenuItem[]
}

/** No menu that people use is longer, or deeper. */
const maxItems = 5_000
const maxDepth = 12

/** A menu as a tree: lists in lists, or headings with links below them. */
export function readMenu(menu: Element, resolve: (href: string) => string | undefined): MenuItem[] {
  const reader = new MenuReader(resolve)
  return reader.read(menu)
}

class MenuReader {
  readonly #resolve: (href: string) => string | undefined
  #left = maxItems

  constructor(resolve: (href: string) => string | undefined) {
    this.#resolve = resolve
  }

  read(node: Node, depth = 0): MenuItem[] {
    const items: MenuItem[] = []
    if (depth > maxDepth) return items
    /** A heading contains everything after it, up to the next heading. */
    let heading: MenuItem | undefined
    const add = (made: MenuItem[]) => (heading ? heading.items.push(...made) : items.push(...made))
    const visit = (element: Element): void => {
      if (silent.has(element.tagName) && element.tagName !== 'button') return
      if (element.tagName === 'li') return void add(this.#item(element, depth))
      if (element.tagName === 'details') return void add(this.#item(element, depth))
      if (classesOf(element).includes('VPSidebarItem')) return void items.push(...this.#vitePressItem(element, depth))
      if (isHeading(element)) {
        const anchor = [...everyElement(element)].find(({ tagName }) => tagName === 'a')
        const own = anchor && this.#link(anchor)[0]
        const title = wordsOf(element)
        if (title !== '') items.push((heading = own ?? { title, items: [] }))
        return
      }
      if (element.tagName === 'a') return void add(this.#link(element))
      for (const child of elementsIn(element)) visit(child)
    }
    for (const child of childrenOf(node)) if (isElement(child)) visit(child)
    return items
  }

  /** An item: its own link or words, and the items of the lists in it. */
  #item(element: Element, depth: number): MenuItem[] {
    const lists = nestedLists(element)
    const below = lists.flatMap((list) => this.read(list, depth + 1))
    const isInList = (each: Element) => lists.some((list) => list === each || [...everyElement(list)].includes(each))
    const anchors = [...everyElement(element)].filter((each) => each.tagName === 'a' && !isInList(each))
    const anchor = anchors.find((each) => attribute(each, 'href') !== undefined)
    const own = anchor ? this.#link(anchor)[0] : undefined
    const title = own?.title || ownWords(element, lists)
    if (!own && below.length === 0) return []
    if (title === '') return below
    if (this.#left-- <= 0) return []
    // A button beside the link, or a heading that links to its first page, belongs to the same item.
    return [{ title, ...(own?.url !== undefined && { url: own.url }), items: below }]
  }

  /** VitePress uses no lists: an item consists of its own link or words (`.item`) and the items in it (`.items`). */
  #vitePressItem(element: Element, depth: number): MenuItem[] {
    const part = (name: string) => elementsIn(element).find((each) => classesOf(each).includes(name))
    const [own, inside] = [part('item'), part('items')]
    const below = inside ? this.read(inside, depth + 1) : []
    const anchor = own && [...everyElement(own)].find(({ tagName }) => tagName === 'a')
    const link = anchor ? this.#link(anchor)[0] : undefined
    const title = link?.title ?? (own ? wordsOf(own) : '')
    if (title === '' || (!link && below.length === 0)) return below
    return [{ title, ...(link?.url !== undefined && { url: link.url }), items: below }]
  }

  #link(element: Element): MenuItem[] {
    const href = attribute(element, 'href')
    const url = href === undefined || href.startsWith('#') ? undefined : this.#resolve(href)
    const title = wordsOf(element)
    if (title === '' || (url === undefined && href !== '#') || this.#left-- <= 0) return []
    return [{ title, ...(url !== undefined && { url }), items: [] }]
  }
}

const isHeading = (element: Element) =>
  /^h[1-6]$/.test(element.tagName) ||
  (element.tagName === 'p' && elementsIn(element).every(({ tagName }) => tagName === 'span') && wordsOf(element) !== '')

/** The nearest lists inside an item. */
function nestedLists(element: Element): Element[] {
  return elementsIn(element).flatMap((child) =>
    child.tagName === 'ul' || child.tagName === 'ol' || child.tagName === 'nav' ? [child] : nestedLists(child),
  )
}

function ownWords(element: Element, lists: readonly Element[]): string {
  const copy = structuredClone(element)
  remove(copy, ({ tagName }) => tagName === 'ul' || tagName === 'ol' || tagName === 'nav' || tagName === 'svg')
  const words = wordsOf(copy)
  return lists.length > 0 || words.length < 200 ? words.slice(0, 200) : ''
}
