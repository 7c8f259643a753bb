import type { Entry } from '../../revisions/entries.ts'
import type { GitFile } from '../../pages/entry-data.ts'
import { type Candidate, pairSimilar } from './similarity.ts'

/** Returns what an entry was in the repository when that was last read or written. */
export const gitOf = (entry: Pick<Entry, 'data'>) => entry.data?.['git'] as GitFile | undefined

export interface FileToMatch {
  path: string
  oid: string
  /** Its content, if it is a text. */
  text?: string
}

/**
 * Finds the entries of files: the one that had the path, else one whose file is gone and had the same bytes, else one
 * whose text is mostly the same. So a page keeps its id when its file is edited, moved, or both.
 */
export async function matchFiles(
  files: readonly FileToMatch[],
  entries: readonly Entry[],
  textsOf: (entries: readonly Entry[]) => Promise<Candidate<Entry>[]>,
): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  const left = new Set(entries)
  const pair = (path: string, entry: Entry | undefined) => {
    if (!entry || !left.has(entry) || found.has(path)) return
    found.set(path, entry)
    left.delete(entry)
  }
  const byPath = new Map(entries.map((entry) => [gitOf(entry)?.path, entry]))
  for (const { path } of files) pair(path, byPath.get(path))

  const byOid = Map.groupBy(left, (entry) => gitOf(entry)?.oid)
  for (const { path, oid } of files)
    pair(
      path,
      byOid.get(oid)?.find((entry) => left.has(entry)),
    )

  const open = files.flatMap(({ path, text }) => (text === undefined || found.has(path) ? [] : [{ key: path, text }]))
  if (open.length === 0 || left.size === 0) return found
  for (const [path, entry] of pairSimilar(open, await textsOf([...left]))) pair(path, entry)
  return found
}

/** Finds entries without a file by name, preferably in the same place. */
export class ByName {
  readonly #left: Map<string, Entry[]>
  readonly #nameOf: (entry: Entry) => string

  constructor(entries: readonly Entry[], nameOf: (entry: Entry) => string) {
    this.#nameOf = nameOf
    this.#left = Map.groupBy(entries, nameOf)
  }

  take(name: string, parent: string): Entry | undefined {
    const named = this.#left.get(name) ?? []
    const entry = named.find((each) => each.parent === parent) ?? named[0]
    if (entry)
      this.#left.set(
        this.#nameOf(entry),
        named.filter((each) => each !== entry),
      )
    return entry
  }
}
