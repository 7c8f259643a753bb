import type { Tab, Tabs } from '../../content/blocks/tabs.ts'
import type { BlockReader } from './context.ts'
import { type Element, type Node, attribute, classesOf, elementsIn, everyElement, wordsOf } from './elements.ts'

interface Panel {
  title: string
  content: Element
}

/** The tabs of a page: each list of labels with its panels, wherever the panels are. */
export interface FoundTabs {
  lists: ReadonlyMap<Element, readonly Panel[]>
  panels: ReadonlySet<Element>
}

/** How many levels up to search for the panels of a list. */
const levelsUp = 4

/** Finds tabs that are marked with roles: Docusaurus, Starlight, Mintlify and others. */
export function findTabs(root: Node): FoundTabs {
  const parents = new Map<Element, Element>()
  const found: Element[] = []
  for (const element of everyElement(root)) {
    for (const child of elementsIn(element)) parents.set(child, element)
    if (attribute(element, 'role') === 'tablist') found.push(element)
  }
  const lists = new Map<Element, readonly Panel[]>()
  const panels = new Set<Element>()
  // From the end, so that tabs within a panel are found before the tabs around them.
  for (const list of found.toReversed()) {
    const labels = [...everyElement(list)].filter((each) => attribute(each, 'role') === 'tab')
    const free = panelsNear(list, parents, panels)
    const own = pair(labels, free)
    if (own.length === 0) continue
    lists.set(list, own)
    for (const { content } of own) panels.add(content)
  }
  return { lists, panels }
}

function panelsNear(list: Element, parents: ReadonlyMap<Element, Element>, taken: ReadonlySet<Element>): Element[] {
  let around: Element | undefined = list
  for (let level = 0; level < levelsUp && around; level++) {
    around = parents.get(around)
    const free = around ? [...everyElement(around)].filter((each) => isPanel(each) && !taken.has(each)) : []
    if (free.length > 0) return free
  }
  return []
}

const isPanel = (element: Element) => attribute(element, 'role') === 'tabpanel'

/** Pairs labels with panels by their ids, else by their order. */
function pair(labels: readonly Element[], free: readonly Element[]): Panel[] {
  const byId = new Map(free.map((panel) => [attribute(panel, 'id') ?? '', panel]))
  byId.delete('')
  return labels.flatMap((label, index) => {
    const content = byId.get(attribute(label, 'ariaControls') ?? '') ?? free[index]
    return content ? [{ title: wordsOf(label), content }] : []
  })
}

export const readTabs =
  ({ lists, panels }: FoundTabs): BlockReader =>
  (element, context) => {
    if (panels.has(element)) return []
    const own = lists.get(element) ?? labelled(element) ?? alternating(element)
    if (!own || own.length === 0) return undefined
    const blocks = own.map(({ title, content }, index): Tab => {
      const nodes = content.tagName === 'div' || content.tagName === 'section' ? content.children : [content]
      // The element around code contains its language.
      const isFrame = classesOf(content).some((name) => name.startsWith('language-'))
      return { type: 'tab', title: title || `Tab ${index + 1}`, blocks: context.blocks(isFrame ? [content] : nodes) }
    })
    return [{ type: 'tabs', blocks } satisfies Tabs]
  }

/** Material for MkDocs: `.tabbed-labels` and `.tabbed-content`. VitePress: `.tabs` and `.blocks`. */
function labelled(element: Element): Panel[] | undefined {
  const names = classesOf(element).includes('tabbed-set')
    ? (['tabbed-labels', 'tabbed-content'] as const)
    : classesOf(element).includes('vp-code-group')
      ? (['tabs', 'blocks'] as const)
      : undefined
  const [labels, contents] = (names ?? []).map((name) =>
    elementsIn(element).find((each) => classesOf(each).includes(name)),
  )
  if (!labels || !contents) return undefined
  const titles = [...everyElement(labels)].filter(({ tagName }) => tagName === 'label')
  return pair(titles, elementsIn(contents))
}

/** sphinx-design: a label, its panel, the next label. */
function alternating(element: Element): Panel[] | undefined {
  const isOne = classesOf(element).some((name) => name === 'sd-tab-set' || name === 'tabbed-set')
  if (!isOne) return undefined
  const parts = elementsIn(element)
  const labels = parts.filter(({ tagName }) => tagName === 'label')
  return pair(
    labels,
    parts.filter((each) => classesOf(each).some((name) => name === 'sd-tab-content' || name === 'tabbed-content')),
  )
}
