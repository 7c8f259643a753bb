import type { FoundPage } from '../collected.ts'
import { keyOf } from '../web/addresses.ts'

/**
 * Whether a file marks a Docusaurus project. There, numbers at the start of names define the order of files, and are
 * not part of the names.
 */
export const isOfDocusaurus = (path: string) =>
  /(^|\/)(docusaurus\.config\.[cm]?[jt]s|_category_\.(json|ya?ml))$/.test(path)

/** Removes a number at the start of a name. A date is kept. */
export const withoutNumber = (name: string) => name.replace(/^(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])/, '')

/**
 * Maps addresses that pages had on the site of their project, and that cannot be derived from their files, to the keys
 * of the pages.
 */
export function formerKeys(
  pages: readonly FoundPage[],
  tops: readonly string[],
  isNumbered: boolean,
  /** Folders whose pages the site shows in the place of another folder. */
  moved: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const taken = new Set(pages.map(({ key }) => key))
  const found = new Map<string, string>()
  const add = (former: string, key: string) => {
    if (!taken.has(former) && !found.has(former)) found.set(former, key)
  }
  for (const { key, address } of pages) {
    for (const [folder, place] of moved)
      if (key.startsWith(`${folder}/`)) {
        const former = place + key.slice(folder.length)
        add(isNumbered ? former.split('/').map(withoutNumber).join('/') : former, key)
        add(former, key)
      }
    if (isNumbered) add(key.split('/').map(withoutNumber).join('/'), key)
    for (const top of address === undefined ? [] : tops)
      if (URL.canParse(`.${address}`, top)) add(keyOf(new URL(`.${address}`, top).href), key)
  }
  return found
}
