import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { SiteRow } from '../../db/tables.ts'
import { etagOf } from '../../http/conditional.ts'
import { type Encoding, compress } from '../../http/compress.ts'
import { Recent } from '../../recent.ts'

/** For all sites together. */
const mostBytes = 64 * 1024 * 1024

/** Anything larger, such as the full text of a large site, would evict hundreds of pages that are read more often. */
const largest = 2 * 1024 * 1024

/** A finished page: its bytes, its tag, and its compressed forms, each created once. */
export class KeptPage {
  readonly bytes: Buffer
  readonly tag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  /** Whether it is small enough to be kept. */
  get isSmall(): boolean {
    return this.bytes.length <= largest
  }

  constructor(markup: string) {
    this.bytes = Buffer.from(markup)
    this.tag = etagOf(this.bytes)
  }

  as(encoding: Encoding): Promise<Buffer> {
    let made = this.#compressed.get(encoding)
    if (!made) {
      made = compress(this.bytes, encoding)
      made.catch(() => this.#compressed.delete(encoding))
      this.#compressed.set(encoding, made)
    }
    return made
  }
}

/**
 * Keeps pages and other answers that are the same for everybody, as long as the snapshot of the site from which they
 * were made is current: every change creates a new snapshot. So a page that is read often needs neither a query nor
 * drawing.
 */
export class KeptPages {
  /** Each snapshot has its own row, which identifies it. So the snapshot itself need not be kept. */
  readonly #pages = new Recent<{ site: SiteRow; page: KeptPage }>(mostBytes)

  find({ site }: SiteSnapshot, key: string): KeptPage | undefined {
    const kept = this.#pages.get(`${site.id} ${key}`)
    return kept?.site === site ? kept.page : undefined
  }

  keep({ site }: SiteSnapshot, key: string, page: KeptPage): void {
    // Both compressed forms together are about half of the page.
    const bytes = page.bytes.length * 1.5
    this.#pages.set(`${site.id} ${key}`, { site, page }, bytes)
  }
}
