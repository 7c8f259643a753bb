import { limits } from '../../content/limits.ts'
import { ImportFailure } from '../failure.ts'
import { pathOf } from '../web/addresses.ts'
import type { Archive } from './archive.ts'

/** Returns the address of a file in an archive, as links in its pages resolve to it. */
export const addressOf = (path: string) => `archive:///${path.split('/').map(encodeURIComponent).join('/')}`

interface FileAlong {
  path: string
  archive: Archive
}

/**
 * All files that were imported in archives. Pages refer to them relative to their own file, or from the top of the
 * project.
 */
export class FilesAlong {
  readonly #files = new Map<string, FileAlong>()
  readonly #textOf: (bytes: Uint8Array) => string
  #top = ''

  constructor(textOf: (bytes: Uint8Array) => string) {
    this.#textOf = textOf
  }

  add(archive: Archive, folder: string): void {
    for (const path of archive.paths) this.#files.set(pathOf(addressOf(folder + path)), { path, archive })
    this.#top = topOf(this.paths)
  }

  get paths(): string[] {
    return [...this.#files.keys()]
  }

  /** The one folder that everything is packed in, with a slash at its end. Empty if there is none. */
  get top(): string {
    return this.#top
  }

  has(address: string): boolean {
    return this.at(address) !== undefined
  }

  /** Files in the `static` or `public` folder of a project are at the top of its site. */
  at(address: string): FileAlong | undefined {
    if (!address.startsWith('archive:')) return undefined
    const path = pathOf(address)
    const below = path.slice(this.#top.length)
    const inFolder = (name: string) => this.#files.get(`${this.#top}${name}/${below}`)
    return this.#files.get(path) ?? inFolder('static') ?? inFolder('public') ?? this.#files.get(below)
  }

  /**
   * Reads a file that a page includes. Its path is relative to the page, to the top of the project, or to the folder of
   * the pages.
   */
  async readPart(path: string, address: string): Promise<string | undefined> {
    if (!address.startsWith('archive:')) return undefined
    const plain = path.replace(/^(@(?:site)?\/|\/)/, '')
    const beside = plain === path ? [new URL('.', address).href] : []
    const places = [...beside, ...[this.#top, `${this.#top}docs/`, ''].map(addressOf)]
    const found = places.flatMap((place) =>
      URL.canParse(encodeURI(plain), place)
        ? (this.#files.get(pathOf(new URL(encodeURI(plain), place).href)) ?? [])
        : [],
    )[0]
    try {
      return found && this.#textOf(await found.archive.read(found.path, limits.sourceBytes))
    } catch (error) {
      if (error instanceof ImportFailure) return undefined
      throw error
    }
  }
}

function topOf(paths: readonly string[]): string {
  const [first = ''] = paths
  const top = first.slice(0, first.indexOf('/') + 1)
  return paths.every((path) => path.startsWith(top)) ? top : ''
}
