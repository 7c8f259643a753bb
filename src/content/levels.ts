import { limits } from './limits.ts'

/**
 * Pages that come from elsewhere, each with those below it in a field. What stands further down than pages may stands on the
 * last level, in the order it had. `above` is how many levels there are above them.
 */
export function onLevels<Node extends object>(nodes: readonly Node[], field: keyof Node, above = 0): Node[] {
  if (above + 1 >= limits.pageLevels) return onOneLevel(nodes, field)
  return nodes.map((node) => ({ ...node, [field]: onLevels(node[field] as Node[], field, above + 1) }))
}

/** One by one: nobody knows how far down they go. */
function onOneLevel<Node extends object>(nodes: readonly Node[], field: keyof Node): Node[] {
  const flat: Node[] = []
  const waiting = nodes.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    flat.push({ ...node, [field]: [] })
    for (const each of (node[field] as Node[]).toReversed()) waiting.push(each)
  }
  return flat
}
