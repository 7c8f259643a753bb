import type { Data } from '../../content/merge/entry.ts'
import { type Binding, writeBinding } from '../../pages/references.ts'
import type { Finder } from '../layout/finder.ts'
import { folderOf } from '../layout/paths.ts'
import type { BookPage } from '../layout/shape.ts'
import type { ReadText } from './read.ts'

/** What the files of a repository are here. */
export interface Places {
  /** With their slugs from the top. */
  pages: Map<string, { id: string; path: string }>
  includes: Map<string, { id: string }>
  files: Map<string, { id: string }>
  /** Every page, those without a file as well, by its slugs from the top. */
  bySlugs: Map<string, string>
}

/** An address of a text, without its anchor. */
export interface Addressed {
  id: string
  address: string
}

/** What the addresses of a text mean, as far as they are paths of the repository. */
export function refsFor({ addresses }: Pick<ReadText, 'addresses'>, places: Places): Data | null {
  const refs: Data = {}
  for (const [address, path] of addresses) {
    const binding = bindingOf(path, places)
    if (binding) refs[address] = writeBinding(binding)
  }
  return addresses.size > 0 ? refs : null
}

/** The others: they may still mean something here. */
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

/** The files that a text names, whatever they are. */
export function namedFiles({ path, head, addresses }: ReadText, finder: Finder): string[] {
  const covers = [head.cover, head.coverDark].map((cover) => cover && finder.find(folderOf(path), cover))
  return [...addresses.values(), ...covers].filter((found) => found !== undefined && found !== '') as string[]
}

/** The files that the table of contents leads to. */
export function linkedFiles(pages: readonly BookPage[]): string[] {
  return pages.flatMap(({ target, pages: below }) => [
    ...(target && 'path' in target ? [target.path] : []),
    ...linkedFiles(below),
  ])
}
