/**
 * Whether a value is an object in the sense of JSON and YAML: neither a list nor null, which JavaScript calls objects,
 * too.
 */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** For reading optional fields: anything that is not an object counts as empty. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
