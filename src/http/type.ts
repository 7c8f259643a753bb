// The functions that build schemas. The types are TypeBox's, the functions our own: loading TypeBox's 373 files would
// take a tenth of every start, for the few functions that we call (docs/decisions/0014-schema-functions.md).
import type TypeBox from 'typebox'

type Schema = Record<string, unknown>

/**
 * Like TypeBox's own mark, this does not appear in a schema: the object that contains a property declares whether it is
 * optional.
 */
const optionals = new WeakSet<Schema>()

const functions = {
  String: (options?: Schema): Schema => ({ type: 'string', ...options }),
  Integer: (options?: Schema): Schema => ({ type: 'integer', ...options }),
  Number: (options?: Schema): Schema => ({ type: 'number', ...options }),
  Boolean: (options?: Schema): Schema => ({ type: 'boolean', ...options }),
  Null: (options?: Schema): Schema => ({ type: 'null', ...options }),
  Unknown: (options?: Schema): Schema => ({ ...options }),
  Unsafe: (schema: Schema): Schema => ({ ...schema }),
  Literal: (value: string | number | boolean, options?: Schema): Schema => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Array: (items: Schema, options?: Schema): Schema => ({ type: 'array', items, ...options }),
  Union: (anyOf: Schema[], options?: Schema): Schema => ({ anyOf, ...options }),
  Record: (key: Schema, value: Schema, options?: Schema): Schema => ({
    type: 'object',
    patternProperties: { [(key.pattern as string | undefined) ?? '^.*$']: value },
    ...options,
  }),
  Object: (properties: Record<string, Schema>, options?: Schema): Schema => {
    const required = Object.keys(properties).filter((name) => !optionals.has(properties[name]!))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: Schema): Schema => {
    const optional = { ...schema }
    optionals.add(optional)
    return optional
  },
}

const Type = functions as unknown as Pick<typeof TypeBox, keyof typeof functions>
export default Type
