import type { Data } from '../../content/merge/entry.ts'
import { type Binding, partsOf, writeBinding } from '../../pages/references.ts'
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
export function refsFor(text: ReadText, finder: Finder, places: Places): Data | null {
  const refs: Data = {}
  for (const address of addressesOf(text)) {
    const binding = bindingOf(finder.find(folderOf(text.path), address), places)
    if (binding) refs[address] = writeBinding(binding)
  }
  return addressesOf(text).length > 0 ? refs : null
}

/** The others: they may still mean something here. */
export function collectAddresses(texts: readonly ReadText[], finder: Finder, places: Places): Addressed[] {
  return texts.flatMap((text) =>
    addressesOf(text)
      .filter((address) => !bindingOf(finder.find(folderOf(text.path), address), places))
      .map((address) => ({ id: text.id, address })),
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

function addressesOf({ read }: ReadText): string[] {
  const addresses = (read?.links ?? []).map(({ href }) => partsOf(href).address)
  return [...new Set(addresses)].filter((address) => address !== '')
}

/** The files that a text names, whatever they are. */
export function namedFiles(text: ReadText, finder: Finder): string[] {
  const { cover, coverDark } = text.head
  const addresses = [...addressesOf(text), cover ?? '', coverDark ?? '']
  return addresses.flatMap((address) => (address === '' ? [] : (finder.find(folderOf(text.path), address) ?? [])))
}

/** The files that the table of contents leads to. */
export function linkedFiles(pages: readonly BookPage[]): string[] {
  return pages.flatMap(({ target, pages: below }) => [
    ...(target && 'path' in target ? [target.path] : []),
    ...linkedFiles(below),
  ])
}
