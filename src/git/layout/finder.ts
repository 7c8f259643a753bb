import { isMarkdown, isReadme, folderOf, nameOf, resolvePath, spellings } from './paths.ts'

/** Finds the files that addresses in a repository mean. */
export class Finder {
  readonly #paths: { has(path: string): boolean }
  readonly #root: string
  readonly #readmes = new Map<string, string>()

  constructor(paths: ReadonlySet<string> | ReadonlyMap<string, unknown>, root: string) {
    this.#paths = paths
    this.#root = root
    for (const path of paths.keys()) if (isReadme(path)) this.#readmes.set(folderOf(path), path)
  }

  /**
   * The file that an address without its anchor means, seen from a folder. One that begins with a slash starts at the
   * root. A folder means its README, and the ending may be left out.
   */
  find(folder: string, address: string): string | undefined {
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
    // `guides/README` and `guides/readme.md` mean the same file, however it is spelled.
    const readme = this.#readmes.get(folderOf(path))
    return readme !== undefined && /^readme$/i.test(nameOf(path).replace(/\.md$/i, '')) ? readme : undefined
  }
}

/** What lies in a folder whose name begins with a dot is nobody's page. */
export const mayBePage = (path: string, root: string) =>
  isMarkdown(path) && isWithin(path, root) && !/(^|\/)\./.test(path.slice(root.length))

export const isWithin = (path: string, folder: string) => folder === '' || path.startsWith(`${folder}/`)
