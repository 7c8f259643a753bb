import type { ContentCache } from '../pages/content-cache.ts'
import type { Revision } from '../revisions/revision.ts'
import { type SpacePages, loadPages } from './pages.ts'

/**
 * Upper limit for the entries of all trees together. They are the same objects as in the content cache, as long as that
 * has room for them.
 */
const mostEntries = 50_000

/**
 * Caches the pages of what is being read: for each line, the newest revision that was requested. Available without
 * waiting, because every request of a reader needs them.
 */
export class PageCache {
  readonly #content: ContentCache
  readonly #kept = new Map<string, SpacePages>()
  #entries = 0

  constructor(content: ContentCache) {
    this.#content = content
  }

  get(at: Revision): SpacePages | Promise<SpacePages> {
    const kept = this.#kept.get(at.lineId)
    // A space that moved to another organization keeps its revision ids there, and all that it refers to moves along.
    // So both ids have to match.
    const isIt = kept?.at.id === at.id && kept.at.organizationId === at.organizationId
    return isIt ? kept : this.#load(at)
  }

  async #load(at: Revision): Promise<SpacePages> {
    const pages = await loadPages(this.#content, at)
    const size = sizeOf(pages)
    if ((this.#kept.get(at.lineId)?.at.seq ?? 0) > at.seq || size > mostEntries) return pages
    this.#drop(at.lineId)
    this.#kept.set(at.lineId, pages)
    this.#entries += size
    for (const oldest of this.#kept.keys()) {
      if (this.#entries <= mostEntries) break
      this.#drop(oldest)
    }
    return pages
  }

  #drop(lineId: string): void {
    const kept = this.#kept.get(lineId)
    if (!kept) return
    this.#kept.delete(lineId)
    this.#entries -= sizeOf(kept)
  }
}

const sizeOf = ({ tree }: SpacePages) => tree.byId.size + 1
