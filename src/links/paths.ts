import { percentDecoded } from '../percent.ts'

/**
 * Returns the paths of slugs that an address may refer to, likeliest first. Relative addresses start from `folders`.
 */
export function pathsOf(folders: readonly string[][], address: string): string[][] {
  const plain = decoded(address.split('?')[0]!)
  if (plain === undefined) return []
  const fromTop = /^\/(?:pages\/)?(.*)$/s.exec(plain)?.[1]
  const paths = fromTop === undefined ? folders.map((folder) => slugsOf(folder, plain)) : [slugsOf([], fromTop)]
  return paths.filter((path) => path !== undefined)
}

/**
 * Returns an empty path for the top-level README, which is the first page. Undefined if the address leads out of the
 * space.
 */
function slugsOf(base: readonly string[], address: string): string[] | undefined {
  const path = [...base]
  for (const step of address.split('/')) {
    if (step === '..') {
      if (path.pop() === undefined) return undefined
    } else if (step !== '' && step !== '.') path.push(step)
  }
  const last = path.pop()
  if (last === undefined || /^readme\.md$/i.test(last)) return path
  return [...path, last.replace(/\.md$/, '')]
}

/** Returns undefined if the result is not valid text that can be stored. */
export function decoded(address: string): string | undefined {
  const text = percentDecoded(address)
  return text === undefined || text.includes('\0') || !text.isWellFormed() ? undefined : text
}
