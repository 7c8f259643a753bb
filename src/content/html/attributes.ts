import type * as hast from 'hast'
import type { Attributes } from '../tree.ts'
import { escapeHtml } from './escape.ts'
import type { HtmlTag } from './tags.ts'

/** Returns the attributes of a tag in the source, with entities decoded. */
export function tagAttributes(tag: HtmlTag): Attributes {
  return Object.fromEntries(tag.attributes.map(({ name, value }) => [name, decodeEntities(value)]))
}

/** Returns the attributes of an element under their names in HTML. */
export function elementAttributes(element: hast.Element): Attributes {
  const entries = Object.entries(element.properties).flatMap(([property, value]): [string, string | true][] => {
    if (value === null || value === undefined || value === false) return []
    const text = Array.isArray(value) ? value.join(' ') : value === true ? true : String(value)
    return [[attributeName(property), text]]
  })
  return Object.fromEntries(entries)
}

/** Converts `className` to `class`, `dataCardTarget` to `data-card-target`. */
export function attributeName(property: string): string {
  if (property === 'className') return 'class'
  if (property === 'htmlFor') return 'for'
  return /^(?:data|aria)[A-Z]/.test(property)
    ? property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : property.toLowerCase()
}

/** The inverse of `attributeName`: returns the name of an attribute in hast. */
export function propertyName(attribute: string): string {
  if (attribute === 'class') return 'className'
  if (attribute === 'for') return 'htmlFor'
  if (attribute === 'colspan' || attribute === 'rowspan') return attribute.replace('span', 'Span')
  if (attribute === 'srcset') return 'srcSet'
  return /^(?:data|aria)-/.test(attribute)
    ? attribute.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : attribute
}

export function writeOpenTag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([attribute, value]) =>
    value === true || value === '' ? ` ${attribute}` : ` ${attribute}="${escapeHtml(value)}"`,
  )
  return `<${name}${written.join('')}>`
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Decodes the entities that occur in attribute values; others stay as written. */
export function decodeEntities(value: string): string {
  if (!value.includes('&')) return value
  return value.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd'
  })
}
