// A `$ref` inside of an example is something that the example says, and leads nowhere: an API may well answer with one.
import { randomUUID } from 'node:crypto'

type Referring = { $ref: string }

/** Words behind which a value stands that an API sends or gets. */
const values = new Set(['example', 'value', 'default', 'const', 'enum'])

/** Words behind which everything has a name that somebody chose, and that means nothing. */
const named = new Set(
  (
    'properties patternProperties dependentSchemas $defs definitions schemas responses parameters examples headers ' +
    'requestBodies securitySchemes links callbacks pathItems paths webhooks content encoding'
  ).split(' '),
)

type Place = 'words' | 'names' | 'value' | 'within a value'

/** Every object with a reference, and whether it is only said. A whole value may be kept elsewhere: that is none of these. */
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

/** Whoever puts documents together takes every `$ref` for a reference. */
const hidden = `$ref ${randomUUID()}`

/** Hides what is only said, in place. */
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

/** Where it stands among the others stays the same. */
function rename(object: object, from: string, to: string): void {
  const entries = Object.entries(object)
  for (const [name] of entries) delete (object as Record<string, unknown>)[name]
  for (const [name, value] of entries) (object as Record<string, unknown>)[name === from ? to : name] = value
}
