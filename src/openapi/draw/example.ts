import { type Json, type JsonObject, at, isObject, isTrue, listAt, numberAt, objectAt, textAt } from './json.ts'
import { type Variants, choicesOf, fieldsOf, isFile, mapValuesOf, mostPlaces, shapeOf, typesOf } from './shape.ts'
import { tagOf } from './discriminator.ts'
import type { Spec } from './spec.ts'
import type { Way } from './unfold.ts'

/** Limit for an example that readers can still take in: nobody reads a thousand lines. */
const mostValues = 300
const deepest = 8

/** Returns an example of a body: the one that is given, otherwise one generated from its schema. */
export function exampleOfMedia(spec: Spec, media: JsonObject, way: Way, values?: number): Json | undefined {
  const given = at(media, 'example') ?? firstExample(spec, media)
  if (given !== undefined) return spec.said(given)
  const schema = at(media, 'schema')
  // Nobody can read binary data, and generated data would mean nothing.
  if (way === 'response' && isFile(shapeOf(spec, schema).value)) return undefined
  return schema === undefined ? undefined : exampleOfSchema(spec, schema, way, values)
}

/** Reads `examples` of bodies and parameters: values with names. */
export function examplesOf(spec: Spec, holder: JsonObject): { name: string; value: Json }[] {
  return Object.entries(objectAt(holder, 'examples')).flatMap(([key, each]) => {
    const example = spec.resolve(each).value
    const value = at(example, 'value') ?? at(example, 'dataValue') ?? at(example, 'serializedValue')
    return value === undefined ? [] : [{ name: textAt(example, 'summary') ?? key, value: spec.said(value) }]
  })
}

const firstExample = (spec: Spec, holder: JsonObject) => examplesOf(spec, holder)[0]?.value

/** Returns the example that the author of the specification gave for a parameter or a header. */
export function exampleOfParameter(spec: Spec, parameter: JsonObject): Json | undefined {
  const [inContent] = Object.values(objectAt(parameter, 'content'))
  const [found] = [parameter, inContent]
    .filter(isObject)
    .map((holder) => at(holder, 'example') ?? firstExample(spec, holder))
    .filter((each) => each !== undefined)
  if (found !== undefined) return found
  const { value } = shapeOf(spec, schemaOf(parameter))
  return at(value, 'example') ?? listAt(value, 'examples')[0]
}

/** Returns the schema of a parameter or a header. */
export const schemaOf = (parameter: JsonObject): Json =>
  at(parameter, 'schema') ?? at(Object.values(objectAt(parameter, 'content'))[0], 'schema') ?? {}

/**
 * If the whole example would be too long, the deepest levels are left empty: a missing field further up would be a
 * greater loss.
 */
export function exampleOfSchema(spec: Spec, schema: unknown, way: Way, values = mostValues): Json | undefined {
  for (const levels of [deepest, 4, 3, 2]) {
    const examples = new Examples(spec, way, { values, levels })
    const example = examples.of(schema, [], 0)
    if (examples.isWhole) return example
  }
  return new Examples(spec, way, { values: mostValues, levels: 1 }).of(schema, [], 0)
}

class Examples {
  readonly #spec: Spec
  readonly #way: Way
  readonly #levels: number
  #left: number

  constructor(spec: Spec, way: Way, { values, levels }: { values: number; levels: number }) {
    this.#spec = spec
    this.#way = way
    this.#levels = levels
    this.#left = values
  }

  get isWhole(): boolean {
    return this.#left >= 0
  }

  /** Returns undefined if the value would contain itself, or be too long. */
  of(schema: unknown, above: readonly string[], level: number): Json | undefined {
    const { value, pointer } = shapeOf(this.#spec, schema)
    if (this.#left-- <= 0 || above.length > deepest || (pointer !== undefined && above.includes(pointer)))
      return undefined
    const given = givenExample(value)
    if (given !== undefined) return given
    const within = [...above, pointer ?? '']
    const choices = choicesOf(this.#spec, value)
    const fields = fieldsOf(value)
    if (choices.length > 0 && fields.length === 0) return this.#firstOfEach(choices, within, level)
    const [type = 'any'] = typesOf(value).filter((each) => each !== 'null')
    switch (type) {
      case 'object':
        return level >= this.#levels ? {} : this.#whole(value, choices, within, level)
      case 'array': {
        const places = level >= this.#levels ? [] : listAt(value, 'prefixItems').slice(0, mostPlaces)
        if (places.length > 0) return places.map((each) => this.of(each, within, level) ?? null)
        const item = level >= this.#levels ? undefined : this.of(at(value, 'items') ?? {}, within, level)
        return item === undefined ? [] : [item]
      }
      default:
        return simpleExample(type, value)
    }
  }

  /** If a value matches several choices at once, returns the fields of all of them. */
  #firstOfEach(choices: readonly Variants[], above: readonly string[], level: number): Json | undefined {
    const all = choices.flatMap((choice) => this.#firstOf(choice, above, level) ?? [])
    const objects = all.filter(isObject)
    return objects.length > 1 ? Object.assign({}, ...objects) : all[0]
  }

  #firstOf({ union, schemas }: Variants, above: readonly string[], level: number): Json | undefined {
    for (const each of schemas) {
      const example = this.of(each, above, level)
      if (example === undefined) continue
      const tag = isObject(example) ? tagOf(this.#spec, union, each) : undefined
      return tag && isObject(example) ? { ...example, [tag.field]: tag.values[0]! } : example
    }
    return undefined
  }

  /** Combines the object's own fields with those of its variants, taking the first variant of each choice. */
  #whole(value: JsonObject, choices: readonly Variants[], above: readonly string[], level: number): Json {
    const own = this.#object(value, above, level + 1)
    const besides = this.#firstOfEach(choices, above, level)
    return isObject(own) && isObject(besides) ? { ...own, ...besides } : own
  }

  #object(value: JsonObject, above: readonly string[], level: number): Json {
    const left = this.#way === 'request' ? 'readOnly' : 'writeOnly'
    const entries = fieldsOf(value).flatMap(({ name, schema, isRequired }): [string, Json][] => {
      // The example is already too long, so the remaining fields are not visited.
      if (this.#left < 0) return []
      const shape = this.#spec.resolve(schema).value
      if (isTrue(shape, left) || (isTrue(shape, 'deprecated') && !isRequired)) return []
      const example = this.of(schema, above, level)
      return example === undefined ? [] : [[name, example]]
    })
    const values = mapValuesOf(value)
    const inMap = values && entries.length === 0 ? this.of(values, above, level) : undefined
    return Object.fromEntries(inMap === undefined ? entries : [['name', inMap]])
  }
}

/** Returns the value given by the author of the schema. */
function givenExample(value: JsonObject): Json | undefined {
  const [first] = listAt(value, 'examples')
  const [allowed] = listAt(value, 'enum')
  return at(value, 'example') ?? first ?? at(value, 'const') ?? at(value, 'default') ?? allowed
}

function simpleExample(type: string, value: JsonObject): Json {
  switch (type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return simpleNumber(value)
    case 'string': {
      const format = textAt(value, 'format') ?? ''
      return Object.hasOwn(byFormat, format) ? byFormat[format]! : simpleText(value)
    }
    case 'null':
      return null
    default:
      return isObject(value) && Object.keys(value).length === 0 ? {} : 'text'
  }
}

/**
 * Returns the smallest allowed number, 1 if there is no lower limit, or a number in the middle if neither fits between
 * the limits.
 */
function simpleNumber(value: JsonObject): number {
  const [least, above] = [numberAt(value, 'minimum'), numberAt(value, 'exclusiveMinimum')]
  const [most, below] = [numberAt(value, 'maximum'), numberAt(value, 'exclusiveMaximum')]
  const lowest = least ?? (above === undefined ? undefined : above + 1)
  const highest = most ?? (below === undefined ? Infinity : below - 1)
  const step = numberAt(value, 'multipleOf') ?? 0
  const first = lowest ?? Math.min(1, highest)
  const number = step > 0 ? Math.ceil(first / step) * step : first
  if (number <= highest) return number
  const [from, to] = [least ?? above, most ?? below]
  return from === undefined || to === undefined ? first : (from + to) / 2
}

const longestText = 100

function simpleText(value: JsonObject): string {
  const least = Math.min(numberAt(value, 'minLength') ?? 0, longestText)
  const most = numberAt(value, 'maxLength') ?? Infinity
  const word = 'text'
  return word.repeat(Math.max(1, Math.ceil(least / word.length))).slice(0, Math.min(Math.max(least, word.length), most))
}

const byFormat: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  byte: 'dGV4dA==',
  binary: '…',
  password: '••••••••',
}
