import { type Head, readHead } from '../git/content/documents.ts'
import type { PageData } from '../pages/entry-data.ts'
import { readReference } from '../pages/source.ts'
import type { Asset } from './assets.ts'
import type { Collected, FoundPage } from './collected.ts'

/** The cover pictures that the front matter of a page refers to by file path, as in a GitBook book. */
export class Cover {
  readonly #head: Head
  readonly #page: FoundPage
  readonly #collected: Collected

  constructor(page: FoundPage, collected: Collected) {
    this.#page = page
    this.#collected = collected
    this.#head = page.isPiece || !page.head?.includes('cover') ? {} : readHead(page.head)
  }

  /** Their addresses in the archive. */
  get addresses(): string[] {
    return [this.#head.cover, this.#head.coverDark].flatMap((path) => this.#addressOf(path) ?? [])
  }

  fields(assets: ReadonlyMap<string, Asset>): Pick<PageData, 'cover'> {
    const find = (path: string | undefined) => {
      const asset = assets.get(this.#addressOf(path) ?? '')
      return asset ? ({ kind: 'file', file: asset.id } as const) : readReference(path)
    }
    const { cover, coverDark, coverY: yPos } = this.#head
    const [ref, refDark] = [find(cover), find(coverDark)]
    return ref ? { cover: { ref, ...(refDark && { refDark }), ...(yPos !== undefined && { yPos }) } } : {}
  }

  #addressOf(path: string | undefined): string | undefined {
    if (path === undefined || !URL.canParse(path, this.#page.base)) return undefined
    const { href } = new URL(path, this.#page.base)
    return this.#collected.hasFile?.(href) ? href : undefined
  }
}
