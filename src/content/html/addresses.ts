import type * as hast from 'hast'
import type { HtmlWriter } from '../blocks/kind.ts'

/** Leads the addresses of raw HTML through the same doors as those of Markdown; one that is refused goes. */
export function withAddresses(node: hast.Nodes, draw: Pick<HtmlWriter, 'link' | 'image'>, depth = 0): void {
  if (!('children' in node) || depth > 256) return
  if (node.type === 'element') {
    const { properties } = node
    replace(properties, 'href', draw.link)
    for (const name of ['src', 'poster', 'srcSet']) replace(properties, name, draw.image)
  }
  for (const child of node.children) withAddresses(child, draw, depth + 1)
}

function replace(properties: hast.Properties, name: string, resolve: (address: string) => string | undefined): void {
  const value = properties[name]
  if (value === undefined || value === null) return
  const address = resolve(Array.isArray(value) ? value.join(', ') : String(value))
  if (address === undefined) delete properties[name]
  else properties[name] = address
}
