import type * as hast from 'hast'
import type { HtmlWriter } from '../blocks/kind.ts'
import type { Attributes } from '../tree.ts'
import { withAddresses } from './addresses.ts'
import { propertyName } from './attributes.ts'
import { sanitize } from './sanitize.ts'
import { openTag } from './serialize.ts'
import { html, trusted, type Html } from './template.ts'

/**
 * Draws an element that an author wrote, around content that is already safe. If the element is not allowed, only its
 * content is returned.
 */
export function drawElement(
  name: string,
  attributes: Attributes,
  content: Html,
  draw: Pick<HtmlWriter, 'link' | 'image'> & { place?: (id: string) => string },
): Html {
  const properties = Object.fromEntries(
    Object.entries(attributes).map(([attribute, value]) => [
      propertyName(attribute),
      attribute === 'class' && value !== true ? value.split(/\s+/) : value,
    ]),
  )
  const element: hast.Element = { type: 'element', tagName: name, properties, children: [] }
  withAddresses(element, draw)
  const [safe] = sanitize({ type: 'root', children: [element] }, draw.place).children
  if (safe?.type !== 'element') return content
  return html`${trusted(openTag(safe))}${content}${trusted(`</${safe.tagName}>`)}`
}
