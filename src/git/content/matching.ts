import type { Entry } from '../../revisions/entries.ts'
import type { GitFile } from '../../pages/entry-data.ts'
import { bodyHash } from '../../revisions/bodies.ts'
import { type Candidate, isSimilar, pairSimilar } from './similarity.ts'

/** Returns what an entry was in the repository when that was last read or written. */
export const gitOf = (entry: Pick<Entry, 'data'>) => entry.data?.['git'] as GitFile | undefined

export interface FileToMatch {
  path: string
  oid: string
  /** Its content, if it is a text. */
  text?: string
}

type TextsOf = (entries: readonly Entry[]) => Promise<Candidate<Entry>[]>

/**
 * Finds the entries of files: the one whose file was moved there and replaced by another, else the one that had the
 * path, else one whose file is gone and had the same bytes, else one whose text is mostly the same. So a page keeps its
 * id when its file is edited, moved, or both.
 */
export async function matchFiles(
  files: readonly FileToMatch[],
  entries: readonly Entry[],
  textsOf: TextsOf,
): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>()
  const left = new Set(entries)
  const pair = (path: string, entry: Entry | undefined) => {
    if (!entry || !left.has(entry) || found.has(path)) return
    found.set(path, entry)
    left.delete(entry)
  }
  for (const [path, entry] of await findReplaced(files, entries, textsOf)) pair(path, entry)

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

/**
 * Finds entries whose file is elsewhere now, byte for byte, while another text has its path: chapters that were
 * renumbered, or pages that changed places. If the text at the path is mostly the same, the other file is a copy. Bytes
 * that occur more than once, or a page without a text, say nothing.
 */
async function findReplaced(
  files: readonly FileToMatch[],
  entries: readonly Entry[],
  textsOf: TextsOf,
): Promise<[string, Entry][]> {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const byOid = Map.groupBy(files, ({ oid }) => oid)
  const holders = Map.groupBy(entries, (entry) => gitOf(entry)?.oid)
  const replaced = new Map<Entry, { by: string; path: string }>()
  for (const entry of entries) {
    const git = gitOf(entry)
    const there = git && byPath.get(git.path)
    if (there?.text === undefined || there.oid === git!.oid || entry.doc === bodyHash('')) continue
    const [moved, ...copies] = byOid.get(git!.oid) ?? []
    if (!moved || copies.length > 0 || holders.get(git!.oid)!.length > 1) continue
    replaced.set(entry, { by: there.text, path: moved.path })
  }
  if (replaced.size === 0) return []
  return (await textsOf([...replaced.keys()])).flatMap(({ key, text }): [string, Entry][] => {
    const { by, path } = replaced.get(key)!
    return isSimilar(by, text) ? [] : [[path, key]]
  })
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
