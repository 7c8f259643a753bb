import { type Json, type JsonObject, isObject, textAt } from './json.ts'

/** How a parameter serializes lists and objects. */
interface Style {
  style: string
  isExploded: boolean
}

type Pair = [name: string, value: string]

/** Returns the text of a value that no style splits into parts. */
export const asText = (value: Json) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)

/** Returns the pairs of a query. Each part is encoded on its own, so that separators stay separators. */
export function queryPairs(parameter: JsonObject, value: Json): Pair[] {
  const name = textAt(parameter, 'name') ?? ''
  if (isWhole(parameter, value)) return [encoded([name, asText(value)])]
  const { style, isExploded } = styleOf(parameter, 'form')
  if (style === 'deepObject') return deepPairs(name, value).map(encoded)
  if (isExploded && style === 'form') return exploded(name, value).map(encoded)
  const between = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style] ?? ','
  return [[encodeURIComponent(name), flat(value).map(encodeURIComponent).join(between)]]
}

export function pathText(parameter: JsonObject, value: Json): string {
  const name = textAt(parameter, 'name') ?? ''
  const { style, isExploded } = styleOf(parameter, 'simple')
  const encode = (text: string) => encodeURIComponent(text)
  if (isWhole(parameter, value)) {
    const before = { label: '.', matrix: `;${encode(name)}=` }[style] ?? ''
    return before + encode(asText(value))
  }
  if (style === 'matrix') {
    const pairs = isExploded ? exploded(name, value) : []
    if (isExploded) return pairs.map((pair) => `;${encoded(pair).join('=')}`).join('')
    return `;${encode(name)}=${flat(value).map(encode).join(',')}`
  }
  const parts =
    isExploded && isObject(value) ? keyed(value).map((pair) => encoded(pair).join('=')) : flat(value).map(encode)
  return style === 'label' ? `.${parts.join('.')}` : parts.join(',')
}

/** Returns the value for a header. Cookies use it as well, as they have no better format. */
export function simpleText(parameter: JsonObject, value: Json): string {
  if (isWhole(parameter, value)) return asText(value)
  const { isExploded } = styleOf(parameter, 'simple')
  const parts = isExploded && isObject(value) ? keyed(value).map((pair) => pair.join('=')) : flat(value)
  return parts.join(',')
}

/**
 * Returns the pairs of a form. Unless the encoding specifies otherwise, a list repeats its name and an object is JSON.
 */
export function formPairs(name: string, value: Json, encoding: JsonObject): Pair[] {
  const { style, isExploded } = styleOf(encoding, 'form')
  if (style === 'deepObject') return deepPairs(name, value)
  if (!Array.isArray(value)) return [[name, asText(value)]]
  const items = value.map((each) => asText(each as Json))
  return isExploded ? items.map((item): Pair => [name, item]) : [[name, items.join(',')]]
}

function styleOf(holder: JsonObject, fallback: string): Style {
  const style = textAt(holder, 'style') ?? fallback
  const explode = holder['explode']
  return { style, isExploded: typeof explode === 'boolean' ? explode : style === 'form' }
}

/** Whether the value is written as one: a simple value, or one with a media type of its own. */
const isWhole = (parameter: JsonObject, value: Json) =>
  typeof value !== 'object' || value === null || parameter['content'] !== undefined

const encoded = (pair: Pair) => pair.map(encodeURIComponent) as Pair

const keyed = (value: JsonObject) => Object.entries(value).map(([name, each]): Pair => [name, asText(each)])

const exploded = (name: string, value: Json): Pair[] =>
  Array.isArray(value) ? value.map((each): Pair => [name, asText(each as Json)]) : isObject(value) ? keyed(value) : []

const flat = (value: Json): string[] =>
  Array.isArray(value) ? value.map((each) => asText(each as Json)) : isObject(value) ? keyed(value).flat() : []

/** Returns pairs such as `filter[colour]=red`, at every depth. */
function deepPairs(name: string, value: Json): Pair[] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([key, each]) => deepPairs(`${name}[${key}]`, each))
}
