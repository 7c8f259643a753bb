import type { Block } from '../../content/blocks.ts'
import type { List, ListItem } from '../../content/blocks/list.ts'
import type { BlockReader, Context } from './context.ts'
import { type Element, type Node, attribute, elementsIn, everyElement, isElement, textOf } from './elements.ts'

/** Lists in lists, tasks among them. */
export const readList: BlockReader = (element, context) => {
  const { tagName } = element
  if (tagName === 'dl') return definitionsOf(element, context)
  if (tagName !== 'ul' && tagName !== 'ol' && tagName !== 'menu') return undefined
  const items = element.children.flatMap((child) => itemsOf(child, context))
  if (items.length === 0) return []
  const isTasks = tagName !== 'ol' && items.some(({ checked }) => checked !== undefined)
  const start = Number(attribute(element, 'start') ?? 1)
  const blocks = isTasks ? items.map((item) => ({ ...item, checked: item.checked ?? false })) : items.map(withoutBox)
  const list: List = {
    type: 'list',
    kind: tagName === 'ol' ? 'ordered' : isTasks ? 'tasks' : 'unordered',
    ...(tagName === 'ol' && Number.isInteger(start) && start > 1 && { start }),
    loose: items.some(isLoose),
    blocks,
  }
  return [list]
}

/** Items; lists that stand between items, where only items belong, go with the one before. */
function itemsOf(child: Node, context: Context): ListItem[] {
  if (!isElement(child)) return child.type === 'text' && child.value.trim() !== '' ? [itemOf([child], context)] : []
  return [itemOf(child.tagName === 'li' ? child.children : [child], context, child)]
}

function itemOf(nodes: readonly Node[], context: Context, element?: Element): ListItem {
  const box = element && boxOf(element)
  const blocks = context.blocks(nodes)
  return {
    type: 'list-item',
    ...(box && { checked: attribute(box, 'checked') !== undefined }),
    blocks: blocks.length > 0 ? blocks : [{ type: 'paragraph', inlines: [] }],
  }
}

/** The first thing in an item, not one of a list further in. */
function boxOf(item: Element): Element | undefined {
  for (const element of everyElement(item)) {
    if (element.tagName === 'ul' || element.tagName === 'ol') return undefined
    if (element.tagName === 'input' && attribute(element, 'type') === 'checkbox') return element
  }
  return undefined
}

const withoutBox = ({ checked: _checked, ...item }: ListItem): ListItem => item

const isLoose = ({ blocks }: ListItem) =>
  blocks.filter(({ type }) => type !== 'list').length > 1 ||
  blocks.some(({ type }) => type !== 'list' && type !== 'paragraph')

/** A term in bold, and below it what it means. */
function definitionsOf(element: Element, context: Context): Block[] {
  const parts = elementsIn(element).flatMap((each) => (each.tagName === 'div' ? elementsIn(each) : [each]))
  return parts.flatMap((part): Block[] => {
    if (part.tagName !== 'dt') return context.blocks(part.children)
    if (textOf(part).trim() === '') return []
    return [{ type: 'paragraph', inlines: [{ type: 'strong', inlines: context.inlines(part.children) }] }]
  })
}
