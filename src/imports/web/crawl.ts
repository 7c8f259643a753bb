import { failpoint } from '../../failpoints.ts'
import { FetchFailure } from '../../fetch/failure.ts'
import type { Fetched } from '../../fetch/fetcher.ts'
import { newId } from '../../ids.ts'
import { pauses } from '../../pauses.ts'
import { percentDecoded } from '../../percent.ts'
import type { Collected, FoundPage, LoadedFile, Progress } from '../collected.ts'
import { ImportFailure } from '../failure.ts'
import type { MenuItem } from '../html/navigation.ts'
import { Kept, isTooLong, isTooLongFile, tooLong } from '../kept.ts'
import { type ImportLimits, limits } from '../limits.ts'
import { markdownPage } from '../markdown.ts'
import type { ReadPage } from '../reader/messages.ts'
import type { PageReader } from '../reader/reading.ts'
import { tidyMemory } from '../tidy.ts'
import { Scope, isAttachment, isFile, keyOf, pageAddress } from './addresses.ts'
import type { Site } from './site.ts'

export interface Crawling {
  site: Site
  reader: PageReader
  progress: Progress
  limits: ImportLimits
  maxFileBytes: number
  /** No page is requested after this, so that there is time left for pictures. */
  until: number
}

/**
 * Reads a site, beginning with one address: the pages that the site lists, and those that its pages link to, at or
 * below that address.
 */
export async function crawl(start: string, crawling: Crawling): Promise<Collected> {
  const scope = await scopeOf(start, crawling.site)
  const walk = new Walk(scope, crawling)
  await walk.begin(start)
  await walk.addAll(await crawling.site.listPages(walk.scope))
  await walk.finish()
  return walk.collected()
}

async function scopeOf(start: string, site: Site): Promise<Scope> {
  const { username, password } = new URL(start)
  if (username || password) throw new FetchFailure('bad-address')
  return readableScope(start, site)
}

/** Returns the scope of an address, if the site allows programs to read it. */
async function readableScope(address: string, site: Site): Promise<Scope> {
  const scope = new Scope(address)
  await site.readRobots(scope)
  if (!site.mayFetch(address))
    throw new ImportFailure('robots', 'has a robots.txt that asks not to be read by programs')
  return scope
}

/** So few that their garbage takes up less memory than the program itself. */
const pagesBetweenTidying = 100

interface Asked {
  id: string
  key: string
  url: string
  place: number
}

class Walk {
  readonly #crawling: Crawling
  readonly #pages = new Map<string, FoundPage & { place: number }>()
  readonly #aliases = new Map<string, string>()
  readonly #seen = new Set<string>()
  readonly #queue: Asked[] = []
  readonly #menus: MenuItem[][] = []
  readonly #kept = new Kept(limits.embeddedBytes)
  #scope: Scope

  constructor(scope: Scope, crawling: Crawling) {
    this.#scope = scope
    this.#crawling = crawling
  }

  /** The scope of the site. The first page may change it by a redirect. */
  get scope(): Scope {
    return this.#scope
  }

  /** Reads the first page. Without it there is no import, and it may be the one that leads to the others. */
  async begin(start: string): Promise<void> {
    const fetched = await this.#crawling.site.fetch(start, limits.pageBytes)
    // If it redirects elsewhere, the rules of that site apply.
    if (!this.#scope.has(fetched.url)) this.#scope = await readableScope(fetched.url, this.#crawling.site)
    const asked = this.#ask(start)
    this.#seen.add(asked.key)
    this.#crawling.progress.found({ id: asked.id, source: asked.url })
    await this.#keep(asked, fetched)
  }

  /** There may be very many, and all rules of the site are read for each one. */
  async addAll(urls: readonly string[]): Promise<void> {
    const pause = pauses()
    for (const url of urls) {
      await pause()
      if (this.#crawling.site.isOver) return
      this.#add(url)
    }
  }

  #add(url: string): void {
    if (this.#seen.size >= limits.addresses || !this.#scope.has(url) || isFile(url)) return
    const asked = this.#ask(url)
    if (this.#seen.has(asked.key)) return
    this.#seen.add(asked.key)
    if (!this.#crawling.site.mayFetch(asked.url)) return this.#skip(asked, 'robots.txt asks not to read it')
    this.#queue.push(asked)
    // Pages beyond the limit are never read, so they are not reported individually.
    if (this.#seen.size <= this.#crawling.limits.pages)
      this.#crawling.progress.found({ id: asked.id, source: asked.url })
  }

  async finish(): Promise<void> {
    const running = new Set<Promise<void>>()
    const { site, until, limits: most } = this.#crawling
    const mayGoOn = () =>
      !site.isOver && performance.now() < until && this.#pages.size + running.size < most.pages && !this.#kept.isFull
    for (;;) {
      while (running.size < limits.atOnce && this.#queue.length > 0 && mayGoOn()) {
        const work: Promise<void> = this.#visit(this.#queue.shift()!).finally(() => running.delete(work))
        running.add(work)
      }
      if (running.size === 0) break
      await Promise.race(running)
    }
    for (const { id } of this.#queue) this.#crawling.progress.dropped(id)
  }

  collected(): Collected {
    const pages = [...this.#pages.values()].toSorted((a, b) => a.place - b.place)
    return {
      pages,
      aliases: this.#aliases,
      menus: this.#menus,
      root: keyOf(`${this.#scope.origin}${this.#scope.path}/`),
      skipped: this.#kept.skipped,
      total: pages.length + this.#kept.skipped.length + this.#kept.skippedBeyond + this.#queue.length,
      isOwnFile: (address) => isAttachment(address) && new URL(address).origin === this.#scope.origin,
      load: (address) => this.#load(address),
    }
  }

  #ask(url: string): Asked {
    const address = pageAddress(url)
    return { id: newId(), key: keyOf(address), url: address, place: this.#seen.size }
  }

  async #visit(asked: Asked): Promise<void> {
    try {
      await this.#keep(asked, await this.#crawling.site.fetch(asked.url, limits.pageBytes))
    } catch (error) {
      if (!(error instanceof FetchFailure || error instanceof ImportFailure)) throw error
      this.#skip(asked, error.message)
    }
  }

  async #keep(asked: Asked, fetched: Fetched): Promise<void> {
    const key = keyOf(fetched.url)
    if (key !== asked.key) {
      if (!this.#scope.has(fetched.url)) throw new ImportFailure('elsewhere', 'leads elsewhere')
      this.#aliases.set(asked.key, key)
      // Another request reads that page, or has read it.
      if (this.#seen.has(key)) return this.#crawling.progress.dropped(asked.id)
      this.#seen.add(key)
    }
    const read = await this.#readPage(fetched)
    // Not a failure of the whole import if it is the first page.
    if (!read || isTooLong(read)) return this.#skip(asked, tooLong().message)
    this.#kept.add(read.title, read.head, read.body)
    this.#pages.set(key, { id: asked.id, key, source: asked.url, base: fetched.url, place: asked.place, ...read })
    this.#crawling.progress.done(asked.id)
    failpoint('import.page-read')
    if (this.#pages.size % pagesBetweenTidying === 0) await tidyMemory()
  }

  /** Undefined if it is too long. */
  async #readPage(fetched: Fetched): Promise<Pick<FoundPage, 'title' | 'fields' | 'head' | 'body'> | undefined> {
    const { bytes, url, contentType } = fetched
    if (/^text\/(markdown|x-markdown)/i.test(contentType ?? ''))
      return isTooLongFile(bytes) ? undefined : markdownPage(bytes.toString(), nameOf(url))
    if (!isHtml(fetched)) throw new ImportFailure('type', 'is not a page')
    const read = await this.#crawling.reader.read({ kind: 'html', bytes, url, contentType })
    await this.addAll(read.links.filter((link) => !this.#scope.isBeside(link)))
    return this.#read(read)
  }

  #read(read: ReadPage): Pick<FoundPage, 'title' | 'fields' | 'body'> {
    if (read.menu.length > 0 && this.#kept.addMenu(read.menu)) this.#menus.push(read.menu)
    this.#kept.addEmbedded(read.embedded)
    const { title, description, markdown } = read
    return { title, fields: description === undefined ? {} : { description }, body: markdown }
  }

  #skip({ id, url }: Asked, reason: string): void {
    this.#kept.skip(url, reason)
    this.#crawling.progress.dropped(id)
  }

  async #load(address: string): Promise<LoadedFile> {
    const embedded = this.#kept.embeddedAt(address)
    if (embedded) return embedded
    const { site, maxFileBytes } = this.#crawling
    if (new URL(address).origin === this.#scope.origin && !site.mayFetch(address))
      throw new ImportFailure('robots', 'robots.txt asks not to read it')
    const { bytes, contentType, url } = await site.fetch(address, maxFileBytes)
    if (/^text\/html/i.test(contentType ?? '') && !/\.html?$/i.test(new URL(address).pathname))
      throw new ImportFailure('type', 'is a page, no file')
    return { name: nameOf(address) || nameOf(url), contentType: contentType?.split(';')[0]?.trim(), bytes }
  }
}

/** Decides by the content type, or by the beginning of the content if there is no type. */
function isHtml({ contentType, bytes }: Fetched): boolean {
  if (contentType) return /^(text\/html|application\/xhtml\+xml)/i.test(contentType)
  return /^\s*(<!doctype html|<html|<head|<body)/i.test(bytes.subarray(0, 512).toString('latin1'))
}

function nameOf(url: string): string {
  const name = new URL(url).pathname.split('/').findLast(Boolean) ?? ''
  return percentDecoded(name) ?? name
}
