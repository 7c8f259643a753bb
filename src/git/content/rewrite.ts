import { derive, linksToExchange } from '../../derived/derive.ts'
import { refsOf } from '../../pages/entry-data.ts'
import { boundTo, namedIn, partsOf } from '../../pages/references.ts'
import type { PageTree } from '../../pages/tree.ts'
import type { Entry } from '../../revisions/entries.ts'
import type { Finder } from '../layout/finder.ts'
import { encodePath, folderOf, relativePath } from '../layout/paths.ts'

/**
 * Returns the body of a text as written to its file: addresses that would mean something else there, or nothing, become
 * paths. The others stay as they are, so a text that came from the repository returns to it unchanged.
 */
export function writeBody(entry: Entry, body: string, path: string, around: Around): string {
  const written = (href: string) => addressIn(entry, href, path, around)
  // What a text refers to is stored with it, except for ids in some older texts: most bodies need not be parsed.
  const isNamed = Object.keys(refsOf(entry)).some((address) => written(address) !== undefined)
  if (!isNamed && !mayNameIds.test(body)) return body

  let text = ''
  let from = 0
  const { links } = derive(body, entry.doc ?? undefined)
  for (const { href, start, end } of linksToExchange(body, links)) {
    const address = written(href)
    if (address === undefined || start < from) continue
    text += `${body.slice(from, start)}${address}${href.slice(partsOf(href).address.length)}`
    from = end
  }
  return text + body.slice(from)
}

const mayNameIds = /\/(?:pages|files|reusable-contents)\//

export interface Around {
  /** The file paths of entries. */
  paths: ReadonlyMap<string, string>
  finder: Finder
  tree: PageTree
}

/** Returns how the file at a path refers to the target of an address; undefined if the address can stay as it is. */
function addressIn(entry: Entry, href: string, path: string, { paths, finder, tree }: Around): string | undefined {
  const bound = boundTo(href, refsOf(entry))
  const { address } = partsOf(href)
  if (!bound || address === '') return undefined
  const target = paths.get(bound.id)
  if (target !== undefined) {
    return finder.find(folderOf(path), address) === target ? undefined : encodePath(relativePath(path, target))
  }
  return namedIn(address) && slugsTo(tree, bound.id)
}

/** Returns an address for a page without a file: one that no file has. */
export function slugsTo(tree: PageTree, id: string): string | undefined {
  const page = tree.byId.get(id)
  return page && `/pages/${encodePath(tree.pathOf(page))}`
}
