import { readVariables } from '../../git/layout/variables.ts'
import { newId } from '../../ids.ts'
import type { Collected, FoundPage, LoadedFile, Progress, Skipped } from '../collected.ts'
import { ImportFailure } from '../failure.ts'
import type { MenuItem } from '../html/navigation.ts'
import { type ImportLimits, limits } from '../limits.ts'
import { markdownPage, markdownPiece, titleOf } from '../markdown.ts'
import type { Embedded } from '../reader/messages.ts'
import type { PageReader } from '../reader/reading.ts'
import { decodeText } from '../reader/decode.ts'
import { isAttachment, keyOf, pathOf } from '../web/addresses.ts'
import { Archive } from './archive.ts'
import { everyItem, menuOfLists, menuOfSummary } from './menus.ts'
import { partsOf } from './parts.ts'

/** A file as somebody handed it in. */
export interface GivenFile {
  name: string
  bytes: Uint8Array
  /** Where it was fetched from; what it links to is found from there. */
  url?: string
  contentType?: string | undefined
}

export type FileKind = 'markdown' | 'html' | 'docx' | 'zip'

export interface Reading {
  reader: PageReader
  progress: Progress
  limits: ImportLimits
  maxFileBytes: number
  /** Of the space: what does not tell its encoding is in one for that. */
  language: string | null
  stopping: AbortSignal
  /** What stands on the web. */
  download(address: string): Promise<LoadedFile>
}

/** What a file is: a document of a word processor is an archive, too, so its name decides. */
export function kindOf({ name, bytes }: Pick<GivenFile, 'name' | 'bytes'>): FileKind | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase()
  const isPacked = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (ending === 'docx') return 'docx'
  if (ending === 'zip' || (isPacked && ending === undefined)) return 'zip'
  if (ending === 'html' || ending === 'htm' || ending === 'xhtml') return 'html'
  return ending === 'md' || ending === 'markdown' || ending === 'mdx' || ending === 'txt' ? 'markdown' : undefined
}

/** Reads files: Markdown, HTML, docx, and archives of them. */
export async function collectFiles(
  files: readonly (GivenFile & { kind: FileKind })[],
  reading: Reading,
): Promise<Collected> {
  const collection = new Collection(reading)
  for (const file of files) await collection.add(file, files.length > 1)
  return collection.collected()
}

const addressOf = (path: string) => `archive:///${path.split('/').map(encodeURIComponent).join('/')}`

class Collection {
  readonly #reading: Reading
  readonly #pages = new Map<string, FoundPage>()
  readonly #menus: MenuItem[][] = []
  readonly #summaries: { source: string; menu: MenuItem[] }[] = []
  readonly #skipped: Skipped[] = []
  readonly #variables: Record<string, string> = {}
  readonly #embedded = new Map<string, Embedded>()
  /** Where files that came along can be read, by their path. */
  readonly #files = new Map<string, { path: string; archive: Archive }>()
  #left = 0
  #links = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }

  async add(file: GivenFile & { kind: FileKind }, isOneOfMany: boolean): Promise<void> {
    if (file.kind === 'zip') {
      const folder = isOneOfMany ? `${titleOf(file.name)}/` : ''
      const { language } = this.#reading
      const archive = await Archive.open(file.bytes, language)
      const parts = await partsOf(archive, (path) => pageKind(path) !== undefined, language)
      let known = 0
      for (const part of parts) known += await this.#addArchive(part, folder)
      if (known === 0 && this.#pages.size === 0) throw nothingIn(parts)
      return
    }
    const address = file.url ?? addressOf(file.name)
    const found = { id: newId(), source: file.url ?? file.name }
    this.#reading.progress.found(found)
    await this.#addPage(file.kind, { ...file, address, ...found })
  }

  collected(): Collected {
    const all = [...this.#pages.values()]
    const pages = all.filter(({ isPiece }) => !isPiece)
    const skipped = [...this.#skipped, ...this.#notThere()]
    return {
      pages: all,
      aliases: new Map(),
      menus: this.#menus,
      root: commonFolder(pages.map(({ base }) => keyOf(new URL('.', base).href))),
      skipped,
      variables: this.#variables,
      total: pages.length + skipped.length + this.#left,
      isOwnFile: (address) => this.#hasFile(address) || (isAttachment(address) && address.startsWith('archive:')),
      load: (address) => this.#load(address),
    }
  }

  #hasFile(address: string): boolean {
    return address.startsWith('archive:') && this.#files.has(pathOf(address))
  }

  /** How many pages are in it. */
  async #addArchive(archive: Archive, folder: string): Promise<number> {
    for (const path of archive.nested)
      this.#skip(path, 'is an archive within the archive: unpack it, and import what is in it')
    const isPage = (path: string) => pageKind(path) !== undefined && !isIndex(path) && !isSummary(path)
    for (const path of archive.paths) this.#files.set(pathOf(addressOf(folder + path)), { path, archive })
    const known = archive.paths.filter(isPage).toSorted(byPath)
    await this.#readMenus(archive, folder)
    await this.#readVariables(archive, folder)
    for (const path of known) {
      this.#reading.stopping.throwIfAborted()
      if (this.#pages.size >= this.#reading.limits.pages) {
        this.#left += 1
        continue
      }
      const found = { id: newId(), source: folder + path }
      if (!isInclude(path)) this.#reading.progress.found(found)
      try {
        const bytes = await archive.read(path, limits.pageBytes)
        await this.#addPage(pageKind(path)!, { name: nameOf(path), bytes, address: addressOf(folder + path), ...found })
      } catch (error) {
        if (!(error instanceof ImportFailure)) throw error
        this.#skip(found.source, error.message)
        this.#reading.progress.dropped(found.id)
      }
    }
    return known.length
  }

  /** What says how the pages belong together is no page itself. */
  async #readMenus(archive: Archive, folder: string): Promise<void> {
    for (const path of archive.paths.filter(isSummary)) {
      const text = this.#textOf(await archive.read(path, limits.pageBytes))
      this.#addSummary(menuOfSummary(text, addressOf(folder + path)), folder + path)
    }
    for (const path of archive.paths.filter(isIndex)) {
      const address = addressOf(folder + path)
      const bytes = await archive.read(path, limits.pageBytes)
      const read = await this.#reading.reader.read({ kind: 'html', bytes, url: address, contentType: undefined })
      const linked = read.links.filter((link) => this.#hasFile(link) && pageKind(link) === 'html')
      // An index of pages, as exports of Confluence have it; any other one is a page like the rest.
      const isContents =
        linked.length >= 2 &&
        read.markdown.split('\n').filter((line) => /^\s*[-*\d]/.test(line)).length >= linked.length
      if (isContents) this.#menus.push(menuOfLists(read.markdown, address))
      else await this.#addPage('html', { id: newId(), source: folder + path, name: nameOf(path), bytes, address })
    }
  }

  async #readVariables(archive: Archive, folder: string): Promise<void> {
    for (const path of archive.paths.filter(isVariables)) {
      const { variables, problems } = readVariables(
        this.#textOf(await archive.read(path, limits.pageBytes)),
        folder + path,
      )
      Object.assign(this.#variables, variables)
      for (const { message } of problems) this.#skip(folder + path, message)
    }
  }

  /** Links of a book come along, as many as there may be pages. */
  #addSummary(menu: MenuItem[], source: string): void {
    for (const item of everyItem(menu)) {
      if (item.link === undefined) continue
      this.#links += 1
      const isTooMuch = this.#links > this.#reading.limits.pages
      if (!isTooMuch && /^(https?|mailto|tel):/i.test(item.link)) continue
      this.#skip(source, `lists ${item.link.slice(0, 200)}, ${isTooMuch ? 'one link too many' : 'which leads nowhere'}`)
      delete item.link
    }
    this.#menus.push(menu)
    this.#summaries.push({ source, menu })
  }

  /** What a book lists and the archive does not have. */
  #notThere(): Skipped[] {
    const known = new Set([...this.#files.keys()].map((path) => keyOf(addressOf(path))))
    return this.#summaries.flatMap(({ source, menu }) =>
      everyItem(menu).flatMap(({ url }) => {
        const key = url === undefined ? undefined : keyOf(url)
        if (key === undefined || this.#pages.has(key)) return []
        const name = pathOf(url!)
        if (!known.has(key)) return [{ source, reason: `lists ${name}, which is not in the archive` }]
        return pageKind(new URL(url!).pathname) ? [] : [{ source, reason: `lists ${name}, which is no page` }]
      }),
    )
  }

  async #addPage(
    kind: Exclude<FileKind, 'zip'>,
    given: GivenFile & { id: string; source: string; address: string },
  ): Promise<void> {
    const { id, source, name, bytes, address, contentType } = given
    const page = { id, key: this.#freeKey(address), source, base: address }
    if (kind === 'markdown') {
      const text = this.#textOf(bytes)
      if (text.includes('\0')) throw new ImportFailure('unreadable', 'is no text')
      const read = isInclude(pathOf(address)) ? markdownPiece(text, name) : markdownPage(text, name)
      this.#pages.set(page.key, { ...page, ...read })
      if ('isPiece' in read) return
    } else {
      // The same limits hold: a document of this kind is an archive.
      if (kind === 'docx') await Archive.open(bytes, null)
      const read = await this.#reading.reader.read({ kind, bytes, url: address, contentType })
      for (const each of read.embedded) this.#embedded.set(each.address, each)
      const fields = read.description === undefined ? {} : { description: read.description }
      const title = read.title === 'Untitled' ? titleOf(name) : read.title
      this.#pages.set(page.key, { ...page, title, fields, body: read.markdown })
    }
    this.#reading.progress.done(id)
  }

  /** On a site, `a.md` and `a/README.md` would be one page. As files they are two, and the second is below the first. */
  #freeKey(address: string): string {
    const key = keyOf(address)
    return this.#pages.has(key) ? `${key}/${nameOf(pathOf(address))}` : key
  }

  async #load(address: string): Promise<LoadedFile> {
    const embedded = this.#embedded.get(address)
    if (embedded) return embedded
    if (/^https?:/.test(address)) return this.#reading.download(address)
    const found = this.#hasFile(address) ? this.#files.get(pathOf(address)) : undefined
    if (!found) throw new ImportFailure('missing', 'did not come along')
    const bytes = await found.archive.read(found.path, this.#reading.maxFileBytes)
    return { name: nameOf(found.path), contentType: undefined, bytes }
  }

  #textOf(bytes: Uint8Array): string {
    return decodeText(bytes, this.#reading.language)
  }

  #skip(source: string, reason: string): void {
    this.#skipped.push({ source, reason })
  }
}

function pageKind(path: string): Exclude<FileKind, 'zip'> | undefined {
  if (/\.(md|markdown|mdx)$/i.test(path)) return 'markdown'
  if (/\.(html?|xhtml)$/i.test(path)) return 'html'
  return /\.docx$/i.test(path) ? 'docx' : undefined
}

/** As GitBook keeps them: what pages include, and what expressions name. */
const isInclude = (path: string) => /(^|\/)\.gitbook\/includes\/.+\.(md|markdown)$/i.test(path)
const isVariables = (path: string) => /(^|\/)\.gitbook\/vars\.yaml$/.test(path)

const isSummary = (path: string) => /(^|\/)SUMMARY\.md$/.test(path)

/** The first page of an export, at its top. */
const isIndex = (path: string) => /^([^/]+\/)?index\.html?$/i.test(path)

/** Folders stand where their own page stands. */
function byPath(a: string, b: string): number {
  const plain = (path: string) =>
    path.replace(/(README|index)\.(md|markdown|html?)$/i, '').replace(/\.(md|markdown|mdx|html?|docx)$/i, '')
  return plain(a).localeCompare(plain(b), 'en', { numeric: true })
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path

function nothingIn(parts: readonly Archive[]): ImportFailure {
  const [nested] = parts.flatMap((part) => part.nested)
  return nested === undefined
    ? new ImportFailure('empty', 'has no Markdown, HTML or docx files in it')
    : new ImportFailure('nested', `holds another archive, ${nested.slice(0, 200)}: unpack it, and import what is in it`)
}

/** The folder that all pages are in: it says nothing about how they belong together. */
function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split('/'))
  const differs = first.findIndex((part, index) => others.some((folder) => folder[index] !== part))
  return first.slice(0, differs === -1 ? first.length : differs).join('/')
}
