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
import type { DecodedText } from './texts.ts'

/** A repository, with its texts at hand. */
export interface Repository {
  files: RepositoryFiles
  textOf(path: string): DecodedText | undefined
}

export interface Before {
  /** The content that the repository was when it was last read or written here. */
  entries: readonly Entry[]
  bodiesOf(docs: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** A text of the repository, and the entry that it is. */
export interface ReadText {
  path: string
  id: string
  /** The entry as it was. */
  before: Entry | undefined
  head: Head
  /** What it says. Not there where it is, byte for byte and in the same place, what the entry was made from. */
  read: (TextRead & { title?: string }) | undefined
}

/** A repository that was read, and what of it is known already. */
export interface ReadRepository {
  book: Book
  finder: Finder
  files: RepositoryFiles
  before: readonly Entry[]
  documents: ReadonlyMap<string, ReadText>
  includes: ReadonlyMap<string, ReadText>
}

/** Reads all texts of a repository that are not known yet, and finds out which entries they are. */
export async function readRepository(repository: Repository, before: Before): Promise<ReadRepository> {
  const { files } = repository
  const book = readBook(files, (path) => repository.textOf(path)?.text)
  book.pages = readable(book.pages, repository, book)
  const finder = new Finder(files, book.config.root)
  const reader = new TextReader(repository, before)

  const pages = before.entries.filter((entry) => entry.kind === page && pageData(entry).type === 'document')
  const documents = await reader.readAll(pathsOf(book.pages), pages, readDocument)
  const contents = before.entries.filter(({ kind }) => kind === reusable)
  const isFree = (path: string) => isMarkdown(path) && !documents.has(path)
  const known = contents.flatMap((entry) => gitOf(entry)?.path ?? []).filter((path) => files.has(path) && isFree(path))
  const wanted = includedBy([...documents.values()], finder).filter(isFree)
  const includes = await reader.readAll([...new Set([...book.includes, ...known, ...wanted])], contents, readInclude)
  return { book, finder, files, before: before.entries, documents, includes }
}

/** Pages whose text can be one. Others stay in the repository as the files they are. */
function readable(pages: readonly BookPage[], repository: Repository, book: Book): BookPage[] {
  return pages.flatMap((each): BookPage[] => {
    const below = readable(each.pages, repository, book)
    if (each.path === undefined) return [{ ...each, pages: below }]
    const decoded = repository.textOf(each.path)
    if (decoded && Buffer.byteLength(decoded.text) <= limits.sourceBytes) return [{ ...each, pages: below }]
    book.problems.push({ path: each.path, message: `is too large for a page: at most ${limits.sourceBytes} bytes` })
    return below.length > 0 ? [{ type: 'group', title: each.title, fields: {}, pages: below }] : []
  })
}

function pathsOf(pages: readonly BookPage[]): string[] {
  return pages.flatMap((each) => [...(each.path === undefined ? [] : [each.path]), ...pathsOf(each.pages)])
}

/** Files that texts include, wherever they are kept. */
function includedBy(texts: readonly ReadText[], finder: Finder): string[] {
  return texts.flatMap(({ path, read }) =>
    (read?.links ?? []).flatMap(({ kind, href }) =>
      kind === 'include' ? (finder.find(folderOf(path), partsOf(href).address) ?? []) : [],
    ),
  )
}

class TextReader {
  readonly #repository: Repository
  readonly #before: Before

  constructor(repository: Repository, before: Before) {
    this.#repository = repository
    this.#before = before
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
    return new Map(
      paths.map((path) => {
        const before = found.get(path)
        const text = texts.get(path)
        const head = text?.head ?? readHead(this.#repository.textOf(path)?.text ?? '')
        return [path, { path, id: before?.entry ?? newId(), before, head, read: text }]
      }),
    )
  }

  /** Parsing takes time: others get their turn in between. */
  async #read(path: string, read: (text: string, path: string) => TextRead): Promise<TextRead> {
    if (performance.now() - this.#pausedAt > 20) {
      await new Promise((resolve) => setImmediate(resolve))
      this.#pausedAt = performance.now()
    }
    return read(this.#repository.textOf(path)?.text ?? '', path)
  }
  #pausedAt = performance.now()

  async #textsOf(entries: readonly Entry[]) {
    const bodies = await this.#before.bodiesOf(entries.flatMap(({ doc }) => doc ?? []))
    return entries.map((entry) => {
      const title = entry.kind === page ? pageData(entry).title : reusableData(entry).title
      return { key: entry, text: withTitle(title, bodies.get(entry.doc ?? '') ?? '') }
    })
  }
}

const withTitle = (title: string | undefined, body: string) => (title === undefined ? body : `# ${title}\n${body}`)

/** Of what was there, the files and variables: they have no text. */
export const filesOf = (entries: readonly Entry[]) => entries.filter(({ kind }) => kind === file)
export const variablesOf = (entries: readonly Entry[]) => entries.filter(({ kind }) => kind === variable)
