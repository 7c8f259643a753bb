/** Something with names, as JSON and YAML have it: neither a list nor null, which JavaScript calls objects too. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** For whoever takes what it can find: in anything else there is nothing. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
