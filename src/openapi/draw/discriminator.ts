import { type Json, type JsonObject, at, isObject, objectAt, textAt } from './json.ts'
import { type Resolved, type Spec, schemaReference } from './spec.ts'

/** The discriminator field of a union of schemas, and its values for one of them. */
export interface Tag {
  field: string
  values: readonly string[]
}

/** Limit for the values of one schema. Nobody reads more. */
const mostValues = 20

/**
 * Returns the discriminator field and its values for this variant of a union. If the mapping has no entry for it, the
 * value is the name of the schema.
 */
export function tagOf(spec: Spec, union: JsonObject, variant: unknown): Tag | undefined {
  const field = fieldIn(union)
  const { pointer, name } = spec.resolve(variant)
  if (field === undefined || pointer === undefined || name === undefined) return undefined
  const values = valuesFor(spec, union, pointer)
  return { field, values: values.length > 0 ? values.slice(0, mostValues) : [name] }
}

/**
 * Adds the possible values to the discriminator field of a schema. A schema with its own discriminator is a base from
 * which others are composed (`allOf`), and these inherit the discriminator (`isHeir`): its field shows which of them a
 * value is.
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

/**
 * Returns the values that the mapping has for the schema at this pointer. It refers to schemas by name or by reference.
 */
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

/**
 * Cached because a long mapping is looked up for each schema that it names, and for each schema that extends its own.
 */
const keysByPointer = new WeakMap<JsonObject, Map<string | undefined, string[]>>()

function pointerOf(spec: Spec, target: Json): string | undefined {
  if (typeof target !== 'string') return undefined
  return spec.resolve(/[#/]/.test(target) ? { $ref: target } : schemaReference(target)).pointer
}
