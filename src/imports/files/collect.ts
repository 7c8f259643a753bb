import { readLayoutConfig } from '../../git/layout/config.ts'
import { isWithin } from '../../git/layout/finder.ts'
import type { LayoutConfig } from '../../git/layout/shape.ts'
import { readVariables } from '../../git/layout/variables.ts'
import { newId } from '../../ids.ts'
import { shortened } from '../../shortened.ts'
import type { Collected, FoundPage, LoadedFile, Progress } from '../collected.ts'
import { ImportFailure } from '../failure.ts'
import type { MenuItem } from '../html/navigation.ts'
import { Kept, isTooLong, isTooLongFile, tooLong } from '../kept.ts'
import { type ImportLimits, limits } from '../limits.ts'
import { markdownPage, markdownPiece } from '../markdown.ts'
import { titleOf, withoutId } from '../names.ts'
import type { PageReader } from '../reader/reading.ts'
import { decodeText } from '../reader/decode.ts'
import { isAttachment, keyOf, pathOf } from '../web/addresses.ts'
import { Archive } from './archive.ts'
import { isDatabase, tableOf, wholeOf } from './databases.ts'
import { readCommentHead } from './comment-head.ts'
import { editionsIn } from './docusaurus.ts'
import { FilesAlong, addressOf } from './files-along.ts'
import { formerKeys, isOfDocusaurus, withoutNumber } from './former.ts'
import { withHome } from './home.ts'
import {
  type FileKind,
  byPath,
  folderOf,
  isForeign,
  isInclude,
  isIndex,
  isSummary,
  isVariables,
  nameOf,
  pageKind,
} from './kinds.ts'
import { everyItem, linksIn, listedBelow, menuOfLists, menuOfSummary } from './menus.ts'
import { partsOf } from './parts.ts'
import { withParts } from './snippets.ts'
import { withYaml } from './toml.ts'
import {
  type Said,
  isCategory,
  isMintlify,
  isMkdocs,
  menuOfMintlify,
  menuOfMkdocs,
  partIn,
  programIn,
  readCategory,
  readSaid,
} from './project.ts'

/** A file as it was given to the import. */
export interface GivenFile {
  name: string
  bytes: Uint8Array
  /** The address that it was fetched from. Its links are resolved against it. */
  url?: string
  contentType?: string | undefined
}

export interface Reading {
  reader: PageReader
  progress: Progress
  limits: ImportLimits
  maxFileBytes: number
  /** The language of the space. Files that do not declare an encoding are decoded with one for this language. */
  language: string | null
  stopping: AbortSignal
  /** Fetches a file from the web. */
  download(address: string): Promise<LoadedFile>
}

/** Reads files: Markdown, HTML, docx, and archives of them. */
export async function collectFiles(
  files: readonly (GivenFile & { kind: FileKind })[],
  reading: Reading,
): Promise<Collected> {
  const collection = new Collection(reading)
  for (const file of files) {
    // If the only file cannot be read, the import fails with the reason. One of several files is skipped.
    if (files.length === 1) await collection.add(file, false)
    else await collection.addOneOfMany(file)
  }
  return collection.collected()
}

class Collection {
  readonly #reading: Reading
  readonly #pages = new Map<string, FoundPage>()
  readonly #menus: MenuItem[][] = []
  readonly #summaries: { source: string; menu: MenuItem[] }[] = []
  readonly #kept = new Kept(limits.filesBytes)
  readonly #variables: Record<string, string> = {}
  readonly #folders = new Map<string, Said>()
  readonly #files = new FilesAlong((bytes) => this.#textOf(bytes))
  /** The keys of folders that have something in them. */
  readonly #holders = new Set<string>()
  /** Folders that take the place of other folders on the site of their project. */
  readonly #moved = new Map<string, string>()
  /** The order of pages that are listed by other pages (Sphinx). */
  readonly #order = new Map<string, number>()
  #isNumbered = false
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
      // A page and the folder of its subpages may be in different parts.
      for (const path of parts.flatMap((part) => part.paths))
        this.#holders.add(keyOf(new URL('.', addressOf(folder + path)).href))
      let known = 0
      for (const part of parts) known += await this.#addArchive(part, folder)
      if (known === 0 && this.#pages.size === 0) throw nothingIn(parts)
      return
    }
    const address = file.url ?? addressOf(file.name)
    const found = { id: newId(), source: file.url ?? file.name }
    this.#reading.progress.found(found)
    try {
      await this.#addPage(file.kind, { ...file, address, ...found })
    } catch (error) {
      this.#reading.progress.dropped(found.id)
      throw error
    }
  }

  async addOneOfMany(file: GivenFile & { kind: FileKind }): Promise<void> {
    await this.#orSkip(file.url ?? file.name, () => this.add(file, true))
  }

  collected(): Collected {
    const all = [...this.#pages.values()].map((page) => {
      const position = page.position ?? this.#order.get(page.key)
      return position === undefined ? page : { ...page, position }
    })
    const pages = all.filter(({ isPiece }) => !isPiece)
    this.#skipNotThere()
    const { skipped, skippedBeyond } = this.#kept
    return {
      pages: all,
      aliases: formerKeys(
        pages,
        ['', 'docs/'].map((below) => addressOf(this.#files.top + below)),
        this.#isNumbered,
        this.#moved,
      ),
      isNumbered: this.#isNumbered,
      contents: this.#summaries.map(({ menu }) => menu),
      menus: this.#menus,
      top: addressOf(this.#files.top),
      folders: this.#folders,
      root: commonFolder(pages.map(({ base }) => keyOf(new URL('.', base).href))),
      skipped,
      variables: this.#variables,
      total: pages.length + skipped.length + skippedBeyond + this.#left,
      hasFile: (address) => this.#files.has(address),
      isOwnFile: (address) => this.#files.has(address) || (isAttachment(address) && address.startsWith('archive:')),
      load: (address) => this.#load(address),
    }
  }

  /** Adds an archive, and returns how many pages it contains. */
  async #addArchive(archive: Archive, folder: string): Promise<number> {
    for (const path of archive.nested)
      this.#skip(path, 'is an archive within the archive: unpack it, and import its contents')
    for (const path of archive.links) this.#skip(folder + path, 'is a symbolic link, which is not followed')
    this.#files.add(archive, folder)
    this.#isNumbered ||= archive.paths.some(isOfDocusaurus)
    const layout = await this.#readLayout(archive, folder)
    const isProgram = programIn(archive.paths)
    const isPart = partIn(archive.paths)
    const { of: inEdition, shown } = await editionsIn(archive, (bytes) => this.#textOf(bytes))
    if (shown) this.#moved.set(keyOf(addressOf(folder + shown.version)), keyOf(addressOf(folder + shown.docs)))
    // The folder of a language may contain only the texts around the pages. It is reported only if it contains pages.
    const editions = archive.paths.flatMap((path) => (pageKind(path) && inEdition(path)) ?? [])
    for (const [edition, reason] of new Map(editions.map((each) => [each.folder, each.reason])))
      this.#skip(folder + edition, reason)
    const isOfBook = (path: string) => (layout === undefined || isWithin(path, layout.root)) && !inEdition(path)
    const paths = archive.paths.filter((path) => isOfBook(path) && !isProgram(path))
    const isContents = (path: string) => (layout ? path === layout.summary : isSummary(path))
    const isPage = (path: string) =>
      pageKind(path) !== undefined && !isIndex(path) && !isContents(path) && !isPart(path)
    const known = paths.filter(isPage).toSorted(byPath)
    await this.#readMenus(archive, folder, paths.filter(isContents))
    await this.#readVariables(archive, folder)
    await this.#readFolders(archive, folder)
    for (const path of paths.filter(isForeign).toSorted())
      this.#skip(
        folder + path,
        'is not Markdown, HTML or docx: convert it, or import the website that is built from it',
      )
    for (const path of paths.filter((each) => isPart(each) && !isContents(each) && !isInclude(each)))
      this.#skip(folder + path, 'is part of other pages, not a page itself')
    const { limits: most, progress, stopping } = this.#reading
    const all = known.map((path) => ({ path, found: { id: newId(), source: folder + path } }))
    const tell = ({ path, found }: (typeof all)[number]) => isInclude(path) || progress.found(found)
    // Reported before any page is read, so that the waiting user sees how many there are.
    const room = Math.max(0, most.pages - this.#pages.size)
    all.slice(0, room).forEach(tell)
    for (const [index, each] of all.entries()) {
      const { path, found } = each
      stopping.throwIfAborted()
      if (this.#isFull) {
        this.#left += 1
        if (index < room) progress.dropped(found.id)
        continue
      }
      if (index >= room) tell(each)
      const isThere = await this.#orSkip(found.source, async () => {
        const bytes = await archive.read(path, limits.pageBytes)
        if (pageKind(path) === 'markdown') refuseDraft(withYaml(this.#textOf(bytes)))
        await this.#addPage(pageKind(path)!, { name: nameOf(path), bytes, address: addressOf(folder + path), ...found })
      })
      if (!isThere) progress.dropped(found.id)
    }
    for (const path of paths.filter(isDatabase)) await this.#addDatabase(archive, path, folder)
    return known.length
  }

  /** Adds a database as a page in the place of its folder. A database that cannot be shown stays a file. */
  async #addDatabase(archive: Archive, path: string, folder: string): Promise<void> {
    const named = path.slice(0, -'.csv'.length)
    const key = this.#placeOf(addressOf(folder + named))
    const rows = `${key === keyOf(addressOf(folder + named)) ? named : withoutId(named)}/`
    const beside = folderOf(path)
    const pages = archive.paths.filter((each) => each.startsWith(rows) && pageKind(each) === 'markdown')
    await this.#orSkip(folder + path, async () => {
      const read = async (csv: string) => this.#textOf(await archive.read(csv, limits.pageBytes))
      const whole = archive.paths.includes(wholeOf(path)) ? await read(wholeOf(path)) : undefined
      const below = pages.map((each) => each.slice(beside.length))
      const body = tableOf(await read(path), whole, below)
      const found = { id: newId(), source: folder + path }
      if (body === undefined || this.#pages.has(key) || this.#isFull) return
      const base = addressOf(folder + path)
      this.#keep({ ...found, key, base, title: titleOf(nameOf(path)), fields: {}, body })
      this.#reading.progress.found(found)
      this.#reading.progress.done(found.id)
    })
  }

  /** Reports a source that cannot be read as skipped, so that the import continues with the others. */
  async #orSkip(source: string, read: () => Promise<void>): Promise<boolean> {
    try {
      await read()
      return true
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error
      this.#skip(source, error.message)
      return false
    }
  }

  /** Reads where a book is in its repository. */
  async #readLayout(archive: Archive, folder: string): Promise<LayoutConfig | undefined> {
    const [path] = archive.paths.filter((each) => /^([^/]+\/)?\.gitbook\.yaml$/.test(each))
    if (path === undefined) return undefined
    const beside = folderOf(path)
    let layout: LayoutConfig | undefined
    await this.#orSkip(folder + path, async () => {
      const { config, problems } = readLayoutConfig(this.#textOf(await archive.read(path, limits.pageBytes)))
      for (const { message } of problems) this.#skip(folder + path, message)
      if (config.redirects.size > 0)
        this.#skip(folder + path, 'has redirects, which come with a repository or a folder and not with an archive')
      const root = (beside + config.root).replace(/\/$/, '')
      if (!archive.paths.some((each) => isWithin(each, root)))
        return this.#skip(
          folder + path,
          `names ${config.root} as its root, which is not in the archive: all of it is read`,
        )
      layout = { ...config, root, summary: beside + config.summary }
    })
    return layout
  }

  /** Reads the menus. A file that defines how the pages belong together is not a page itself. */
  async #readMenus(archive: Archive, folder: string, summaries: readonly string[]): Promise<void> {
    const add = (path: string, read: (text: string) => MenuItem[] | undefined) =>
      this.#orSkip(folder + path, async () => {
        if (!this.#kept.hasRoomForMenus)
          throw new ImportFailure('too-large', 'is not read: the other tables of contents list too much already')
        const menu = read(this.#textOf(await archive.read(path, limits.contentsBytes)))
        if (menu) this.#addSummary(menu, folder + path)
      })
    for (const path of summaries) await add(path, (text) => menuOfSummary(text, addressOf(folder + path)))
    for (const path of archive.paths.filter((each) => isMkdocs(each) || isMintlify(each))) {
      const beside = folder + folderOf(path)
      const menuOf = isMkdocs(path) ? menuOfMkdocs : menuOfMintlify
      await add(path, (text) => menuOf(text, (to) => addressOf(beside + to)))
    }
    for (const path of archive.paths.filter(isIndex))
      await this.#orSkip(folder + path, () => this.#readIndex(archive, path, folder))
  }

  /** Reads the titles and positions of folders. */
  async #readFolders(archive: Archive, folder: string): Promise<void> {
    for (const path of archive.paths.filter(isCategory)) {
      if (this.#kept.isFull) return
      await this.#orSkip(folder + path, async () => {
        const said = readCategory(this.#textOf(await archive.read(path, limits.pageBytes)))
        this.#kept.add(said.title)
        this.#folders.set(keyOf(new URL('.', addressOf(folder + path)).href), said)
      })
    }
  }

  async #readIndex(archive: Archive, path: string, folder: string): Promise<void> {
    const address = addressOf(folder + path)
    const bytes = await archive.read(path, limits.pageBytes)
    const read = await this.#reading.reader.read({ kind: 'html', bytes, url: address, contentType: undefined })
    const linked = read.links.filter((link) => this.#files.has(link) && pageKind(link) === 'html')
    // An index of pages, as in exports of Confluence. Any other index file is a page like the rest.
    const isContents =
      linked.length >= 2 && read.markdown.split('\n').filter((line) => /^\s*[-*+\d]/.test(line)).length >= linked.length
    if (isContents) {
      const menu = menuOfLists(read.markdown, address)
      if (this.#kept.addMenu(menu)) this.#menus.push(menu)
    } else if (this.#isFull) this.#left += 1
    else await this.#addPage('html', { id: newId(), source: folder + path, name: nameOf(path), bytes, address })
  }

  async #readVariables(archive: Archive, folder: string): Promise<void> {
    for (const path of archive.paths.filter(isVariables)) {
      if (this.#kept.isFull) return
      await this.#orSkip(folder + path, async () => {
        const text = this.#textOf(await archive.read(path, limits.pageBytes))
        const { variables, problems } = readVariables(text, folder + path)
        this.#kept.add(...Object.values(variables))
        Object.assign(this.#variables, variables)
        for (const { message } of problems) this.#skip(folder + path, message)
      })
    }
  }

  /** Adds a table of contents. Its links are imported as well, at most as many as there may be pages. */
  #addSummary(menu: MenuItem[], source: string): void {
    if (menu.length === 0) this.#skip(source, 'lists no pages: the folders are the table of contents instead')
    if (!this.#kept.addMenu(menu)) return
    for (const item of linksIn(menu)) {
      this.#links += 1
      const isTooMuch = this.#links > this.#reading.limits.pages
      if (!isTooMuch && (item.link === undefined || /^(https?|mailto|tel):/i.test(item.link))) continue
      const to = shortened(item.link ?? pathOf(item.url!), 200)
      this.#skip(source, `lists ${to}, ${isTooMuch ? 'one link too many' : 'which leads nowhere'}`)
      delete item.link
      delete item.url
    }
    this.#summaries.push({ source, menu })
  }

  /** Reports the entries of tables of contents that are not in the archive, or are not pages. */
  #skipNotThere(): void {
    const known = new Map(this.#files.paths.map((path) => [keyOf(addressOf(path)), path]))
    for (const { source, menu } of this.#summaries)
      for (const { url } of everyItem(menu)) {
        const key = url === undefined ? undefined : keyOf(url)
        if (key === undefined || this.#pages.has(key)) continue
        const name = pathOf(url!)
        const path = known.get(key)
        if (path === undefined) this.#skip(source, `lists ${name}, which is not in the archive`)
        // If it is a page, it was left out, which is reported elsewhere.
        else if (!pageKind(path)) this.#skip(source, `lists ${name}, which is not a page`)
      }
  }

  async #addPage(
    kind: Exclude<FileKind, 'zip'>,
    given: GivenFile & { id: string; source: string; address: string },
  ): Promise<void> {
    const { id, source, name, bytes, address, contentType } = given
    const page = { id, key: this.#freeKey(address), source, base: address }
    if (kind === 'markdown') {
      const own = withHome(withYaml(this.#textOf(bytes)))
      if (own.includes('\0')) throw new ImportFailure('unreadable', 'is not text')
      if (isTooLongFile(own)) throw tooLong()
      const text = await withParts(own, (path) => this.#files.readPart(path, address))
      const read = isInclude(pathOf(address))
        ? markdownPiece(text, name)
        : this.#isNumbered
          ? // Docusaurus reads all of its pages as MDX.
            markdownPage(text, withoutNumber(name), true)
          : markdownPage(text, name)
      this.#keep({ ...page, ...read })
      for (const each of listedBelow(text, address)) this.#order.set(keyOf(each), this.#order.size)
      if ('isPiece' in read) return
    } else {
      // A docx document is an archive, so the limits for archives apply to it.
      if (kind === 'docx') await Archive.open(bytes, null)
      const read = await this.#reading.reader.read({ kind, bytes, url: address, contentType })
      this.#kept.addEmbedded(read.embedded)
      const said = kind === 'html' ? readCommentHead(this.#textOf(bytes.subarray(0, 4_000))) : undefined
      if (said?.isDraft) throw draft()
      const { title = read.title, description = read.description } = said ?? {}
      const fields = description === undefined ? {} : { description }
      const named = title === 'Untitled' ? { title: titleOf(name), isUntitled: true as const } : { title }
      // Confluence puts its own numbers into file names: `Setup_65601.html`, or `65601.html` if the title cannot be a
      // file name.
      const isNumbered = read.generator === 'Confluence' && /(^|_)\d+\.html$/.test(name)
      this.#keep({ ...page, ...named, fields, body: read.markdown, ...(isNumbered && { isNumbered }) })
    }
    this.#reading.progress.done(id)
  }

  get #isFull(): boolean {
    return this.#pages.size >= this.#reading.limits.pages || this.#kept.isFull
  }

  #keep(page: FoundPage): void {
    if (isTooLong(page)) throw tooLong()
    this.#kept.add(page.title, page.head, page.body)
    this.#pages.set(page.key, page)
  }

  /**
   * On a site, `a.md` and `a/README.md` would be one page. As files they are two, and the second one goes below the
   * first.
   */
  #freeKey(address: string): string {
    const key = this.#placeOf(address)
    return this.#pages.has(key) ? `${key}/${nameOf(pathOf(address))}` : key
  }

  /** Notion adds an id to the file name of a page. Since 2025 it does not add one to the folder of the subpages. */
  #placeOf(address: string): string {
    const key = keyOf(address)
    const plain = withoutId(key)
    const isThere = plain !== key && this.#holders.has(plain) && !this.#holders.has(key)
    return isThere && !this.#pages.has(plain) ? plain : key
  }

  async #load(address: string): Promise<LoadedFile> {
    const embedded = this.#kept.embeddedAt(address)
    if (embedded) return embedded
    if (/^https?:/.test(address)) return this.#reading.download(address)
    const found = this.#files.at(address)
    if (!found) throw new ImportFailure('missing', 'is missing in the upload')
    const bytes = await found.archive.read(found.path, this.#reading.maxFileBytes)
    return { name: nameOf(found.path), contentType: undefined, bytes }
  }

  #textOf(bytes: Uint8Array): string {
    return decodeText(bytes, this.#reading.language)
  }

  #skip(source: string, reason: string): void {
    this.#kept.skip(source, reason)
  }
}

function nothingIn(parts: readonly Archive[]): ImportFailure {
  const [nested] = parts.flatMap((part) => part.nested)
  return nested === undefined
    ? new ImportFailure('empty', 'has no Markdown, HTML or docx files in it')
    : new ImportFailure(
        'nested',
        `contains another archive, ${shortened(nested, 200)}: unpack it, and import its contents`,
      )
}

/**
 * Refuses drafts: an author who keeps a page as a draft does not intend to publish it by importing the whole project.
 */
function refuseDraft(text: string): void {
  if (readSaid(text).isDraft) throw draft()
}

const draft = () => new ImportFailure('draft', 'is a draft: take that out of its front matter, and it comes along')

/** Returns the folder that contains all pages. It has no meaning for how they belong together. */
function commonFolder(folders: readonly string[]): string {
  const [first = [], ...others] = folders.map((folder) => folder.split('/'))
  const differs = first.findIndex((part, index) => others.some((folder) => folder[index] !== part))
  return first.slice(0, differs === -1 ? first.length : differs).join('/')
}
