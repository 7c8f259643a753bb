/** A width or height: a number of pixels, or a number with its unit. */
export type Length = number | { unit: string; value: number }

/** `300`, `50%`, `20em`; nothing for what is no length. */
export function readLength(written: string | undefined): Length | undefined {
  // Trimmed beside the pattern: blanks that two parts of it could take are tried in every way.
  const match = /^(\d{1,9}(?:\.\d{1,20})?|\.\d{1,20})\s*(%|[a-z]{1,8})?$/i.exec((written ?? '').trim())
  if (!match) return undefined
  const [, number, unit] = match
  return unit === undefined ? Number(number) : { unit, value: Number(number) }
}

/** The way back. Older documents have it as text. */
export function writeLength(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const { unit, value: number } = value as Partial<Record<'unit' | 'value', unknown>>
  const isLength = typeof number === 'number' && Number.isFinite(number) && /^(?:%|[a-z]{1,8})$/i.test(String(unit))
  return isLength ? `${number}${String(unit)}` : undefined
}
