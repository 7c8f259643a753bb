import { limits } from '../../content/limits.ts'
import { newId } from '../../ids.ts'
import { pageData, reusableData } from '../../pages/entry-data.ts'
import { type Entry, file, page, reusable, variable } from '../../revisions/entries.ts'
import { readBook } from '../layout/book.ts'
import { Finder } from '../layout/finder.ts'
import { folderOf, isMarkdown } from '../layout/paths.ts'
import type { Book, BookPage, RepositoryFiles } from '../layout/shape.ts'
import { partsOf } from '../../pages/references.ts'
import { type Head, type TextRead, readDocument, readHead, readInclude } from './documents.ts'
import { type FileToMatch, gitOf, matchFiles } from './matching.ts'
import { type DecodedText, inLfs, isLfsPointer } from './texts.ts'
import { Turns } from './turns.ts'

/** A repository with access to its texts. */
export interface Repository {
  files: RepositoryFiles
  textOf(path: string): DecodedText | undefined
}

export interface Before {
  /** The content that the repository had when it was last read or written here. */
  entries: readonly Entry[]
  bodiesOf(docs: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** A text of the repository and its entry. */
export interface ReadText {
  path: string
  id: string
  /** The entry before reading. */
  before: Entry | undefined
  head: Head
  /** The text as it was read. Undefined if it is, byte for byte and in the same place, what the entry was made from. */
  read: (TextRead & { title?: string }) | undefined
  /** The addresses in it, without their anchors, and the files that they refer to. */
  addresses: ReadonlyMap<string, string | undefined>
}

/** A repository that was read, and what is already known of it. */
export interface ReadRepository {
  book: Book
  finder: Finder
  files: RepositoryFiles
  before: readonly Entry[]
  documents: ReadonlyMap<string, ReadText>
  includes: ReadonlyMap<string, ReadText>
}

/** Reads all texts of a repository that are not known yet, and finds their entries. */
export async function readRepository(repository: Repository, before: Before): Promise<ReadRepository> {
  const { files } = repository
  const book = readBook(files, (path) => repository.textOf(path)?.text)
  book.pages = readable(book.pages, repository, book)
  const finder = new Finder(files, book.config.root)
  const reader = new TextReader(repository, before, finder)

  const pages = before.entries.filter((entry) => entry.kind === page && pageData(entry).type === 'document')
  const documents = await reader.readAll(pathsOf(book.pages), pages, readDocument)
  const contents = before.entries.filter(({ kind }) => kind === reusable)
  const isFree = (path: string) => isMarkdown(path) && !documents.has(path)
  const isReadable = (path: string) => {
    const message = whyUnreadable(repository.textOf(path))
    if (message !== undefined && !book.problems.some((each) => each.path === path))
      book.problems.push({ path, message })
    return message === undefined
  }
  const known = contents.flatMap((entry) => gitOf(entry)?.path ?? []).filter((path) => files.has(path) && isFree(path))
  const wanted = includedBy([...documents.values()]).filter(isFree)
  const pieces = [...new Set([...book.includes, ...known, ...wanted])].filter(isReadable)
  const includes = await reader.readAll(pieces, contents, readInclude)
  return { book, finder, files, before: before.entries, documents, includes }
}

/** Returns the pages whose text can be read. Others stay in the repository as plain files. */
function readable(pages: readonly BookPage[], repository: Repository, book: Book): BookPage[] {
  return pages.flatMap((each): BookPage[] => {
    const below = readable(each.pages, repository, book)
    if (each.path === undefined) return [{ ...each, pages: below }]
    const message = whyUnreadable(repository.textOf(each.path))
    if (message === undefined) return [{ ...each, pages: below }]
    book.problems.push({ path: each.path, message })
    return below.length > 0 ? [{ type: 'group', title: each.title, fields: {}, pages: below }] : []
  })
}

function whyUnreadable(decoded: DecodedText | undefined): string | undefined {
  const bytes = decoded && Buffer.from(decoded.text)
  if (!bytes || bytes.length > limits.sourceBytes) return `is too large for a page: at most ${limits.sourceBytes} bytes`
  return isLfsPointer(bytes) ? inLfs : undefined
}

function pathsOf(pages: readonly BookPage[]): string[] {
  return pages.flatMap((each) => [...(each.path === undefined ? [] : [each.path]), ...pathsOf(each.pages)])
}

/** Returns the files that texts include, wherever they are kept. */
function includedBy(texts: readonly ReadText[]): string[] {
  return texts.flatMap(({ read, addresses }) =>
    (read?.links ?? []).flatMap(({ kind, href }) =>
      kind === 'include' ? (addresses.get(partsOf(href).address) ?? []) : [],
    ),
  )
}

class TextReader {
  readonly #repository: Repository
  readonly #before: Before
  readonly #finder: Finder
  readonly #turns = new Turns()

  constructor(repository: Repository, before: Before, finder: Finder) {
    this.#repository = repository
    this.#before = before
    this.#finder = finder
  }

  async readAll(
    paths: readonly string[],
    entries: readonly Entry[],
    read: (text: string, path: string) => TextRead,
  ): Promise<Map<string, ReadText>> {
    const { files } = this.#repository
    const byPath = new Map(entries.map((entry) => [gitOf(entry)?.path, entry]))
    const isSame = (path: string) => gitOf(byPath.get(path) ?? { data: null })?.oid === files.get(path)!.oid
    const texts = new Map<string, TextRead>()
    for (const path of paths) if (!isSame(path)) texts.set(path, await this.#read(path, read))

    const toMatch = paths.map((path): FileToMatch => {
      const text = texts.get(path)
      return { path, oid: files.get(path)!.oid, ...(text && { text: withTitle(text.head.title, text.body) }) }
    })
    const found = await matchFiles(toMatch, entries, (left) => this.#textsOf(left))
    const all = new Map<string, ReadText>()
    for (const path of paths) {
      await this.#turns.pass()
      const before = found.get(path)
      const text = texts.get(path)
      const head = text?.head ?? readHead(this.#repository.textOf(path)?.text ?? '')
      const addresses = this.#addressesIn(path, text)
      all.set(path, { path, id: before?.entry ?? newId(), before, head, read: text, addresses })
    }
    return all
  }

  async #read(path: string, read: (text: string, path: string) => TextRead): Promise<TextRead> {
    await this.#turns.pass()
    return read(this.#repository.textOf(path)?.text ?? '', path)
  }

  #addressesIn(path: string, text: TextRead | undefined): Map<string, string | undefined> {
    const found = new Map<string, string | undefined>()
    for (const { href } of text?.links ?? []) {
      const { address } = partsOf(href)
      if (address !== '' && !found.has(address)) found.set(address, this.#finder.find(folderOf(path), address))
    }
    return found
  }

  async #textsOf(entries: readonly Entry[]) {
    const bodies = await this.#before.bodiesOf(entries.flatMap(({ doc }) => doc ?? []))
    return entries.map((entry) => {
      const title = entry.kind === page ? pageData(entry).title : reusableData(entry).title
      return { key: entry, text: withTitle(title, bodies.get(entry.doc ?? '') ?? '') }
    })
  }
}

const withTitle = (title: string | undefined, body: string) => (title === undefined ? body : `# ${title}\n${body}`)

/** The files and variables among the earlier entries: they have no text. */
export const filesOf = (entries: readonly Entry[]) => entries.filter(({ kind }) => kind === file)
export const variablesOf = (entries: readonly Entry[]) => entries.filter(({ kind }) => kind === variable)
