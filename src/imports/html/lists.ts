import type { Block } from '../../content/blocks.ts'
import type { List, ListItem } from '../../content/blocks/list.ts'
import type { BlockReader, Context } from './context.ts'
import {
  type Element,
  type Node,
  attribute,
  classesOf,
  elementsIn,
  everyElement,
  isElement,
  textOf,
} from './elements.ts'

/** Reads lists, including nested lists and tasks. */
export const readList: BlockReader = (element, context) => {
  const { tagName } = element
  if (tagName === 'dl') return definitionsOf(element, context)
  if (!listTags.has(tagName)) return undefined
  const isConfluence = classesOf(element).includes('inline-task-list')
  const items = itemsOf(element, context, isConfluence)
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

/** Appends blocks. Notion writes a list for each item, so consecutive lists are merged. */
export function append(blocks: Block[], made: readonly Block[], element: Element): void {
  const [last, next] = [blocks.at(-1), made[0]]
  const isPart = classesOf(element).some((name) => /^(bulleted|numbered|to-do)-list$/.test(name))
  if (!isPart || last?.type !== 'list' || next?.type !== 'list' || last.kind !== next.kind) blocks.push(...made)
  else
    blocks[blocks.length - 1] = { ...last, loose: last.loose || next.loose, blocks: [...last.blocks, ...next.blocks] }
}

/**
 * Returns the items of a list. A list directly between the items, where only items are allowed, becomes part of the
 * item before it.
 */
function itemsOf(list: Element, context: Context, isConfluence: boolean): ListItem[] {
  const items: ListItem[] = []
  for (const child of list.children) {
    const last = items.at(-1)
    if (last && isElement(child) && listTags.has(child.tagName))
      items[items.length - 1] = { ...last, blocks: [...last.blocks, ...context.blocks([child])] }
    else items.push(...itemFrom(child, context, isConfluence))
  }
  return items
}

const listTags = new Set(['ul', 'ol', 'menu'])

function itemFrom(child: Node, context: Context, isConfluence: boolean): ListItem[] {
  if (!isElement(child)) return child.type === 'text' && child.value.trim() !== '' ? [itemOf([child], context)] : []
  const checked = isConfluence ? classesOf(child).includes('checked') : isChecked(child)
  return [itemOf(child.tagName === 'li' ? child.children : [child], context, checked)]
}

function itemOf(nodes: readonly Node[], context: Context, checked?: boolean): ListItem {
  const blocks = context.blocks(nodes)
  return {
    type: 'list-item',
    ...(checked !== undefined && { checked }),
    blocks: blocks.length > 0 ? blocks : [{ type: 'paragraph', inlines: [] }],
  }
}

/**
 * Returns the state of the checkbox at the start of an item, not of one in a nested list. Notion draws its own
 * checkboxes.
 */
function isChecked(item: Element): boolean | undefined {
  for (const element of everyElement(item)) {
    if (element.tagName === 'ul' || element.tagName === 'ol') return undefined
    if (element.tagName === 'input' && attribute(element, 'type') === 'checkbox')
      return attribute(element, 'checked') !== undefined
    if (classesOf(element).includes('checkbox-on')) return true
    if (classesOf(element).includes('checkbox-off')) return false
  }
  return undefined
}

const withoutBox = ({ checked: _checked, ...item }: ListItem): ListItem => item

const isLoose = ({ blocks }: ListItem) =>
  blocks.filter(({ type }) => type !== 'list').length > 1 ||
  blocks.some(({ type }) => type !== 'list' && type !== 'paragraph')

/** Writes each term in bold, with its meaning below it. */
function definitionsOf(element: Element, context: Context): Block[] {
  const parts = elementsIn(element).flatMap((each) => (each.tagName === 'div' ? elementsIn(each) : [each]))
  return parts.flatMap((part): Block[] => {
    if (part.tagName !== 'dt') return context.blocks(part.children)
    if (textOf(part).trim() === '') return []
    return [{ type: 'paragraph', inlines: [{ type: 'strong', inlines: context.inlines(part.children) }] }]
  })
}
