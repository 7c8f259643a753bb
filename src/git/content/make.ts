import { type Entry, type Kind, file, page, reusable, top, variable } from '../../revisions/entries.ts'
import { onLevels } from '../../content/levels.ts'
import { newEntry, sameEntry } from '../../content/merge/entry.ts'
import { referenceOf } from '../../content/document/reference.ts'
import { variableId } from '../../editing/operations/update-variables.ts'
import { newId } from '../../ids.ts'
import {
  type CoverReference,
  type FileData,
  type GitFile,
  type PageData,
  type Reference,
  type ReusableData,
  asData,
  fileData,
  pageData,
} from '../../pages/entry-data.ts'
import { decoded } from '../../links/paths.ts'
import { partsOf } from '../../pages/references.ts'
import { readReference } from '../../pages/source.ts'
import { bodyHash } from '../../revisions/bodies.ts'
import { shortened } from '../../shortened.ts'
import { assetsFolder } from '../layout/book.ts'
import { configPath } from '../layout/config.ts'
import { isWithin } from '../layout/finder.ts'
import { folderOf, nameOf } from '../layout/paths.ts'
import type { BookPage, BookTarget } from '../layout/shape.ts'
import { type Addressed, type Places, collectAddresses, linkedFiles, namedFiles, refsFor } from './addresses.ts'
import { impliedSlug } from './documents.ts'
import { ByName, gitOf, matchFiles } from './matching.ts'
import { assignPositions, assignSlugs } from './places.ts'
import { type ReadRepository, type ReadText, filesOf, variablesOf } from './read.ts'

/** A file whose bytes are not here yet: its entry waits for them. */
export interface FileToFetch {
  entry: Entry
  path: string
}

/** All content of a repository, as entries. */
export interface MadeContent {
  entries: Entry[]
  /** Bodies that may be new, by their hash. */
  bodies: Map<string, string>
  toFetch: FileToFetch[]
  /** Addresses that do not refer to a file of the repository. */
  unbound: Addressed[]
  /** Ids of pages by the additional addresses that lead to them. */
  redirects: Map<string, string>
}

/**
 * Makes the entries of a repository, everything but the bytes of files. What has not changed results in the same
 * entries as before.
 */
export async function makeContent(read: ReadRepository, spaceId: string, now: string): Promise<MadeContent> {
  const maker = new Maker(read, spaceId, now)
  return maker.make()
}

class Maker {
  readonly #read: ReadRepository
  readonly #spaceId: string
  readonly #now: string
  readonly #before: ReadonlyMap<string, Entry>
  readonly #fileless: ByName
  readonly #entries: Entry[] = []
  readonly #bodies = new Map<string, string>()
  readonly #places: Places = { pages: new Map(), includes: new Map(), files: new Map(), bySlugs: new Map() }

  constructor(read: ReadRepository, spaceId: string, now: string) {
    this.#read = read
    this.#spaceId = spaceId
    this.#now = now
    this.#before = new Map(read.before.map((entry) => [entry.entry, entry]))
    const others = read.before.filter((entry) => entry.kind === page && pageData(entry).type !== 'document')
    this.#fileless = new ByName(others, (entry) => `${pageData(entry).type} ${pageData(entry).title}`)
  }

  async make(): Promise<MadeContent> {
    const { book, documents, includes } = this.#read
    for (const { path, id } of includes.values()) this.#places.includes.set(path, { id })
    const plan = this.#plan(onLevels(book.pages, 'pages'), top, '')
    const toFetch = await this.#addFiles()
    for (const each of plan) this.#addPage(each)
    for (const text of includes.values()) this.#addInclude(text)
    this.#addVariables()
    const unbound = collectAddresses([...documents.values(), ...includes.values()], this.#places)
    return { entries: this.#entries, bodies: this.#bodies, toFetch, unbound, redirects: this.#redirects() }
  }

  /** Determines which page goes where, parents first: all ids and addresses are known before any text is bound. */
  #plan(pages: readonly BookPage[], parent: string, above: string): Planned[] {
    const named = pages.map((each) => {
      const text = each.path === undefined ? undefined : this.#read.documents.get(each.path)
      const title = text?.head.title ?? each.title
      const known = text ? undefined : this.#fileless.take(`${each.type} ${title}`, parent)
      return { page: each, text, title, id: text?.id ?? known?.entry ?? newId() }
    })
    const root = this.#read.book.config.root
    const slugs = assignSlugs(
      named.map(({ page: each, text, title }) => ({
        chosen: text ? text.head.slug : each.slug,
        implied: impliedSlug({ ...each, title }, root),
      })),
    )
    const kept = named.flatMap(({ id }) => {
      const before = this.#before.get(id)
      return before?.parent === parent && before.position !== null ? [[id, before.position] as const] : []
    })
    const positions = assignPositions(
      named.map(({ id }) => id),
      new Map(kept),
    )
    return named.flatMap((each, index) => {
      const slug = slugs[index]!
      const path = above + slug
      this.#places.bySlugs.set(path, each.id)
      if (each.page.path !== undefined) this.#places.pages.set(each.page.path, { id: each.id, path })
      const planned = { ...each, parent, slug, position: positions.get(each.id)! }
      return [planned, ...this.#plan(each.page.pages, each.id, `${path}/`)]
    })
  }

  #addPage(planned: Planned): void {
    const { id, parent, slug, position, page: each, text } = planned
    const place = { entry: id, kind: page as Kind, state: 0 as const, parent, slug, position }
    if (text && !text.read) {
      // The page was made from this very file: everything stays as it was, except its place and a title from elsewhere.
      const before = text.before!
      return this.#keep({ ...before, ...place, data: { ...before.data, title: planned.title } })
    }
    const data: PageData = {
      ...(text?.read?.fields ?? each.fields),
      type: each.type,
      title: planned.title,
      ...this.#own(planned),
      ...this.#dates(),
      ...(text && { git: this.#gitFile(text.path), source: text.read!.source, ...this.#cover(text) }),
    }
    this.#keep({
      ...place,
      doc: text ? this.#body(text.read!.body) : null,
      refs: text ? refsFor(text, this.#places) : null,
      data: asData(data),
    })
  }

  #own({ page: { type, target, computed } }: Planned): Partial<PageData> {
    if (type === 'link') return { target: this.#target(target) }
    return computed ? { computed } : {}
  }

  #target(target: BookTarget | undefined): Reference {
    if (!target || 'href' in target) return this.#reference(target?.href ?? '')
    const toPage = this.#places.pages.get(target.path)
    if (toPage && target.anchor !== undefined) return { kind: 'anchor', page: toPage.id, anchor: target.anchor }
    if (toPage) return { kind: 'page', page: toPage.id }
    const toFile = this.#places.files.get(target.path)
    return toFile ? { kind: 'file', file: toFile.id } : { kind: 'url', url: target.path }
  }

  /** A page without a file is referred to by its slugs. */
  #reference(href: string): Reference {
    const { address, anchor } = partsOf(href)
    const slugs = /^\/pages\/(.+)$/.exec(decoded(address) ?? '')?.[1]
    const page = slugs === undefined ? undefined : this.#places.bySlugs.get(slugs)
    if (page === undefined) return referenceOf(href) as Reference
    return anchor === undefined ? { kind: 'page', page } : { kind: 'anchor', page, anchor }
  }

  /** The path of a file means more here than elsewhere, because the repository is known. */
  #cover({ path, head }: ReadText): Pick<PageData, 'cover'> {
    const find = (value: string | undefined): CoverReference | undefined => {
      const found = value === undefined ? undefined : this.#read.finder.find(folderOf(path), value)
      const id = found === undefined ? undefined : this.#places.files.get(found)?.id
      return id === undefined ? readReference(value) : { kind: 'file', file: id }
    }
    const ref = find(head.cover)
    const refDark = find(head.coverDark)
    const { coverY: yPos } = head
    return ref ? { cover: { ref, ...(refDark && { refDark }), ...(yPos !== undefined && { yPos }) } } : {}
  }

  #addInclude({ id, path, before, read, addresses }: ReadText): void {
    if (!read) return this.#keep(before!)
    const { title = '', body, source } = read
    const data: ReusableData = { title, ...this.#dates(), git: this.#gitFile(path), source }
    this.#keep({
      ...newEntry(id, reusable),
      doc: this.#body(body),
      refs: refsFor({ addresses }, this.#places),
      data: asData(data),
    })
  }

  /**
   * Adds the files in the assets folder, those that something refers to, and those that were files of the content
   * before.
   */
  async #addFiles(): Promise<FileToFetch[]> {
    const { book, finder, files, documents, includes } = this.#read
    const before = filesOf(this.#read.before)
    const isOther = (path: string) =>
      files.has(path) && !documents.has(path) && !includes.has(path) && !this.#isOfLayout(path)
    const texts = [...documents.values(), ...includes.values()]
    const wanted = [
      ...[...files.keys()].filter((path) => isWithin(path, assetsFolder(book.config.root))),
      ...texts.flatMap((text) => namedFiles(text, finder)),
      ...linkedFiles(book.pages),
      ...before.flatMap((entry) => gitOf(entry)?.path ?? []),
    ]
    const paths = [...new Set(wanted.filter(isOther))]
    const found = await matchFiles(
      paths.map((path) => ({ path, oid: files.get(path)!.oid })),
      before,
      async () => [],
    )
    return paths.flatMap((path) => {
      const known = found.get(path)
      const id = known?.entry ?? newId()
      this.#places.files.set(path, { id })
      const git = this.#gitFile(path)
      const isSame = known !== undefined && gitOf(known)?.oid === git.oid
      // Where no system can store the name that a file has here, it was written under another one.
      const name = known !== undefined && gitOf(known)?.path === path ? fileData(known).name : nameOf(path)
      const data = isSame ? { ...fileData(known), name, git } : unknownFile(name, git)
      const entry = { ...newEntry(id, file), data: asData(data) }
      if (isSame) return this.#keep(entry) ?? []
      return [{ entry, path }]
    })
  }

  #isOfLayout(path: string): boolean {
    const { config } = this.#read.book
    return path === config.summary || path === configPath
  }

  #addVariables(): void {
    const known = new Map(variablesOf(this.#read.before).map((entry) => [entry.slug, entry]))
    for (const [name, value] of Object.entries(this.#read.book.variables)) {
      const id = known.get(name)?.entry ?? variableId(this.#spaceId, name)
      this.#keep({ ...newEntry(id, variable), slug: name, data: asData({ value }) })
    }
  }

  /**
   * Adds an entry, which keeps its creation date. If it is the same as before, it keeps the date of its last update as
   * well.
   */
  #keep(entry: Entry): void {
    const before = this.#before.get(entry.entry)
    const dates = before?.data && { createdAt: before.data['createdAt']!, updatedAt: before.data['updatedAt']! }
    if (!dates || dates.createdAt === undefined) return void this.#entries.push(entry)
    const isSame = sameEntry(entry, before)
    const data = { ...entry.data, createdAt: dates.createdAt, updatedAt: isSame ? dates.updatedAt : this.#now }
    this.#entries.push({ ...entry, data })
  }

  #body(text: string): string {
    const hash = bodyHash(text)
    this.#bodies.set(hash, text)
    return hash
  }

  #dates() {
    return { createdAt: this.#now, updatedAt: this.#now }
  }

  #gitFile(path: string): GitFile {
    return { oid: this.#read.files.get(path)!.oid, path }
  }

  #redirects(): Map<string, string> {
    const { book, finder } = this.#read
    return new Map(
      [...book.config.redirects].flatMap(([from, path]) => {
        const found = finder.find('', partsOf(path).address)
        const to = found === undefined ? undefined : this.#places.pages.get(found)
        if (to) return [[from, to.id] as const]
        const message = `redirects ${shortened(from, 200)} to ${shortened(path, 200)}, which is not a page`
        book.problems.push({ path: configPath, message })
        return []
      }),
    )
  }
}

/** A page and its place. */
interface Planned {
  page: BookPage
  text: ReadText | undefined
  title: string
  id: string
  parent: string
  slug: string
  position: string
}

/** The data of a file until its bytes are here. */
const unknownFile = (name: string, git: GitFile): FileData => ({
  name,
  contentType: '',
  size: 0,
  blob: '',
  git,
})
