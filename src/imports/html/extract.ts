import { type Element, type Node, attribute, childrenOf, classesOf, isElement } from './elements.ts'

/** Names of elements that surround the content, on pages of all kinds. */
const chrome =
  /(^|[-_])(nav(bar|igation)?|menu|sidebar|footer|header|breadcrumbs?|toc|pagination|cookie|banner|social|share|related|comments?|advert|promo|search)([-_]|$)/i

const aside = new Set([
  'nav',
  'footer',
  'aside',
  'form',
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'button',
  'select',
])

interface Weight {
  /** The number of characters of text. */
  text: number
  linked: number
}

/**
 * Finds the content of an unknown page: the innermost element that contains most of the running text. The text of links
 * counts against an element, and elements whose names mark them as surroundings of the content do not count at all.
 */
export function extract(root: Node): Element | undefined {
  const weights = new Map<Node, Weight>()
  const total = weigh(root, weights, 0)
  if (total.text === 0) return undefined
  let best: Node = root
  for (;;) {
    const heaviest: Element | undefined = childrenOf(best)
      .filter(isElement)
      .toSorted((a, b) => scoreOf(weights.get(b)) - scoreOf(weights.get(a)))[0]
    if (!heaviest || scoreOf(weights.get(heaviest)) < 0.75 * scoreOf(weights.get(best))) break
    if (isText(heaviest)) break
    best = heaviest
  }
  return isElement(best) ? best : undefined
}

const scoreOf = (weight: Weight | undefined) => (weight ? Math.max(weight.text - weight.linked, 0) : 0)

const isText = ({ tagName }: Element) =>
  ['p', 'pre', 'ul', 'ol', 'table', 'blockquote', 'li', 'tbody', 'dl'].includes(tagName)

const maxDepth = 500

function weigh(node: Node, weights: Map<Node, Weight>, depth: number): Weight {
  const weight: Weight = { text: 0, linked: 0 }
  if (depth > maxDepth || (isElement(node) && isChrome(node))) return weight
  if (node.type === 'text') weight.text = node.value.trim().length
  for (const child of childrenOf(node)) {
    const { text, linked } = weigh(child, weights, depth + 1)
    weight.text += text
    weight.linked += linked
  }
  if (isElement(node) && node.tagName === 'a') weight.linked = weight.text
  weights.set(node, weight)
  return weight
}

function isChrome(element: Element): boolean {
  if (aside.has(element.tagName)) return true
  if (['body', 'html', 'main', 'article'].includes(element.tagName)) return false
  const role = attribute(element, 'role')
  if (role === 'navigation' || role === 'banner' || role === 'contentinfo' || role === 'search') return true
  return [...classesOf(element), attribute(element, 'id') ?? ''].some((name) => chrome.test(name))
}
