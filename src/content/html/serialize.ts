import type * as hast from 'hast'
import { attributeName } from './attributes.ts'
import { escapeHtml } from './escape.ts'
import { isVoidElement } from './tags.ts'
import { trusted, type Html } from './template.ts'

/** Writes a sanitized tree as markup. */
export function serialize(nodes: readonly hast.Nodes[]): Html {
  return trusted(nodes.map(write).join(''))
}

function write(node: hast.Nodes): string {
  if (node.type === 'text') return escapeHtml(node.value)
  if (node.type === 'root') return node.children.map(write).join('')
  if (node.type !== 'element') return ''
  const tag = openTag(node)
  return isVoidElement(node.tagName) ? tag : `${tag}${node.children.map(write).join('')}</${node.tagName}>`
}

export function openTag(element: hast.Element): string {
  let tag = `<${element.tagName}`
  for (const [property, value] of Object.entries(element.properties)) {
    if (value === false || value === null || value === undefined) continue
    const name = attributeName(property)
    tag +=
      value === true ? ` ${name}` : ` ${name}="${escapeHtml(Array.isArray(value) ? value.join(' ') : String(value))}"`
  }
  return `${tag}>`
}
