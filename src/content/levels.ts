import { limits } from './limits.ts'

/**
 * Pages that come from elsewhere, each with those below it in a field. What stands further down than pages may stands on the
 * last level, in the order it had. `above` is how many levels there are above them.
 */
export function onLevels<Node extends object>(nodes: readonly Node[], field: keyof Node, above = 0): Node[] {
  const below = (node: Node) => node[field] as Node[]
  if (above + 1 < limits.pageLevels)
    return nodes.map((node) => ({ ...node, [field]: onLevels(below(node), field, above + 1) }))
  return nodes.flatMap((node) => [{ ...node, [field]: [] }, ...onLevels(below(node), field, above)])
}
