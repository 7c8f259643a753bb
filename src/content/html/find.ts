import type * as hast from 'hast'

/** The elements directly below a node, text between them left out. */
export function childElements(node: hast.Parents): hast.Element[] {
  const children: readonly hast.Nodes[] = node.children
  return children.filter((child): child is hast.Element => child.type === 'element')
}

/** Elements of some names below a node, in order; one inside another is not looked for. */
export function* findElements(node: hast.Parents, names: readonly string[], depth = 0): Generator<hast.Element> {
  if (depth > 64) return
  for (const child of childElements(node)) {
    if (names.includes(child.tagName)) yield child
    else yield* findElements(child, names, depth + 1)
  }
}
