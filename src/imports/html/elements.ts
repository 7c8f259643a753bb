import type { Element, ElementContent, Root, RootContent } from 'hast'

export type Node = Root | RootContent
export type { Element, ElementContent, Root }

export const isElement = (node: Node | undefined): node is Element => node?.type === 'element'

/** Returns an attribute as text. hast represents some attributes as lists, numbers or booleans. */
export function attribute({ properties }: Element, name: string): string | undefined {
  const value = properties[name]
  if (value === undefined || value === null || value === false) return undefined
  if (Array.isArray(value)) return value.join(' ')
  return value === true ? '' : String(value)
}

export const classesOf = ({ properties }: Element): string[] =>
  Array.isArray(properties.className) ? properties.className.map(String) : []

export const childrenOf = (node: Node): readonly Node[] => ('children' in node ? node.children : [])

export const elementsIn = (node: Node): Element[] => childrenOf(node).filter(isElement)

/** Yields all elements below a node, in source order. Not recursive, because deep nesting would exhaust the stack. */
export function* everyElement(node: Node): Generator<Element> {
  const stack = childrenOf(node).toReversed()
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (!isElement(next)) continue
    yield next
    for (let index = next.children.length - 1; index >= 0; index--) stack.push(next.children[index]!)
  }
}

/** Returns all text below a node, without changes. */
export function textOf(node: Node): string {
  let text = ''
  const stack: Node[] = [node]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.type === 'text') text += next.value
    else if (isElement(next) && next.tagName === 'br') text += '\n'
    else for (const child of childrenOf(next).toReversed()) stack.push(child)
  }
  return text
}

/** Returns the text below a node in one line, as a reader sees it. */
export const wordsOf = (node: Node): string => textOf(node).replace(/\s+/g, ' ').trim()

/** Removes all elements that match, at any depth. */
export function remove(node: Node, matches: (element: Element) => boolean): void {
  const stack: Node[] = [node]
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (!('children' in next)) continue
    const kept = (next.children as Node[]).filter((child) => !(isElement(child) && matches(child)))
    next.children = kept as never
    for (const child of kept) stack.push(child)
  }
}
