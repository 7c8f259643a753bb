import type { Document, Pair, Scalar } from 'yaml'
import { storable } from '../../db/storable.ts'
import { packageOnFirstUse } from '../../on-first-use.ts'
import { limits } from '../limits.ts'
import type { Range } from '../tree.ts'

/** The YAML between `---` lines at the top of a page. */
export interface FrontMatter {
  /** From the start of the text to where the body begins, both `---` lines included. */
  readonly range: Range
  /** The YAML alone. */
  readonly raw: string
  readonly values: Readonly<Record<string, unknown>>
}

const opening = /^\uFEFF?---[ \t]*(?:\r\n|\r|\n)/

/**
 * Reads the front matter. Returns undefined if there is none, or if it is not a YAML map: the text then belongs to the
 * body.
 */
export function readFrontMatter(source: string): FrontMatter | undefined {
  const start = opening.exec(source)?.[0].length
  if (start === undefined) return undefined
  const closing = /(^|[\r\n])---[ \t]*(?:\r\n|\r|\n|$)/g
  closing.lastIndex = start - 1
  const close = closing.exec(source)
  if (!close) return undefined
  const end = close.index + (close[1]?.length ?? 0)
  if (end - start > limits.frontMatterBytes) return undefined
  const raw = source.slice(start, end)
  const values = readYaml(raw)
  return values && { range: { start: 0, end: closing.lastIndex }, raw, values }
}

/** Reads a YAML map. Returns undefined for anything else, also for what is nested too deep for the library. */
export function readYaml(raw: string): Record<string, unknown> | undefined {
  try {
    return readMap(raw)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readMap(raw: string): Record<string, unknown> | undefined {
  const document = yaml().parseDocument(raw, yamlOptions)
  if (document.errors.length > 0) return undefined
  if (document.contents === null) return {}
  if (!yaml().isMap(document.contents)) return undefined
  yaml().visit(document, { Pair: (_key, pair) => writeOutKey(pair, raw) })
  if (!hasOwnKeys(document)) return undefined
  yaml().visit(document, { Scalar: asText })
  try {
    // Aliases must not multiply the data: `maxAliasCount` makes the library throw before they do.
    return document.toJS({ maxAliasCount: 50 }) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** Replaces characters that YAML can spell, but that are not text and cannot be stored in the database. */
function asText(_key: unknown, scalar: Scalar): void {
  if (typeof scalar.value === 'string') scalar.value = storable(scalar.value)
}

const yaml = packageOnFirstUse<typeof import('yaml')>('yaml')

/** The library would look up lines for each error, and compare each key with all others: both take quadratic time. */
const yamlOptions = { schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const

/**
 * Replaces a map or list that is a key by its source text: `{{ version }}` of a template is such a map. The library
 * would write the key out anew, again in each map around it.
 */
function writeOutKey(pair: Pair, raw: string): void {
  if (!yaml().isCollection(pair.key) || !pair.key.range) return
  const [start, end] = pair.key.range
  pair.key = new (yaml().Scalar)(raw.slice(start, end))
}

/** Whether each key occurs only once in its map. */
function hasOwnKeys(document: Document): boolean {
  let isOnce = true
  yaml().visit(document, {
    Map: (_key, { items }) => {
      const keys = items.map(({ key }) => (yaml().isScalar(key) ? key.value : key))
      isOnce = new Set(keys).size === items.length
      return isOnce ? undefined : yaml().visit.BREAK
    },
  })
  return isOnce
}

/**
 * Returns the YAML with some values changed; `undefined` removes one. Every other line stays as its author wrote it.
 */
export function editYaml(raw: string, changes: Readonly<Record<string, unknown>>): string {
  const document = yaml().parseDocument(raw, yamlOptions)
  const pairs = yaml().isMap(document.contents) ? document.contents.items : []
  const lineBreak = /\r\n|\r|\n/.exec(raw)?.[0] ?? '\n'
  const entry = (name: string) =>
    yaml()
      .stringify({ [name]: changes[name] })
      .replaceAll('\n', lineBreak)
  let text = ''
  let copied = 0
  const left = new Set(Object.keys(changes).filter((name) => changes[name] !== undefined))
  for (const pair of pairs) {
    const name = yaml().isScalar(pair.key) ? String(pair.key.value) : ''
    const place = pairRange(pair, raw)
    if (!place || !Object.hasOwn(changes, name)) continue
    text += raw.slice(copied, place.start) + (left.delete(name) ? entry(name) : '')
    copied = place.end
  }
  const rest = text + raw.slice(copied)
  const added = [...left].map(entry).join('')
  return added === '' || rest === '' || /[\r\n]$/.test(rest) ? rest + added : rest + lineBreak + added
}

/** Returns the range of a key with its value and the line break behind it. */
function pairRange(pair: Pair, raw: string): Range | undefined {
  const key = pair.key
  const value = pair.value
  if (!yaml().isScalar(key) || !key.range) return undefined
  const range = value && typeof value === 'object' && 'range' in value ? (value.range as number[] | null) : key.range
  const last = range?.[1] ?? key.range[1]
  const lineEnd = /\r\n|\r|\n|$/g
  lineEnd.lastIndex = /[\r\n]/.test(raw.charAt(last - 1)) ? last - 1 : last
  const end = lineEnd.exec(raw)
  return { start: key.range[0], end: end ? end.index + end[0].length : raw.length }
}
