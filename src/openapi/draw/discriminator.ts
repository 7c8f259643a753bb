import { type Json, type JsonObject, at, isObject, objectAt, textAt } from './json.ts'
import { type Resolved, type Spec, schemaReference } from './spec.ts'

/** The field that tells which of several schemas a value has, and what it says for one of them. */
export interface Tag {
  field: string
  values: readonly string[]
}

/** More of them for one schema nobody reads. */
const mostValues = 20

/** What a value says of itself that has this variant of a schema. Where nothing is told for it, that is its name. */
export function tagOf(spec: Spec, union: JsonObject, variant: unknown): Tag | undefined {
  const field = fieldIn(union)
  const { pointer, name } = spec.resolve(variant)
  if (field === undefined || pointer === undefined || name === undefined) return undefined
  const values = valuesFor(spec, union, pointer)
  return { field, values: values.length > 0 ? values.slice(0, mostValues) : [name] }
}

/**
 * A schema with a discriminator of its own is what others are made of (`allOf`), which have it then as well (`isHeir`): its
 * field says which of them a value is.
 */
export function withTags(spec: Spec, { value, pointer, name }: Resolved, isHeir: boolean): JsonObject {
  const field = fieldIn(value)
  const properties = objectAt(value, 'properties')
  const own = field === undefined ? undefined : at(properties, field)
  if (field === undefined || !isObject(own) || at(own, 'const') !== undefined || '$ref' in own) return value
  const told = pointer === undefined ? [] : valuesFor(spec, value, pointer)
  const ofThis = told.length === 0 && isHeir && name !== undefined ? [name] : told
  const all = Object.keys(objectAt(objectAt(value, 'discriminator'), 'mapping'))
  const allowed = ofThis.length > 0 ? ofThis : at(own, 'enum') === undefined ? all : []
  if (allowed.length === 0) return value
  return { ...value, properties: { ...properties, [field]: { ...own, enum: allowed } } }
}

const fieldIn = (value: JsonObject) => textAt(objectAt(value, 'discriminator'), 'propertyName')

/** By name or by reference. */
function valuesFor(spec: Spec, value: JsonObject, pointer: string): readonly string[] {
  const mapping = objectAt(objectAt(value, 'discriminator'), 'mapping')
  let keys = keysByPointer.get(mapping)
  if (!keys) {
    const byPointer = Map.groupBy(Object.entries(mapping), ([, target]) => pointerOf(spec, target))
    keys = new Map([...byPointer].map(([target, all]) => [target, all.map(([key]) => key)]))
    keysByPointer.set(mapping, keys)
  }
  return keys.get(pointer) ?? []
}

/** A long one is asked for each schema that it names, and for each that is made of its own. */
const keysByPointer = new WeakMap<JsonObject, Map<string | undefined, string[]>>()

function pointerOf(spec: Spec, target: Json): string | undefined {
  if (typeof target !== 'string') return undefined
  return spec.resolve(/[#/]/.test(target) ? { $ref: target } : schemaReference(target)).pointer
}
