import { limits } from '../../content/limits.ts'
import { ImportFailure } from '../failure.ts'
import { pathOf } from '../web/addresses.ts'
import type { Archive } from './archive.ts'

/** Where a file of an archive is, as links in its pages find it. */
export const addressOf = (path: string) => `archive:///${path.split('/').map(encodeURIComponent).join('/')}`

interface FileAlong {
  path: string
  archive: Archive
}

/** All files that came along in archives, as pages name them: from where they are, or from the top of their project. */
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

  /** The one folder that all is packed in, with a slash at its end; nothing where there is none. */
  get top(): string {
    return this.#top
  }

  has(address: string): boolean {
    return this.at(address) !== undefined
  }

  /** What lies in the folder of a project for it is, on its site, at the top. */
  at(address: string): FileAlong | undefined {
    if (!address.startsWith('archive:')) return undefined
    const path = pathOf(address)
    const below = path.slice(this.#top.length)
    const inFolder = (name: string) => this.#files.get(`${this.#top}${name}/${below}`)
    return this.#files.get(path) ?? inFolder('static') ?? inFolder('public') ?? this.#files.get(below)
  }

  /** What a page takes from another file: named from where it is, from the top of the project, or from the folder of its pages. */
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
