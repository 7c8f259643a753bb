/** Returns a document without its keys, which are made anew each time. */
export function withoutKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inside]) => (name === 'key' ? [] : [[name, withoutKeys(inside)]])),
  )
}
