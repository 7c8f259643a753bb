import type { SiteSnapshot } from '../audience/snapshot.ts'
import { etagOf } from '../http/conditional.ts'
import { type Encoding, compress } from '../http/compress.ts'

/** Characters of pages that are kept, of all sites together. */
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
 * Pages and what else everybody gets alike, by the snapshot of their site: whatever changes makes a new snapshot, and
 * what was kept by the old one goes with it. So a page that is read often costs neither a query nor a drawing.
 */
export class KeptPages {
  readonly #bySite = new WeakMap<SiteSnapshot, Map<string, KeptPage>>()
  readonly #order: { site: WeakRef<SiteSnapshot>; key: string; size: number }[] = []
  #bytes = 0

  find(snapshot: SiteSnapshot, key: string): KeptPage | undefined {
    return this.#bySite.get(snapshot)?.get(key)
  }

  keep(snapshot: SiteSnapshot, key: string, page: KeptPage): void {
    let pages = this.#bySite.get(snapshot)
    if (!pages) this.#bySite.set(snapshot, (pages = new Map()))
    pages.set(key, page)
    // Both compressed forms together are about half of the page.
    const size = page.bytes.length * 1.5
    this.#order.push({ site: new WeakRef(snapshot), key, size })
    this.#bytes += size
    while (this.#bytes > mostBytes) {
      const oldest = this.#order.shift()!
      this.#bytes -= oldest.size
      const site = oldest.site.deref()
      if (site) this.#bySite.get(site)?.delete(oldest.key)
    }
  }
}
