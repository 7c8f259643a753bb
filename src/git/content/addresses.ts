import type { Data } from '../../content/merge/entry.ts'
import { type Binding, writeBinding } from '../../pages/references.ts'
import type { Finder } from '../layout/finder.ts'
import { folderOf } from '../layout/paths.ts'
import type { BookPage } from '../layout/shape.ts'
import type { ReadText } from './read.ts'

/** What the files of a repository are in Lectern. */
export interface Places {
  /** By file. `path` consists of the slugs from the top. */
  pages: Map<string, { id: string; path: string }>
  includes: Map<string, { id: string }>
  files: Map<string, { id: string }>
  /** Every page, including those without a file, by its slugs from the top. */
  bySlugs: Map<string, string>
}

/** An address in a text, without its anchor. */
export interface Addressed {
  id: string
  address: string
}

/** Returns what the addresses of a text refer to, for those that are paths of the repository. */
export function refsFor({ addresses }: Pick<ReadText, 'addresses'>, places: Places): Data | null {
  const refs: Data = {}
  for (const [address, path] of addresses) {
    const binding = bindingOf(path, places)
    if (binding) refs[address] = writeBinding(binding)
  }
  return addresses.size > 0 ? refs : null
}

/** Returns the other addresses, which may still refer to something here. */
export function collectAddresses(texts: readonly ReadText[], places: Places): Addressed[] {
  return texts.flatMap(({ id, addresses }) =>
    [...addresses].flatMap(([address, path]) => (bindingOf(path, places) ? [] : [{ id, address }])),
  )
}

function bindingOf(path: string | undefined, places: Places): Binding | undefined {
  if (path === undefined) return undefined
  const page = places.pages.get(path)
  if (page) return { kind: 'page', ...page }
  const include = places.includes.get(path)
  if (include) return { kind: 'reusable-content', ...include }
  const file = places.files.get(path)
  return file && { kind: 'file', ...file }
}

/** Returns the files that a text refers to, of any kind. */
export function namedFiles({ path, head, addresses }: ReadText, finder: Finder): string[] {
  const covers = [head.cover, head.coverDark].map((cover) => cover && finder.find(folderOf(path), cover))
  return [...addresses.values(), ...covers].filter((found) => found !== undefined && found !== '') as string[]
}

/** Returns the files that the table of contents links to. */
export function linkedFiles(pages: readonly BookPage[]): string[] {
  return pages.flatMap(({ target, pages: below }) => [
    ...(target && 'path' in target ? [target.path] : []),
    ...linkedFiles(below),
  ])
}
