import { percentDecoded } from '../percent.ts'

/** The paths of slugs that an address may mean, likeliest first. `folders` are where relative ones start. */
export function pathsOf(folders: readonly string[][], address: string): string[][] {
  const plain = decoded(address.split('?')[0]!)
  if (plain === undefined) return []
  const fromTop = /^\/(?:pages\/)?(.*)$/s.exec(plain)?.[1]
  const paths = fromTop === undefined ? folders.map((folder) => slugsOf(folder, plain)) : [slugsOf([], fromTop)]
  return paths.filter((path) => path !== undefined)
}

/** An empty path is the README of the whole: the first page. Undefined where it leads out of the space. */
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

/** Undefined where it spells no text that anybody could store. */
export function decoded(address: string): string | undefined {
  const text = percentDecoded(address)
  return text === undefined || text.includes('\0') || !text.isWellFormed() ? undefined : text
}
