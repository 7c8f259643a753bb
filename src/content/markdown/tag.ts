import type { Attributes, Range } from '../tree.ts'
import type { Mark } from './nest.ts'

/** `{% name rest %}` alone on its line. */
export interface Tag {
  readonly name: string
  /** Everything after the name: `style="info"`, the expression of an `if`, the path of an `include`. */
  readonly rest: string
}

/** Reads the content between `{%` and `%}`. */
export function readTag(content: string): Tag | undefined {
  const trimmed = content.trim()
  const name = tagName.exec(trimmed)?.[0]
  return name ? { name, rest: trimmed.slice(name.length).trim() } : undefined
}

/** Returns the mark of a tag: `{% endhint %}` closes what `{% hint %}` opened. */
export const markOfTag = ({ name }: Tag): Mark =>
  name.startsWith('end') ? { name: name.slice('end'.length), closes: true } : { name, closes: false }

/** A word, or `@name/block` for a block of an integration. */
const tagName = /^(?:(?:end)?@[A-Za-z][\w-]*\/[A-Za-z][\w-]*|[A-Za-z][\w-]*)/

const attributePattern = /([A-Za-z_][\w:.-]*)(?:\s*=\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|([^\s"']+)))?/g
const placedPattern = new RegExp(attributePattern, 'dg')

/** Reads `name="value"` pairs. GitBook writes a quote inside a value as `\"` or `&quot;`. */
export function readAttributes(rest: string): Record<string, string | true> {
  if (rest === '') return {}
  const attributes = Array.from(rest.matchAll(attributePattern), (match): [string, string | true] => {
    const value = match[2] ?? match[3] ?? match[4]
    return [match[1] ?? '', value === undefined ? true : unescapeValue(value)]
  })
  return Object.fromEntries(attributes)
}

/** Returns where the value of an attribute is in `rest`, without the quotes. */
export function attributeRange(rest: string, name: string): Range | undefined {
  for (const match of rest.matchAll(placedPattern)) {
    const place = match.indices?.[2] ?? match.indices?.[3] ?? match.indices?.[4]
    if (match[1] === name && place) return { start: place[0], end: place[1] }
  }
  return undefined
}

/** Writes the opening line of a block, or its only line. */
export function writeTag(name: string, attributes: Record<string, string | boolean | undefined> = {}): string {
  // The attributes of integration blocks may contain several lines.
  const lineEnd = name.startsWith('@') ? '&#10;' : ' '
  const parts = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [key] : [`${key}="${escapeValue(value, lineEnd)}"`]
  })
  return `{% ${[name, ...parts].join(' ')} %}`
}

/** Writes a block with its content between an opening and a closing line. */
export function writeTagBlock(
  name: string,
  attributes: Record<string, string | boolean | undefined>,
  content: string,
): string {
  const open = writeTag(name, attributes)
  return content === '' ? `${open}\n{% end${name} %}` : `${open}\n${content}\n{% end${name} %}`
}

/** Returns the attributes that an author added beyond those that the engine knows. They are kept and written back. */
export function otherAttributes(attributes: Attributes, known: readonly string[]): { others?: Attributes } {
  const others = Object.entries(attributes).filter(([name]) => !known.includes(name))
  return others.length > 0 ? { others: Object.fromEntries(others) } : {}
}

/** Returns those of the named attributes that have a text. */
export function textAttributes<Name extends string>(
  attributes: Attributes,
  names: readonly Name[],
): { readonly [N in Name]?: string } {
  const fields: { [N in Name]?: string } = {}
  for (const name of names) {
    const value = attributes[name]
    if (typeof value === 'string') fields[name] = value
  }
  return fields
}

/** Returns the value of an attribute as text. An attribute without a value counts as missing. */
export function textValue(value: string | true | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Reads `lineNumbers`, `lineNumbers="true"` and `lineNumbers="false"`. */
export function booleanValue(value: string | true | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== 'false'
}

const escapeValue = (value: string, lineEnd: string): string =>
  value
    .replace(/[\\"]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, lineEnd)
    .replaceAll('%}', '%&#125;')

const unescapeValue = (value: string): string =>
  value
    .replace(/\\([\\"'])/g, '$1')
    .replaceAll('%&#125;', '%}')
    .replaceAll('&#10;', '\n')
    .replaceAll('&quot;', '"')
