import { type GitFile, fileData, pageData, reusableData } from '../../pages/entry-data.ts'
import type { PageTree } from '../../pages/tree.ts'
import type { Entry } from '../../revisions/entries.ts'
import { slugFrom } from '../../editing/slugs.ts'
import { assetsFolder, includesFolder } from '../layout/book.ts'
import { folderOf, isMarkdown, isPlainPath, isReadme, nameOf, portableName, withoutEnding } from '../layout/paths.ts'
import type { LayoutConfig } from '../layout/shape.ts'

export interface ToPlace {
  tree: PageTree
  files: readonly Entry[]
  reusables: readonly Entry[]
  /** Where entries already are in the repository. */
  known: ReadonlyMap<string, GitFile>
  /** Paths that are used by something else. */
  taken: Iterable<string>
  config: LayoutConfig
}

/**
 * Returns where everything is kept in the repository. What is already there keeps its path, whatever happened to its
 * page: so links between files stay correct, and nothing changes that nobody edited.
 */
export function assignPaths({ tree, files, reusables, known, taken, config }: ToPlace): Map<string, string> {
  const paths = new FreePaths(taken)
  const { root, readme } = config
  const documents = inOrder(tree).filter((entry) => pageData(entry).type === 'document')
  for (const { entry } of [...documents, ...reusables]) {
    const path = known.get(entry)?.path
    if (path !== undefined && isMarkdown(path)) paths.stay(entry, path)
  }
  for (const entry of files) {
    const path = known.get(entry.entry)?.path
    if (path !== undefined && nameOf(path) === fileData(entry).name) paths.stay(entry.entry, path)
  }

  const [first] = documents
  if (first && !paths.of(first.entry)) paths.keep(first.entry, readme)
  const folders = new Map<string, string>()
  for (const entry of inOrder(tree)) {
    const above = folders.get(entry.parent) ?? root
    const name = pageNameOf(entry.slug ?? '')
    const isDocument = pageData(entry).type === 'document'
    const hasPages = tree.childrenOf(entry.entry).length > 0
    if (isDocument) paths.take(entry.entry, above, hasPages ? `${name}/README.md` : `${name}.md`)
    const path = paths.of(entry.entry)
    folders.set(
      entry.entry,
      path === undefined ? below(above, name) : isReadme(path) ? folderOf(path) : withoutEnding(path),
    )
  }
  for (const entry of reusables)
    paths.take(entry.entry, includesFolder(root), `${slugName(reusableData(entry).title)}.md`)
  for (const entry of files) {
    const folder = folderOf(known.get(entry.entry)?.path ?? `${assetsFolder(root)}/`)
    paths.take(entry.entry, folder, fileNameOf(fileData(entry).name))
  }
  return paths.all
}

/** Lists pages, parents first and siblings in order. */
export function inOrder(tree: PageTree, of: readonly Entry[] = tree.roots): Entry[] {
  return of.flatMap((entry) => [entry, ...inOrder(tree, tree.childrenOf(entry.entry))])
}

const below = (folder: string, path: string) => (folder === '' ? path : `${folder}/${path}`)

/** Returns a name that every system accepts, and that no tool takes for one of its own. */
function fileNameOf(name: string): string {
  const plain = portableName(shortName(name.replace(/^\.+/, '')))
  return isPlainPath(plain) && !plain.includes('/') ? plain : slugName(name)
}

const slugName = (text: string) => portableName(shortName(slugFrom(text)))

/** Systems accept names of 255 bytes, and cloning a longer one fails. This leaves room for an ending and a number. */
const mostNameBytes = 240

/** Shortens a name, but keeps its ending. A character is never cut in two. */
function shortName(name: string): string {
  if (Buffer.byteLength(name) <= mostNameBytes) return name
  const ending = /(?<=.)\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  let short = ''
  for (const sign of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(short + sign + ending) > mostNameBytes) break
    short += sign
  }
  return short + ending
}

/** A README stands for its folder: no other page has that name. */
function pageNameOf(slug: string): string {
  const name = fileNameOf(slug)
  return /^readme$/i.test(name) ? `${name}-page` : name
}

/** Assigns free paths. Paths that differ only in case are the same file on some systems. */
class FreePaths {
  readonly all = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #alike = new Set<string>()
  /** The first number to try for a path: hundreds of pictures may have the same name. */
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    for (const path of taken) this.#take(path)
  }

  of(entry: string): string | undefined {
    return this.all.get(entry)
  }

  /** Keeps an existing path. Two existing ones that differ only in case stay two. */
  stay(entry: string, path: string): void {
    if (this.#taken.has(path) || !isPlainPath(path)) return
    this.#take(path)
    this.all.set(entry, path)
  }

  /** Assigns exactly this path, unless it is taken. */
  keep(entry: string, path: string): void {
    if (!this.#alike.has(path.toLowerCase())) this.stay(entry, path)
  }

  /** Assigns this path, or the next free one with a number. */
  take(entry: string, folder: string, name: string): void {
    const path = below(folderFor(folder, name), name)
    const alike = path.toLowerCase()
    let number = this.#next.get(alike) ?? 0
    for (; !this.all.has(entry); number++) this.keep(entry, number === 0 ? path : numbered(path, number))
    this.#next.set(alike, number)
  }

  #take(path: string): void {
    this.#taken.add(path)
    this.#alike.add(path.toLowerCase())
  }
}

/**
 * Returns the nearest folder further up that can contain the file. The whole path may be too long, or a folder may have
 * a name that is not allowed.
 */
function folderFor(folder: string, name: string): string {
  const isFit = isPlainPath(numbered(below(folder, name), mostNumber))
  return folder === '' || isFit ? folder : folderFor(folderOf(folder), name)
}

const mostNumber = 1_000_000

/** `guide-1.md`, `guide-1/README.md`, `image-1.png`. */
function numbered(path: string, number: number): string {
  const base = isReadme(path) ? folderOf(path) : path
  const dot = isReadme(path) ? -1 : nameOf(base).lastIndexOf('.')
  const end = dot > 0 ? base.length - nameOf(base).length + dot : base.length
  const other = `${base.slice(0, end)}-${number}${base.slice(end)}`
  return isReadme(path) ? `${other}/${nameOf(path)}` : other
}
