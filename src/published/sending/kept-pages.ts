import type { SiteSnapshot } from '../../audience/snapshots/snapshot.ts'
import type { SiteRow } from '../../db/tables.ts'
import { etagOf } from '../../http/conditional.ts'
import { type Encoding, compress } from '../../http/compress.ts'
import { Recent } from '../../recent.ts'

/** Of all sites together. */
const mostBytes = 64 * 1024 * 1024

/** What is larger, such as all of a large site in one text, would drive out hundreds of pages that are read more often. */
const largest = 2 * 1024 * 1024

/** A finished page: its bytes, its tag, and its compressed forms, each made once. */
export class KeptPage {
  readonly bytes: Buffer
  readonly tag: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  /** Whether it is worth its room. */
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
 * Pages and what else everybody gets alike, for as long as the snapshot of their site is the one that they were made from:
 * whatever changes makes a new one. So a page that is read often costs neither a query nor a drawing.
 */
export class KeptPages {
  /** Each snapshot has a row of its own: by that it is known, and need not be held. */
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
