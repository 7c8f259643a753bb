/** The parts of a schema that are used here. */
interface Shape {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  patternProperties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
}

/**
 * Removes the fields that the schema does not name from a value that passed it: newer clients may send them, and values
 * stored as sent must not contain them. undefined is left out, null stays.
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

/** Whether the value has all required fields. If several objects are allowed, the first match is used. */
function isMeant({ type, required = [] }: Shape, value: object): boolean {
  return type === (Array.isArray(value) ? 'array' : 'object') && required.every((name) => Object.hasOwn(value, name))
}
