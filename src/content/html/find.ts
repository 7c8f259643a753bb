import type * as hast from 'hast'

/** Returns the elements directly below a node, without the text between them. */
export function childElements(node: hast.Parents): hast.Element[] {
  const children: readonly hast.Nodes[] = node.children
  return children.filter((child): child is hast.Element => child.type === 'element')
}

/** Yields the elements with these names below a node, in order. It does not search inside the ones it finds. */
export function* findElements(node: hast.Parents, names: readonly string[], depth = 0): Generator<hast.Element> {
  if (depth > 64) return
  for (const child of childElements(node)) {
    if (names.includes(child.tagName)) yield child
    else yield* findElements(child, names, depth + 1)
  }
}
