import { type Json, type JsonObject, at, isObject, listAt, numberAt, objectAt, shortJson, textAt } from './json.ts'
import { type Words, fill } from '../../published/words/words.ts'
import { withTags } from './discriminator.ts'
import type { Resolved, Spec } from './spec.ts'

const mostParts = 50
const deepestLabel = 3
/** Limit for tuples: lists with a different schema at each place. */
export const mostPlaces = 8

/** Returns a schema with its reference followed and everything in its `allOf` merged into it. */
export function shapeOf(spec: Spec, node: unknown): Resolved {
  const found = spec.resolve(node)
  const { pointer } = found
  if (pointer === undefined || !isReference(node)) return shapeWithin(spec, node, found)

  const known = shapesOf(spec).named
  const shape = known.get(pointer)
  if (shape) return shape
  // A circular reference that leads here during the merge finds this entry.
  known.set(pointer, found)
  const whole = together(spec, found)
  known.set(pointer, whole)
  return whole
}

/** Schemas without a name are cached as well, because each fact about them asks for the shape again. */
function shapeWithin(spec: Spec, node: unknown, found: Resolved): Resolved {
  if (!isObject(node) || listAt(found.value, 'allOf').length === 0) return together(spec, found)
  const { unnamed } = shapesOf(spec)
  const whole = unnamed.get(node) ?? together(spec, found)
  unnamed.set(node, whole)
  return whole
}

/** Each schema is merged once: schemas may be part of each other many times over. */
interface Shapes {
  named: Map<string, Resolved>
  unnamed: WeakMap<JsonObject, Resolved>
  /** How many more fields may be merged. */
  left: number
}

const shapes = new WeakMap<Spec, Shapes>()

function shapesOf(spec: Spec): Shapes {
  let known = shapes.get(spec)
  if (!known) shapes.set(spec, (known = { named: new Map(), unnamed: new WeakMap(), left: mostTogether }))
  return known
}

/**
 * Limit for the fields of all schemas of a specification, counted each time they are merged into another schema: a few
 * thousand fields in each of a few thousand schemas would not fit into memory. Beyond the limit, a schema is shown with
 * its own fields only.
 */
const mostTogether = 3_000_000

/** Approximate memory that a field takes as part of another schema. */
const bytesPerField = 64

function together(spec: Spec, found: Resolved): Resolved {
  const whole = putTogether(spec, found)
  const isHeir = at(found.value, 'discriminator') === undefined
  const value = withTags(spec, { ...found, value: whole.value }, isHeir)
  return value === whole.value ? whole : { ...whole, value }
}

function putTogether(spec: Spec, found: Resolved): Resolved {
  const parts = listAt(found.value, 'allOf').slice(0, mostParts)
  if (parts.length === 0) return found
  const { allOf: _, ...own } = found.value
  const inherited = parts.map((part) => withoutSelf(spec, shapeOf(spec, part).value, found.pointer))
  if (!hasRoom(spec, [...inherited, own])) return { ...found, value: own }
  const whole = [...inherited, own].reduce<JsonObject>(both, {})
  const value = whole['type'] === undefined && whole['properties'] ? { ...whole, type: 'object' } : whole
  // An `allOf` of one schema, with only descriptions added, is still that schema.
  const only = parts.length === 1 && own['properties'] === undefined ? spec.resolve(parts[0]) : undefined
  return { ...(only?.pointer !== undefined && { pointer: only.pointer, name: only.name }), ...found, value }
}

function hasRoom(spec: Spec, parts: readonly JsonObject[]): boolean {
  const known = shapesOf(spec)
  if (known.left <= 0) return false
  const sizes = parts.map((part) => Object.keys(objectAt(part, 'properties')).length + listAt(part, 'required').length)
  // Each part is copied again with every part that follows it.
  known.left -= sizes.reduce((sum, size, index) => sum + size * (sizes.length - index), parts.length)
  spec.onGrowth(sizes.reduce((sum, size) => sum + size, 0) * bytesPerField)
  return true
}

/**
 * Removes the choices of a base schema that list the schema itself. It is one of these variants already, and cannot be
 * the others as well.
 */
function withoutSelf(spec: Spec, part: JsonObject, pointer: string | undefined): JsonObject {
  if (pointer === undefined) return part
  const isSelf = (each: Json) => spec.resolve(each).pointer === pointer
  const isOfSelf = (choice: Choice) => choice.list.slice(0, mostParts).some(isSelf)
  const all = choicesIn(part)
  const left = all.filter((choice) => !isOfSelf(choice))
  return left.length === all.length ? part : withChoices(part, left)
}

function both(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectAt(one, 'properties'), ...objectAt(other, 'properties') }
  // Deduplicated: if both extend the same schema, and that does so too, the list would double at each level.
  const required = [...new Set([...listAt(one, 'required'), ...listAt(other, 'required')])]
  const whole = {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
  const [before, after] = [choicesIn(one), choicesIn(other)]
  if (before.length === 0 || after.length === 0) return whole
  // A choice that both inherit from the same schema is one choice.
  const others = after.filter(({ list }) => !before.some((each) => each.list === list))
  return withChoices(whole, [...before, ...others])
}

/** A list of variants. */
interface Choice {
  kind: 'oneOf' | 'anyOf'
  list: readonly Json[]
  /** The schema that contains the list. Its discriminator tells the variants apart. */
  union: JsonObject
}

const kinds = ['oneOf', 'anyOf'] as const

/**
 * Returns the choices of a schema, and those in its `allOf`: a schema composed of two unions is one variant of each.
 */
function choicesIn(value: JsonObject): Choice[] {
  const unions = [value, ...listAt(value, 'allOf').slice(0, mostParts).filter(isObject)]
  return unions.flatMap((union) =>
    kinds.flatMap((kind) => {
      const list = listAt(union, kind)
      return list.length > 0 ? [{ kind, list, union }] : []
    }),
  )
}

/** Returns the schema with these choices. The first becomes its own, the others go into its `allOf`. */
function withChoices(value: JsonObject, [first, ...others]: readonly Choice[]): JsonObject {
  const { oneOf: _, anyOf: __, allOf: ___, discriminator, ...rest } = value
  const tagsOf = ({ union }: Choice) => at(union, 'discriminator')
  const own = first ? tagsOf(first) : discriminator
  return {
    ...rest,
    ...(own !== undefined && { discriminator: own }),
    ...(first && { [first.kind]: first.list }),
    ...(others.length > 0 && {
      allOf: others.map((each) => {
        const tags = tagsOf(each)
        return { [each.kind]: each.list, ...(tags !== undefined && { discriminator: tags }) }
      }),
    }),
  }
}

export interface Field {
  name: string
  schema: Json
  isRequired: boolean
}

export function fieldsOf(value: JsonObject): readonly Field[] {
  const [properties, required] = [at(value, 'properties'), at(value, 'required')]
  if (!isObject(properties)) return []
  const known = fields.get(properties)
  if (known && known.required === required) return known.all
  const needed = new Set(listAt(value, 'required'))
  const all = Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: needed.has(name) }))
  fields.set(properties, { required, all })
  return all
}

/** Cached because a large schema may be part of every field of another one. */
const fields = new WeakMap<JsonObject, { required: Json | undefined; all: readonly Field[] }>()

/**
 * Returns the schema of additional fields, whose names are not known in advance, if the object also has named fields.
 */
export const otherFieldOf = (value: JsonObject): JsonObject | undefined =>
  fieldsOf(value).length > 0 ? mapValuesOf(value) : undefined

export interface Variants {
  kind: Choice['kind']
  schemas: readonly Json[]
  /** The schema whose discriminator tells the variants apart. */
  union: JsonObject
}

/** Returns the lists of variants: a value is one variant of each. `null` is not a variant of its own. */
export function choicesOf(spec: Spec, value: JsonObject): Variants[] {
  return choicesIn(value).flatMap(({ kind, list, union }) => {
    const schemas = list.slice(0, mostParts).filter((each) => !isNull(spec.resolve(each).value))
    return schemas.length > 0 ? [{ kind, schemas, union }] : []
  })
}

const isNull = (value: JsonObject) => value['type'] === 'null'

/** If a value is one thing or null, returns the schema of that thing. */
export function onlyVariantOf(spec: Spec, value: JsonObject): Json | undefined {
  const [choice, ...others] = choicesOf(spec, value)
  return others.length === 0 && choice?.schemas.length === 1 ? choice.schemas[0] : undefined
}

/** Returns what is known about a value. If it is one thing or null, this includes what is known about that thing. */
export function meaningOf(spec: Spec, value: JsonObject): JsonObject {
  const only = onlyVariantOf(spec, value)
  return only === undefined ? value : { ...shapeOf(spec, only).value, ...value }
}

export function typesOf(value: JsonObject): string[] {
  const type = at(value, 'type')
  const types = (Array.isArray(type) ? type : [type]).filter((each): each is string => typeof each === 'string')
  if (types.length > 0) return types
  const ofObjects = ['properties', 'additionalProperties', 'patternProperties']
  if (ofObjects.some((name) => at(value, name) !== undefined)) return ['object']
  return ['items', 'prefixItems'].some((name) => at(value, name) !== undefined) ? ['array'] : []
}

export const isList = (value: JsonObject) => typesOf(value).includes('array')

/** Whether the schema describes binary data, in either notation: that of 3.1 needs no type. */
export const isFile = (value: JsonObject) =>
  value['format'] === 'binary' ||
  (at(value, 'contentMediaType') !== undefined && at(value, 'contentEncoding') === undefined)

/** Returns the schema of the values of a map: an object whose field names are not known in advance. */
export function mapValuesOf(value: JsonObject): JsonObject | undefined {
  const [pattern] = Object.values(objectAt(value, 'patternProperties'))
  const all = [at(value, 'additionalProperties'), pattern]
  return all.filter(isObject).find((values) => Object.keys(values).length > 0)
}

/** Describes a type in a few words: `string`, `Pet[]`, `integer (int64) or null`. */
export function labelOf(spec: Spec, node: unknown, words: Words, depth = 0): string {
  if (depth > deepestLabel) return 'any'
  const shape = shapeOf(spec, node)
  const key = shape.pointer !== undefined && isReference(node) ? `${depth} ${shape.pointer}` : undefined
  if (key === undefined) return makeLabel(spec, shape, words, depth)
  let inLanguages = labels.get(spec)
  if (!inLanguages) labels.set(spec, (inLanguages = new Map()))
  let known = inLanguages.get(words)
  if (!known) inLanguages.set(words, (known = new Map()))
  const label = known.get(key) ?? makeLabel(spec, shape, words, depth)
  known.set(key, label)
  return label
}

const labels = new WeakMap<Spec, Map<Words, Map<string, string>>>()

/** Whether the node is a reference with nothing else beside it. */
const isReference = (node: unknown) => isObject(node) && '$ref' in node && Object.keys(node).length === 1

function makeLabel(spec: Spec, { value, name }: Resolved, words: Words, depth: number): string {
  const choices = choicesOf(spec, value)
  const isNullable = typesOf(value).includes('null') || value['nullable'] === true || listHasNull(spec, value)
  const label =
    choices.length > 0 ? labelOfChoices(spec, choices, words, depth) : plainLabel(spec, value, name, words, depth)
  return isNullable && label !== 'null' ? `${label} ${words.or} null` : label
}

const listHasNull = (spec: Spec, value: JsonObject) =>
  choicesIn(value).some(({ list }) => list.slice(0, mostParts).some((each) => isNull(spec.resolve(each).value)))

/** Joins the labels of several lists of variants. Choices that only require certain fields add nothing to the label. */
function labelOfChoices(spec: Spec, choices: readonly Variants[], words: Words, depth: number): string {
  const all = new Set(choices.map((choice) => labelOfVariants(spec, choice, words, depth)))
  if (all.size > 1) all.delete('any')
  const labels = [...all]
  if (labels.length === 1) return labels[0]!
  return labels.map((label) => (label.includes(' ') ? `(${label})` : label)).join(` ${words.and} `)
}

function labelOfVariants(spec: Spec, { schemas }: Variants, words: Words, depth: number): string {
  const labels = [...new Set(schemas.slice(0, 4).map((each) => labelOf(spec, each, words, depth + 1)))]
  return (schemas.length > 3 ? [...labels.slice(0, 3), '…'] : labels).join(` ${words.or} `)
}

function plainLabel(spec: Spec, value: JsonObject, name: string | undefined, words: Words, depth: number): string {
  const types = typesOf(value).filter((type) => type !== 'null')
  if (types.length === 0 && isFile(value)) return 'string (binary)'
  if (types.length === 0) return listedIn(value).length > 0 ? 'enum' : (name ?? 'any')
  return types.map((type) => labelOfType(spec, type, { value, name }, words, depth)).join(` ${words.or} `)
}

function labelOfType(spec: Spec, type: string, { value, name }: Resolved, words: Words, depth: number): string {
  if (type === 'array') {
    const places = listAt(value, 'prefixItems').slice(0, mostPlaces)
    const labels = places.map((each) => labelOf(spec, each, words, depth + 1))
    if (labels.length > 0) return `[${labels.join(', ')}${isObject(at(value, 'items')) ? ', …' : ''}]`
    const items = labelOf(spec, at(value, 'items') ?? {}, words, depth + 1)
    return items.includes(' ') ? `(${items})[]` : `${items}[]`
  }
  if (type === 'object') {
    const values = mapValuesOf(value)
    if (values && fieldsOf(value).length === 0) return fill(words.mapOf, labelOf(spec, values, words, depth + 1))
    return name ?? textAt(value, 'title') ?? 'object'
  }
  if (listAt(value, 'enum').length > 0) return 'enum'
  const format = textAt(value, 'format')
  return format === undefined ? type : `${type} (${format})`
}

/** Returns the other constraints on a value, as sentences. */
export function rulesOf(value: JsonObject, words: Words): string[] {
  const number = (name: string) => numberAt(value, name)
  const put = (word: string, what: number | undefined) => (what === undefined ? undefined : fill(word, what))
  const range = (least: number | undefined, most: number | undefined, many = '{}', one = many) => {
    const both = least !== undefined && most !== undefined
    const said = both
      ? least === most
        ? String(least)
        : fill(fill(words.between, least), most)
      : (put(words.atLeast, least) ?? put(words.atMost, most))
    const isOne = (least ?? 1) === 1 && (most ?? 1) === 1
    return said === undefined ? undefined : fill(isOne ? one : many, said)
  }
  const rules = [
    range(number('minLength'), number('maxLength'), words.characters, words.oneCharacter),
    range(number('minItems'), number('maxItems'), words.items, words.oneItem),
    range(number('minProperties'), number('maxProperties'), words.fields, words.oneField),
    range(number('minimum'), number('maximum')),
    put(words.moreThan, number('exclusiveMinimum')),
    put(words.lessThan, number('exclusiveMaximum')),
    put(words.multipleOf, number('multipleOf')),
    value['uniqueItems'] === true ? words.unique : undefined,
  ]
  const found = rules.filter((rule) => rule !== undefined)
  return found.map((rule) => `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`)
}

/** An allowed value and its description. */
export interface Allowed {
  value: string
  about: string | undefined
}

/** The first of the allowed values, and the number of the others. */
export interface AllowedValues {
  shown: Allowed[]
  more: number
}

const mostAllowed = 200

/**
 * Returns the allowed values if they are listed. For a list, these are the values of its items; for a union, those of
 * its variants.
 */
export function valuesOf(spec: Spec, value: JsonObject): AllowedValues {
  const own = countListed(value)
  const variants = choicesOf(spec, value)[0]?.schemas ?? []
  const others = isList(value) ? [at(value, 'items')] : variants
  const shapes = own > 0 ? [] : others.map((each) => shapeOf(spec, each).value)
  const all = own > 0 ? listedIn(value) : shapes.flatMap(listedInOne)
  const count = own > 0 ? own : shapes.reduce((sum, each) => sum + countListed(each), 0)
  const shown = [...new Map(all.map((each) => [each.value, each])).values()].slice(0, mostAllowed)
  // Duplicates are not counted, provided that all values were examined.
  const twice = count <= all.length ? count - new Set(all.map((each) => each.value)).size : 0
  return { shown, more: count - twice - shown.length }
}

const countListed = (value: JsonObject) => (at(value, 'const') === undefined ? listAt(value, 'enum').length : 1)

/** Returns no more values than are shown: a list may have a million of them, and be used by every field. */
function listedIn(value: JsonObject): Allowed[] {
  const constant = at(value, 'const')
  const listed = constant === undefined ? listAt(value, 'enum').slice(0, mostAllowed) : [constant]
  return listed.map(shortJson).map((each, index) => ({ value: each, about: describedIn(value, each, index) }))
}

/** Returns the values of a variant. The description of a constant describes its value. */
function listedInOne(value: JsonObject): Allowed[] {
  const about = at(value, 'const') === undefined ? undefined : (textAt(value, 'description') ?? textAt(value, 'title'))
  return listedIn(value).map((each) => ({ ...each, about: about ?? each.about }))
}

/** Returns the description of a value, from a map by value or a list in the same order. */
function describedIn(value: JsonObject, name: string, index: number): string | undefined {
  for (const word of ['x-enumDescriptions', 'x-enum-descriptions']) {
    const about = at(value, word)
    const found = Array.isArray(about) ? (about[index] as Json) : at(about, name)
    if (typeof found === 'string' && found.trim() !== '') return found
  }
  return undefined
}
