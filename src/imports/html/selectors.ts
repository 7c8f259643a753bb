import { type Element, type Node, attribute, classesOf, everyElement, isElement } from './elements.ts'

/** `tag`, `.class`, `.starts-with*`, `#id`, `[attribute]`, `[attribute=value]`, combined, and nested: `aside nav`. */
export type Selector = string

/**
 * Finds the first match within a node, or among elements that were listed before, because a page is searched many
 * times.
 */
export function findFirst(node: Node | readonly Element[], selectors: readonly Selector[]): Element | undefined {
  for (const selector of selectors) {
    const [found] = findAll(node, selector)
    if (found) return found
  }
  return undefined
}

function findAll(node: Node | readonly Element[], selector: Selector): Element[] {
  const parts = selector.split(' ').map(compile)
  const all = isList(node) ? node : [...everyElement(node)]
  let found: Element[] = all.filter(parts[0]!)
  for (const part of parts.slice(1)) {
    found = [...new Set(found.flatMap((each) => [...everyElement(each)].filter(part)))]
  }
  return found
}

const isList = (node: Node | readonly Element[]): node is readonly Element[] => Array.isArray(node)

/**
 * Returns a function that reports whether an element matches a selector. Of a selector with several steps, only the
 * last one counts.
 */
export function matcher(selectors: readonly Selector[]): (node: Node) => boolean {
  const all = selectors.map((selector) => compile(selector.split(' ').at(-1)!))
  return (node) => isElement(node) && all.some((matches) => matches(node))
}

const known = new Map<string, (element: Element) => boolean>()

function compile(simple: string): (element: Element) => boolean {
  let made = known.get(simple)
  if (!made) known.set(simple, (made = compileNew(simple)))
  return made
}

function compileNew(simple: string): (element: Element) => boolean {
  const [tag] = /^[a-z][a-z0-9-]*/.exec(simple) ?? []
  const checks: ((element: Element) => boolean)[] = tag ? [(element) => element.tagName === tag] : []
  for (const [, mark, name, attributeName, value] of simple.matchAll(/([.#])([\w*-]+)|\[([\w-]+)(?:=([^\]]*))?\]/g)) {
    if (mark === '#') checks.push((element) => attribute(element, 'id') === name)
    else if (mark === '.') checks.push(hasClass(name!))
    else checks.push(hasAttribute(propertyOf(attributeName!), value))
  }
  return (element) => checks.every((check) => check(element))
}

function hasClass(name: string): (element: Element) => boolean {
  if (!name.endsWith('*')) return (element) => classesOf(element).includes(name)
  const start = name.slice(0, -1)
  return (element) => classesOf(element).some((each) => each.startsWith(start))
}

function hasAttribute(name: string, value: string | undefined): (element: Element) => boolean {
  return (element) => {
    const given = attribute(element, name)
    return value === undefined ? given !== undefined : given === value
  }
}

/** hast uses the names of DOM properties. */
const propertyOf = (name: string) =>
  /^(data|aria)-/.test(name) || name === 'item-prop'
    ? name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    : ({ itemprop: 'itemProp', class: 'className', for: 'htmlFor' }[name] ?? name)
