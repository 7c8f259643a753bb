import { limits } from './limits.ts'

/**
 * Limits the depth of pages that come from elsewhere, each with its child pages in `field`. Pages that are deeper than
 * allowed are put on the last level, in their order. `above` is the number of levels above these pages.
 */
export function onLevels<Node extends object>(nodes: readonly Node[], field: keyof Node, above = 0): Node[] {
  if (above + 1 >= limits.pageLevels) return onOneLevel(nodes, field)
  return nodes.map((node) => ({ ...node, [field]: onLevels(node[field] as Node[], field, above + 1) }))
}

/** Iterates instead of recursing, because these pages can be nested to any depth. */
function onOneLevel<Node extends object>(nodes: readonly Node[], field: keyof Node): Node[] {
  const flat: Node[] = []
  const waiting = nodes.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    flat.push({ ...node, [field]: [] })
    for (const each of (node[field] as Node[]).toReversed()) waiting.push(each)
  }
  return flat
}
