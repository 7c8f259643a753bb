import type * as hast from 'hast'
import type { HtmlWriter } from '../blocks/kind.ts'
import type { Attributes } from '../tree.ts'
import { withAddresses } from './addresses.ts'
import { propertyName } from './attributes.ts'
import { sanitize } from './sanitize.ts'
import { openTag } from './serialize.ts'
import { isVoidElement } from './tags.ts'
import { html, trusted, type Html } from './template.ts'

/**
 * Draws an element that an author wrote, around content that is already safe. If the element is not allowed, only its
 * content is returned. Rows and cells are allowed within a table only.
 */
export function drawElement(
  name: string,
  attributes: Attributes,
  content: Html,
  draw: Pick<HtmlWriter, 'link' | 'image'> & { place?: (id: string) => string },
  isInTable = false,
): Html {
  const properties = Object.fromEntries(
    Object.entries(attributes).map(([attribute, value]) => [
      propertyName(attribute),
      attribute === 'class' && value !== true ? value.split(/\s+/) : value,
    ]),
  )
  const element: hast.Element = { type: 'element', tagName: name, properties, children: [] }
  withAddresses(element, draw)
  const table: hast.Element = { type: 'element', tagName: 'table', properties: {}, children: [element] }
  const [outer] = sanitize({ type: 'root', children: [isInTable ? table : element] }, draw.place).children
  const safe = isInTable && outer?.type === 'element' ? outer.children[0] : outer
  if (safe?.type !== 'element') return content
  if (isVoidElement(safe.tagName)) return trusted(openTag(safe))
  return html`${trusted(openTag(safe))}${content}${trusted(`</${safe.tagName}>`)}`
}
