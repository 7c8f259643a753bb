import { type Json, type JsonObject, at, isObject, isTrue, listAt, numberAt, objectAt, textAt } from './json.ts'
import type { Way } from './props.ts'
import { fieldsOf, mapValuesOf, shapeOf, typesOf, variantsOf } from './shape.ts'
import type { Spec } from './spec.ts'

/** An example is to be read: nobody reads a thousand lines. */
const mostValues = 300
const deepest = 8

/** What a body looks like: the example that is given, else one made from its schema. */
export function exampleOfMedia(spec: Spec, media: JsonObject, way: Way): Json | undefined {
  const given = at(media, 'example') ?? firstExample(spec, media)
  if (given !== undefined) return given
  const schema = at(media, 'schema')
  return schema === undefined ? undefined : exampleOfSchema(spec, schema, way)
}

/** Of `examples` as bodies and parameters have them: values with names. */
export function firstExample(spec: Spec, holder: JsonObject): Json | undefined {
  for (const each of Object.values(objectAt(holder, 'examples'))) {
    const value = at(spec.resolve(each).value, 'value')
    if (value !== undefined) return value
  }
  return undefined
}

export function exampleOfSchema(spec: Spec, schema: unknown, way: Way): Json | undefined {
  return new Examples(spec, way).of(schema, [])
}

class Examples {
  readonly #spec: Spec
  readonly #way: Way
  #left = mostValues

  constructor(spec: Spec, way: Way) {
    this.#spec = spec
    this.#way = way
  }

  /** Undefined: it would hold itself again, or be too long. */
  of(schema: unknown, above: readonly string[]): Json | undefined {
    const { value, pointer } = shapeOf(this.#spec, schema)
    if (this.#left-- <= 0 || above.length > deepest || (pointer !== undefined && above.includes(pointer)))
      return undefined
    const given = givenExample(value)
    if (given !== undefined) return given
    const within = [...above, pointer ?? '']
    const variants = variantsOf(this.#spec, value)
    const fields = fieldsOf(value)
    if (variants && fields.length === 0) return this.#firstOf(variants.schemas, within)
    const [type = 'any'] = typesOf(value).filter((each) => each !== 'null')
    switch (type) {
      case 'object':
        return this.#object(value, within)
      case 'array': {
        const item = this.of(at(value, 'items') ?? {}, within)
        return item === undefined ? [] : [item]
      }
      default:
        return simpleExample(type, value)
    }
  }

  #firstOf(schemas: readonly Json[], above: readonly string[]): Json | undefined {
    for (const each of schemas) {
      const example = this.of(each, above)
      if (example !== undefined) return example
    }
    return undefined
  }

  #object(value: JsonObject, above: readonly string[]): Json {
    const left = this.#way === 'request' ? 'readOnly' : 'writeOnly'
    const entries = fieldsOf(value).flatMap(({ name, schema }): [string, Json][] => {
      const shape = this.#spec.resolve(schema).value
      if (isTrue(shape, left) || isTrue(shape, 'deprecated')) return []
      const example = this.of(schema, above)
      return example === undefined ? [] : [[name, example]]
    })
    const values = mapValuesOf(value)
    const inMap = values && entries.length === 0 ? this.of(values, above) : undefined
    return Object.fromEntries(inMap === undefined ? entries : [['name', inMap]])
  }
}

/** What whoever wrote the schema gave. */
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
      return numberAt(value, 'minimum') ?? (numberAt(value, 'exclusiveMinimum') ?? 0) + 1
    case 'string': {
      const format = textAt(value, 'format') ?? ''
      return Object.hasOwn(byFormat, format) ? byFormat[format]! : 'text'
    }
    case 'null':
      return null
    default:
      return isObject(value) && Object.keys(value).length === 0 ? {} : 'text'
  }
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
