import fc from 'fast-check'
import { odd, oddText } from './hostile.ts'

/** A change to a valid value: one change in one place. */
export interface Mutation {
  /** The position among all places, from 0 to 1. */
  at: number
  kind: 'replace' | 'remove' | 'repeat' | 'add' | 'text'
  value: unknown
  name: string
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'repeat', 'add', 'text', 'text'),
  value: odd,
  name: fc.oneof(fc.constantFrom('id', 'organization', 'role', 'createdAt', '__proto__', 'constructor', ''), oddText),
})

export function mutate(value: unknown, { at, kind, value: other, name }: Mutation): unknown {
  const places = placesIn(value)
  const place = places[Math.floor(at * places.length)] ?? []
  return changeAt(value, place, (here) => {
    switch (kind) {
      case 'remove':
        return undefined
      case 'repeat':
        return Array.isArray(here) && here.length > 0 ? Array.from({ length: 60 }, () => here[0]) : [here, here]
      case 'add':
        return typeof here === 'object' && here !== null && !Array.isArray(here) ? withKey(here, name, other) : other
      case 'text':
        return typeof here === 'string' && typeof other === 'string' ? here + other : other
      default:
        return other
    }
  })
}

/** Sets a key as JSON.parse does: as an own property, whatever its name is. */
function withKey(object: object, name: string, value: unknown): object {
  const copy = { ...object }
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

type Place = (string | number)[]

function placesIn(value: unknown, here: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || here.length > 8) return [here]
  const inside = Array.isArray(value) ? value.map((each, i) => [i, each] as const) : Object.entries(value)
  return [here, ...inside.slice(0, 40).flatMap(([key, each]) => placesIn(each, [...here, key]))]
}

function changeAt(value: unknown, [step, ...rest]: Place, change: (here: unknown) => unknown): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value)) return value.map((each, i) => (i === step ? changeAt(each, rest, change) : each))
  const object = value as Record<string, unknown>
  return withKey(object, String(step), changeAt(object[step], rest, change))
}
