import type { Range } from '../tree.ts'

export interface Candidate extends Range {
  readonly address: string
}

const size = /\s\d{1,9}(?:\.\d{1,9})?[wxh]$/

/**
 * Returns the addresses in a `srcset`, and their positions. It is a list only if it contains sizes: otherwise it is a
 * single address, which may contain commas and spaces, as GitBook writes them.
 */
export function candidatesOf(srcset: string): Candidate[] {
  const parts = srcset.split(',')
  const hasSize = parts.map((part) => size.test(part.trimEnd()))
  if (!hasSize.includes(true)) return [{ address: srcset, start: 0, end: srcset.length }]
  const found: Candidate[] = []
  let [from, at] = [0, 0]
  parts.forEach((part, index) => {
    at += part.length + 1
    // A comma within an address is not followed by a blank.
    if (index + 1 < parts.length && !hasSize[index] && !/^\s/.test(parts[index + 1]!)) return
    const written = srcset.slice(from, at - 1)
    const address = written.trimEnd().replace(size, '').trim()
    const start = from + written.length - written.trimStart().length
    if (address !== '') found.push({ address, start, end: start + address.length })
    from = at
  })
  return found
}

/** Returns the list with its addresses replaced; those that are refused are left out. */
export function withCandidates(srcset: string, resolve: (address: string) => string | undefined): string | undefined {
  const all = candidatesOf(srcset)
  const left = all.flatMap(({ address, end }, index) => {
    const resolved = resolve(address)
    const behind = srcset
      .slice(end, all[index + 1]?.start)
      .replace(/,\s*$/, '')
      .trim()
    return resolved === undefined ? [] : [behind === '' ? resolved : `${resolved} ${behind}`]
  })
  return left.length > 0 ? left.join(', ') : undefined
}
