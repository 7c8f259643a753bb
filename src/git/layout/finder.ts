import { composed, isPlain } from '../../content/composed.ts'
import { isMarkdown, isReadme, folderOf, nameOf, resolvePath, spellings } from './paths.ts'

/** Finds the files that addresses in a repository refer to. */
export class Finder {
  readonly #paths: ReadonlySet<string> | ReadonlyMap<string, unknown>
  readonly #root: string
  readonly #readmes = new Map<string, string>()
  /** Paths by their composed form: on a Mac, file names contain accents as separate characters. */
  #alike: { byLook: ReadonlyMap<string, string>; finder: Finder } | undefined
  #lowered: { byLower: ReadonlyMap<string, string>; finder: Finder } | undefined

  constructor(paths: ReadonlySet<string> | ReadonlyMap<string, unknown>, root: string) {
    this.#paths = paths
    this.#root = root
    for (const path of paths.keys()) if (isReadme(path)) this.#readmes.set(folderOf(path), path)
  }

  /**
   * Returns the file that an address without its anchor refers to, relative to a folder. An address that starts with a
   * slash is relative to the root. A folder refers to its README, and the extension may be omitted.
   */
  find(folder: string, address: string): string | undefined {
    return this.#findExact(folder, address) ?? this.#findAlike(folder, address)
  }

  #findAlike(folder: string, address: string): string | undefined {
    const asked = spellings(address)
    if ([folder, ...asked].every(isPlain)) return undefined
    if (!this.#alike) {
      const byLook = new Map([...this.#paths.keys()].map((path) => [composed(path), path]))
      this.#alike = { byLook, finder: new Finder(byLook, composed(this.#root)) }
    }
    const { byLook, finder } = this.#alike
    for (const spelling of asked) {
      const found = finder.#findExact(composed(folder), composed(spelling))
      if (found !== undefined) return byLook.get(found)
    }
    return undefined
  }

  /**
   * Returns the file that the address would refer to if case did not matter, as on most Macs, where nobody notices the
   * difference.
   */
  findInAnyCase(folder: string, address: string): string | undefined {
    if (!this.#lowered) {
      const byLower = new Map([...this.#paths.keys()].map((path) => [path.toLowerCase(), path]))
      this.#lowered = { byLower, finder: new Finder(byLower, this.#root.toLowerCase()) }
    }
    const { byLower, finder } = this.#lowered
    const found = finder.find(folder.toLowerCase(), address.toLowerCase())
    return found === undefined ? undefined : byLower.get(found)
  }

  #findExact(folder: string, address: string): string | undefined {
    for (const spelling of spellings(address)) {
      const path = spelling.startsWith('/') ? resolvePath(this.#root, spelling) : resolvePath(folder, spelling)
      const found = path === undefined ? undefined : this.#at(path)
      if (found !== undefined) return found
    }
    return undefined
  }

  #at(path: string): string | undefined {
    if (this.#paths.has(path)) return path
    if (this.#readmes.has(path)) return this.#readmes.get(path)
    if (this.#paths.has(`${path}.md`)) return `${path}.md`
    // `guides/README` and `guides/readme.md` refer to the same file, in whatever case it is written.
    const readme = this.#readmes.get(folderOf(path))
    return readme !== undefined && /^readme$/i.test(nameOf(path).replace(/\.md$/i, '')) ? readme : undefined
  }
}

export const mayBePage = (path: string, root: string) => isMarkdown(path) && isPlace(path, root)

/** Whether a path is below the root and has no part that starts with a dot: such folders and files contain no pages. */
export const isPlace = (path: string, root: string) => isWithin(path, root) && !/(^|\/)\./.test(path.slice(root.length))

export const isWithin = (path: string, folder: string) => folder === '' || path.startsWith(`${folder}/`)
