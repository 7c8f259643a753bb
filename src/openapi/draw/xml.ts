import { type Json, type JsonObject, at, isObject, isTrue, objectAt, textAt } from './json.ts'
import { asText } from './serialize.ts'
import { shapeOf } from './shape.ts'
import type { Spec } from './spec.ts'

/** Returns an example as XML. `xml` in its schema determines what becomes an attribute, and the names of elements. */
export function writeXml(spec: Spec, schema: unknown, example: Json): string {
  const { value, name = 'root' } = shapeOf(spec, schema)
  const root = textAt(at(value, 'xml'), 'name') ?? name
  // A document needs a single root element.
  const lines = Array.isArray(example)
    ? around(root, [], listed(spec, 'item', value, example))
    : element(spec, root, schema, example)
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...lines].join('\n')
}

function element(spec: Spec, name: string, schema: unknown, example: Json): string[] {
  const { value } = shapeOf(spec, schema)
  const xml = at(value, 'xml')
  if (Array.isArray(example)) {
    const items = listed(spec, name, value, example)
    return isTrue(xml, 'wrapped') ? around(nameOf(xml, name), namespaceOf(xml), items) : items
  }
  const own = nameOf(xml, name)
  if (!isObject(example)) return [`<${own}>${escaped(asText(example))}</${own}>`]
  const properties = objectAt(value, 'properties')
  const isAttribute = (key: string) => isTrue(at(shapeOf(spec, properties[key]).value, 'xml'), 'attribute')
  const fields = Object.entries(example)
  const attributes = fields.flatMap(([key, each]) => {
    if (!isAttribute(key)) return []
    return `${nameOf(at(shapeOf(spec, properties[key]).value, 'xml'), key)}="${escaped(asText(each))}"`
  })
  const inside = fields.flatMap(([key, each]) => (isAttribute(key) ? [] : element(spec, key, properties[key], each)))
  return around(own, [...namespaceOf(xml), ...attributes], inside)
}

function listed(spec: Spec, name: string, list: JsonObject, example: readonly unknown[]): string[] {
  return example.flatMap((each) => element(spec, name, at(list, 'items'), each as Json))
}

function around(name: string, attributes: readonly string[], inside: readonly string[]): string[] {
  const start = [name, ...attributes].join(' ')
  return inside.length === 0 ? [`<${start}/>`] : [`<${start}>`, ...inside.map((line) => `  ${line}`), `</${name}>`]
}

function nameOf(xml: unknown, fallback: string): string {
  const [name, prefix] = [textAt(xml, 'name') ?? fallback, textAt(xml, 'prefix')]
  return prefix === undefined ? name : `${prefix}:${name}`
}

function namespaceOf(xml: unknown): string[] {
  const [namespace, prefix] = [textAt(xml, 'namespace'), textAt(xml, 'prefix')]
  return namespace === undefined ? [] : [`xmlns${prefix === undefined ? '' : `:${prefix}`}="${escaped(namespace)}"`]
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
