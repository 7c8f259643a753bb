import type * as hast from 'hast'
import type { HtmlWriter } from '../blocks/kind.ts'
import { frameAddress } from './frames.ts'
import { withCandidates } from './srcset.ts'

/**
 * Passes the addresses in raw HTML through the same checks as those in Markdown; addresses that are refused are
 * removed.
 */
export function withAddresses(node: hast.Nodes, draw: Pick<HtmlWriter, 'link' | 'image'>, depth = 0): void {
  if (!('children' in node) || depth > 256) return
  if (node.type === 'element') {
    if (node.tagName === 'iframe') leadOutOf(node)
    const { properties } = node
    replace(properties, 'href', draw.link)
    for (const name of ['src', 'poster']) replace(properties, name, draw.image)
    replace(properties, 'srcSet', (list) => withCandidates(list, draw.image))
  }
  for (const child of node.children) withAddresses(child, draw, depth + 1)
}

/** Turns a frame into a link to what it would show. A frame without an address for that is removed later. */
function leadOutOf(frame: hast.Element): void {
  const href = frameAddress(frame.properties['src'])
  if (href === undefined) return
  frame.tagName = 'a'
  frame.properties = { href }
  frame.children = [{ type: 'text', value: href }]
}

function replace(properties: hast.Properties, name: string, resolve: (address: string) => string | undefined): void {
  const value = properties[name]
  if (value === undefined || value === null) return
  const address = resolve(Array.isArray(value) ? value.join(', ') : String(value))
  if (address === undefined) delete properties[name]
  else properties[name] = address
}
