import fc from 'fast-check'
import { oddText } from './hostile.ts'

/** The parts of JSON schema that our routes use. */
export interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  minItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  format?: string
  default?: unknown
}

/** Meaningful values for a field with this name. */
export type Known = (field: string) => string[]

/** A value that matches the schema, as far as the schema is specific, with names and ids of things that exist. */
export function fitting(schema: Schema, known: Known, field = '', depth = 0): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (choices) return fc.oneof(...choices.map((choice) => fitting(choice, known, field, depth)))
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema, known, depth)
    case 'array':
      return fc.array(fitting(schema.items ?? {}, known, field, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, depth > 3 ? 1 : 3),
      })
    case 'string':
      return textOf(schema, known(field))
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.max(schema.minimum ?? 0, schema.maximum ?? 60) })
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(fc.constantFrom({}, 'x', { type: 'object', properties: { a: { type: 'boolean' } } }), oddText)
  }
}

function objectOf({ properties = {}, required = [], patternProperties }: Schema, known: Known, depth: number) {
  const fields = Object.entries(properties)
  if (fields.length === 0) {
    const value = Object.values(patternProperties ?? {})[0]
    if (!value) return fc.dictionary(oddText, oddText, { maxKeys: 2 })
    const key = fc.constantFrom('a', 'name', ...known('userId'))
    return fc.dictionary(key, fitting(value, known, '', depth + 1), { maxKeys: 2 })
  }
  const record = Object.fromEntries(fields.map(([name, schema]) => [name, fitting(schema, known, name, depth + 1)]))
  const needed = required.filter((name) => name in record)
  // Deep inside, only required fields. Otherwise objects with forty optional fields would be nearly all there is.
  if (depth > 2) return fc.record(pick(record, needed), { requiredKeys: needed })
  return someOf(
    fields.map(([name]) => name).filter((name) => !needed.includes(name)),
    4,
  ).chain((more) => fc.record(pick(record, [...needed, ...more])))
}

/** At most `most` of the values, in order. */
export const someOf = <Value>(values: Value[], most: number): fc.Arbitrary<Value[]> =>
  fc.subarray(values, { maxLength: Math.min(most, values.length) })

const pick = (record: Record<string, fc.Arbitrary<unknown>>, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, record[name]!]))

const formats: Record<string, string[]> = {
  email: ['someone@example.org', 'A.B+c@example.co'],
  // Only addresses of this machine, because some of them are fetched.
  'http-url': ['https://127.0.0.1:1/x', 'http://127.0.0.1:1/'],
  'date-time': ['2030-01-31T12:00:00Z', '2020-01-31T12:00:00+02:00'],
  emoji: ['1f4c4', '🦉'],
}

const plain = [
  'Guide',
  'a',
  'docs',
  '/old',
  '# Title\n\nText\n',
  'main',
  '#336699',
  'v1',
  'true',
  'visitor.claims.a == 1',
]

function textOf({ format, maxLength = 5_000, minLength = 0 }: Schema, values: string[]): fc.Arbitrary<string> {
  if (format && formats[format]) return fc.constantFrom(...formats[format], ...values)
  const usual = fc.constantFrom(...plain.filter((text) => text.length <= maxLength && text.length >= minLength))
  const known = values.length > 0 ? [{ weight: 8, arbitrary: fc.constantFrom(...values) }] : []
  return fc.oneof(
    ...known,
    { weight: 3, arbitrary: usual },
    { weight: 1, arbitrary: oddText.filter((text) => [...text].length <= maxLength) },
  )
}
