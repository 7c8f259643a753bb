/** A width or height: a number of pixels, or a number with its unit. */
export type Length = number | { unit: string; value: number }

/** Reads `300`, `50%`, `20em`; undefined for anything that is not a length. */
export function readLength(written: string | undefined): Length | undefined {
  // Trimmed outside of the pattern: blanks that could match two parts of it would be tried in every combination.
  const match = /^(\d{1,9}(?:\.\d{1,20})?|\.\d{1,20})\s*(%|[a-z]{1,8})?$/i.exec((written ?? '').trim())
  if (!match) return undefined
  const [, number, unit] = match
  return unit === undefined ? Number(number) : { unit, value: Number(number) }
}

/** The inverse of `readLength`. Older documents contain lengths as text. */
export function writeLength(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const { unit, value: number } = value as Partial<Record<'unit' | 'value', unknown>>
  const isLength = typeof number === 'number' && Number.isFinite(number) && /^(?:%|[a-z]{1,8})$/i.test(String(unit))
  return isLength ? `${number}${String(unit)}` : undefined
}
