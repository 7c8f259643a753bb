// A `$ref` inside of an example is data and not a reference: an API may well return one.
import { randomUUID } from 'node:crypto'

type Referring = { $ref: string }

/** Keywords whose value is data that an API sends or receives. */
const values = new Set(['example', 'value', 'default', 'const', 'enum'])

/** Keywords whose members have names chosen by the author, which are not keywords. */
const named = new Set(
  (
    'properties patternProperties dependentSchemas $defs definitions schemas responses parameters examples headers ' +
    'requestBodies securitySchemes links callbacks pathItems paths webhooks content encoding'
  ).split(' '),
)

type Place = 'words' | 'names' | 'value' | 'within a value'

/**
 * Calls `found` with every object that has a `$ref`, and whether that is only data. A whole value may be kept
 * elsewhere: this is a real reference.
 */
export function eachReference(document: unknown, found: (object: Referring, isSaid: boolean) => void): void {
  const look = (object: unknown, place: Place): void => {
    if (typeof object !== 'object' || object === null) return
    const { $ref: reference } = object as { $ref?: unknown }
    if (typeof reference === 'string') found(object as Referring, place === 'within a value')
    for (const [word, inner] of Object.entries(object)) look(inner, placeBelow(object, place, word, inner))
  }
  look(document, 'words')
}

function placeBelow(object: object, place: Place, word: string, inner: unknown): Place {
  if (place === 'within a value') return place
  if (place === 'value') return Array.isArray(object) ? place : 'within a value'
  if (Array.isArray(object) || place === 'names') return 'words'
  if (values.has(word) || (word === 'examples' && Array.isArray(inner))) return 'value'
  return named.has(word) ? 'names' : 'words'
}

/** The bundler takes every `$ref` for a reference. */
const hidden = `$ref ${randomUUID()}`

/** Hides each `$ref` that is only data, in place. */
export function hideSaid(document: unknown): void {
  const said: Referring[] = []
  eachReference(document, (object, isSaid) => void (isSaid && said.push(object)))
  for (const object of said) rename(object, '$ref', hidden)
}

export function showSaid(document: unknown): void {
  if (typeof document !== 'object' || document === null) return
  for (const inner of Object.values(document)) showSaid(inner)
  if (Object.hasOwn(document, hidden)) rename(document, hidden, '$ref')
}

/** Renames a key without changing the order of the keys. */
function rename(object: object, from: string, to: string): void {
  const entries = Object.entries(object)
  for (const [name] of entries) delete (object as Record<string, unknown>)[name]
  for (const [name, value] of entries) (object as Record<string, unknown>)[name === from ? to : name] = value
}
