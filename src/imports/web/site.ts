import { setTimeout as sleep } from 'node:timers/promises'
import { FetchFailure } from '../../fetch/failure.ts'
import type { FetchLimits, Fetched, Fetcher } from '../../fetch/fetcher.ts'
import { ImportFailure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Scope } from './addresses.ts'
import { type Robots, everythingAllowed, readRobots } from './robots.ts'
import { readSitemap } from './sitemap.ts'

/**
 * Fetches from sites politely: not too much at once, with retries after a while where they may help, and never past the
 * deadline.
 */
export class Site {
  readonly #fetcher: Fetcher
  readonly #until: number
  readonly #stopping: AbortSignal
  #robots: Robots = everythingAllowed
  /** When the next page may be requested. */
  #next = 0

  constructor(fetcher: Fetcher, { until, stopping }: { until: number; stopping: AbortSignal }) {
    this.#fetcher = fetcher
    this.#until = until
    this.#stopping = stopping
  }

  get isOver(): boolean {
    return this.#stopping.aborted || performance.now() > this.#until
  }

  mayFetch(url: string): boolean {
    return this.#robots.mayFetch(url)
  }

  /** Throws a FetchFailure. Failures that may be temporary are retried. */
  async fetch(url: string, bytes: number): Promise<Fetched> {
    for (let attempt = 1; ; attempt++) {
      await this.#wait()
      const left = this.#until - performance.now()
      this.#stopping.throwIfAborted()
      if (left <= 0) throw new FetchFailure('timeout')
      try {
        const fetched = await this.#ask(url, { bytes, totalMs: Math.min(left, 30_000) })
        if (fetched.status >= 200 && fetched.status <= 299) return fetched
        if (!mayPass(fetched.status) || attempt === limits.tries) throw new FetchFailure('bad-status')
      } catch (error) {
        if (!(error instanceof FetchFailure) || attempt === limits.tries) throw error
        if (error.reason !== 'unreachable' && error.reason !== 'timeout') throw error
      }
      await sleep(attempt * 400, undefined, { signal: this.#stopping })
    }
  }

  async #wait(): Promise<void> {
    const { delayMs } = this.#robots
    if (delayMs === 0) return
    const at = Math.max(this.#next, performance.now())
    this.#next = at + delayMs
    await sleep(Math.max(0, at - performance.now()), undefined, { signal: this.#stopping })
  }

  /** Reads the robots.txt of the site. If it is temporarily unavailable, nothing may be read. */
  async readRobots(scope: Scope): Promise<void> {
    const asked = this.#ask(`${scope.origin}/robots.txt`, { bytes: 1024 ** 2, totalMs: 15_000 })
    const fetched = await asked.catch((error: unknown) => {
      if (error instanceof FetchFailure && error.reason !== 'too-large') throw error
      return undefined
    })
    if (fetched && fetched.status >= 500)
      throw new ImportFailure('robots', 'has a robots.txt that cannot be read just now: try again later')
    const isThere = fetched && fetched.status >= 200 && fetched.status <= 299
    this.#robots = isThere ? readRobots(fetched.bytes.toString(), 'lectern') : everythingAllowed
  }

  /** Returns the pages that the site lists, in its order. */
  async listPages(scope: Scope): Promise<string[]> {
    const named = this.#robots.sitemaps.filter((url) => URL.canParse(url) && new URL(url).origin === scope.origin)
    const usual = [...new Set([`${scope.origin}${scope.path}/sitemap.xml`, `${scope.origin}/sitemap.xml`])]
    const queue = named.length > 0 ? named : usual
    const pages = new Set<string>()
    const seen = new Set<string>()
    for (let url = queue.shift(); url && seen.size < limits.sitemaps && !this.isOver; url = queue.shift()) {
      if (seen.has(url) || !this.mayFetch(url)) continue
      seen.add(url)
      const found = readSitemap(await this.#download(url))
      for (const page of found.pages) if (pages.size < limits.addresses && scope.has(page)) pages.add(page)
      const others = found.sitemaps.filter((each) => URL.canParse(each) && new URL(each).origin === scope.origin)
      queue.push(...others.slice(0, limits.sitemaps))
      if (named.length === 0 && found.pages.length > 0) queue.length = 0
    }
    return [...pages]
  }

  /** Downloads a sitemap. One that is missing or invalid lists nothing. */
  async #download(url: string): Promise<Buffer> {
    const bytes = limits.sitemapBytes
    const fetched = await this.#ask(url, { bytes, totalMs: 15_000 }).catch((error: unknown) => {
      if (error instanceof FetchFailure) return undefined
      throw error
    })
    return fetched?.status === 200 ? fetched.bytes : Buffer.alloc(0)
  }

  /** Aborts when the import is stopped. */
  #ask(url: string, limits: Partial<FetchLimits>): Promise<Fetched> {
    return this.#fetcher.fetch(url, { limits, signal: this.#stopping })
  }
}

const mayPass = (status: number) => status >= 500 || status === 429 || status === 408
