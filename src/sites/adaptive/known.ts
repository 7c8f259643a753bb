/** What is looked at of a schema. */
interface Shape {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  patternProperties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/**
 * A value that passed its schema, without the fields that the schema does not name: clients newer than us may send
 * them, and what is kept as it was sent must not grow by them. undefined is left out, null stays.
 */
export function known(schema: object, value: unknown): unknown {
  const { properties, patternProperties, items, anyOf } = schema as Shape
  if (value === null || typeof value !== 'object') return value
  if (anyOf) return known(anyOf.find((shape) => isMeant(shape, value)) ?? {}, value)
  if (Array.isArray(value)) return items ? value.map((item) => known(items, item)) : value
  if (patternProperties) return value
  if (!properties) return value
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] !== undefined)
      .map(([name, shape]) => [name, known(shape, (value as Record<string, unknown>)[name])]),
  )
}

/** Of several objects that it may be, the first that has all it needs. */
function isMeant({ type, required = [] }: Shape, value: object): boolean {
  return type === (Array.isArray(value) ? 'array' : 'object') && required.every((name) => Object.hasOwn(value, name))
}
