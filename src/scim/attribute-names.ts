const known =
  'schemas externalId userName displayName active name formatted givenName familyName emails roles members value type ' +
  'primary Operations op path filter startIndex count attributes excludedAttributes'
const byLetters = new Map(known.split(' ').map((name) => [name.toLowerCase(), name]))

/** Deep enough for a resource, a list in it, and the items of that list. */
const deepest = 4

/**
 * Returns a body with the names of attributes as we write them: to the standard, `username` is `userName` (RFC 7643,
 * 2.1). If both spellings occur, ours counts.
 */
export function withKnownNames(given: unknown, depth = 0): unknown {
  if (typeof given !== 'object' || given === null || depth > deepest) return given
  if (Array.isArray(given)) return given.map((each) => withKnownNames(each, depth + 1))
  const named = Object.entries(given).map(([name, value]) => {
    const ours = byLetters.get(name.toLowerCase())
    const isOther = ours === undefined || (ours !== name && Object.hasOwn(given, ours))
    return [isOther ? name : ours, withKnownNames(value, depth + 1)] as const
  })
  return Object.fromEntries(named)
}
