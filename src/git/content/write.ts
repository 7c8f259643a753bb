import { isDeepStrictEqual } from 'node:util'
import { editYaml } from '../../content/page/front-matter.ts'
import { splitHead } from '../../content/page/split.ts'
import {
  type FileData,
  type GitFile,
  fileData,
  pageData,
  refsOf,
  reusableData,
  variableData,
} from '../../pages/entry-data.ts'
import { boundTo, partsOf } from '../../pages/references.ts'
import { PageTree } from '../../pages/tree.ts'
import { type Entry, file, page, reusable, variable } from '../../revisions/entries.ts'
import { readBook, variablesPath } from '../layout/book.ts'
import { configPath, readLayoutConfig } from '../layout/config.ts'
import { Finder } from '../layout/finder.ts'
import type { BookPage, LayoutConfig, Listed } from '../layout/shape.ts'
import { readSummary } from '../layout/summary.ts'
import { titleOfPath } from '../layout/titles.ts'
import { writeSummary } from '../layout/write-summary.ts'
import { listContents, outlineOf } from './contents.ts'
import { type Head, impliedSlug, readHead } from './documents.ts'
import { assignPaths, inOrder } from './files.ts'
import { chooseSlugs } from './places.ts'
import { writeBody } from './rewrite.ts'
import { oidOf } from './texts.ts'
import { Turns } from './turns.ts'
import { withSlug, writeDocument, writeInclude } from './write-texts.ts'

/** The content that is to be written as a repository. */
export interface ToWrite {
  entries: readonly Entry[]
  /** The texts of all entries, by hash. */
  bodies: ReadonlyMap<string, string>
  /** The files of the entries that are in the repository already. */
  known: ReadonlyMap<string, GitFile>
  /** Files of the repository that are not content, as they were. */
  kept: { has(path: string): boolean; paths(): Iterable<string>; textOf(path: string): string | undefined }
  /** Whether the repository was ever read or written. If so, anything missing from it was left out on purpose. */
  isKnown: boolean
}

/** A file to be written: text, or the bytes of a file of the content. */
export type WrittenFile = { entry?: string; text: string } | { entry: string; blob: FileData }

/** Writes a space as the files of a repository. What nobody edited is returned as it was read, byte for byte. */
export async function writeRepository(to: ToWrite): Promise<Map<string, WrittenFile>> {
  return new RepositoryWriter(to).write()
}

class RepositoryWriter {
  readonly #to: ToWrite
  readonly #config: LayoutConfig
  readonly #tree: PageTree
  readonly #paths: ReadonlyMap<string, string>
  readonly #written = new Map<string, WrittenFile>()

  constructor(to: ToWrite) {
    this.#to = to
    this.#config = readLayoutConfig(to.kept.textOf(configPath)).config
    this.#tree = PageTree.of(to.entries.filter(({ kind }) => kind === page))
    const { summary, root } = this.#config
    this.#paths = assignPaths({
      tree: this.#tree,
      files: this.#of(file),
      reusables: this.#of(reusable),
      known: to.known,
      taken: [...to.kept.paths(), summary, configPath, variablesPath(root)],
      config: this.#config,
    })
  }

  async write(): Promise<Map<string, WrittenFile>> {
    const finder = new Finder(new Set(this.#paths.values()), this.#config.root)
    const around = { paths: this.#paths, finder }
    const keptSummary = this.#to.kept.textOf(this.#config.summary)
    const documents = inOrder(this.#tree).filter((entry) => pageData(entry).type === 'document')
    const turns = new Turns()
    const isListed = keptSummary !== undefined || !this.#to.isKnown
    for (const entry of documents) {
      await turns.pass()
      this.#writeText(entry, finder, (path, body) => {
        const data = pageData(entry)
        return writeDocument(data, body, isListed ? data.title : titleOfPath(path), { ...around, path })
      })
    }
    for (const entry of this.#of(reusable))
      this.#writeText(entry, finder, (path, body) => writeInclude(reusableData(entry), body, path))
    for (const entry of this.#of(file))
      this.#written.set(this.#paths.get(entry.entry)!, { entry: entry.entry, blob: fileData(entry) })

    const slugs = this.#writeSlugs()
    this.#writeVariables()
    this.#writeContents(slugs, keptSummary)
    return this.#written
  }

  /** Text that the repository already has stays unchanged. Even a link that leads nowhere is not corrected. */
  #writeText(entry: Entry, finder: Finder, write: (path: string, body: string) => string): void {
    const path = this.#paths.get(entry.entry)!
    const body = this.#bodyOf(entry)
    const asKept = write(path, body)
    const known = this.#to.known.get(entry.entry)
    // Also compared with its slug, in case the slug was in the file when it was last written. `#writeSlugs` adds it
    // again.
    const isSame = () =>
      [asKept, ...(entry.slug === null ? [] : [withSlug(asKept, entry.slug)])].some(
        (text) => oidOfText(text) === known?.oid,
      )
    const isThere = known?.path === path && isSame() && !this.#leadsElsewhere(entry)
    const text = isThere
      ? asKept
      : write(path, writeBody(entry, body, path, { paths: this.#paths, finder, tree: this.#tree }))
    this.#written.set(path, { entry: entry.entry, text })
  }

  /** Whether anything that the text refers to has moved to another path. */
  #leadsElsewhere(entry: Entry): boolean {
    return Object.keys(refsOf(entry)).some((address) => {
      const id = boundTo(address, refsOf(entry))?.id
      const known = id === undefined ? undefined : this.#to.known.get(id)
      return known !== undefined && this.#paths.has(id!) && this.#paths.get(id!) !== known.path
    })
  }

  #of = (kind: number) => this.#to.entries.filter((entry) => entry.kind === kind)

  #bodyOf = ({ doc }: Entry) => (doc === null ? '' : (this.#to.bodies.get(doc) ?? ''))

  #textAt(path: string): string | undefined {
    const found = this.#written.get(path)
    return found && 'text' in found ? found.text : undefined
  }

  /** The fields above the body in the file at a path. */
  #headAt(path: string): Head {
    const text = this.#textAt(path) ?? ''
    const known = this.#heads.get(path)
    if (known?.text === text) return known.head
    const head = readHead(text)
    this.#heads.set(path, { text, head })
    return head
  }
  readonly #heads = new Map<string, { text: string; head: Head }>()

  /** Writes the slugs that the files would not give by themselves. Returns the slugs of pages that have no file. */
  #writeSlugs(): Map<string, string> {
    const said = new Map<string, string>()
    const visit = (siblings: readonly Entry[]) => {
      const chosen = chooseSlugs(
        siblings.map((entry) => {
          const path = this.#paths.get(entry.entry)
          const isSaid = path !== undefined && this.#headAt(path).slug !== undefined
          return { slug: entry.slug!, implied: this.#implied(entry), hasFile: path !== undefined, isSaid }
        }),
      )
      siblings.forEach(({ entry, slug }, i) => chosen.has(i) && this.#saySlug(entry, slug!, said))
      for (const { entry } of siblings) visit(this.#tree.childrenOf(entry))
    }
    visit(this.#tree.roots)
    return said
  }

  #implied(entry: Entry): string {
    const { type, title } = pageData(entry)
    const path = this.#paths.get(entry.entry)
    return impliedSlug({ type, title, ...(path !== undefined && { path }) }, this.#config.root)
  }

  #saySlug(entry: string, slug: string, said: Map<string, string>): void {
    const path = this.#paths.get(entry)
    const text = path === undefined ? undefined : this.#textAt(path)
    if (path === undefined || text === undefined) said.set(entry, slug)
    else this.#written.set(path, { entry, text: withSlug(text, slug) })
  }

  #writeVariables(): void {
    const path = variablesPath(this.#config.root)
    const before = this.#to.kept.textOf(path)
    const now = Object.fromEntries(this.#of(variable).map((entry) => [entry.slug!, variableData(entry).value]))
    const { variables: was } = readBook(new Map(), (each) => (each === path ? before : this.#to.kept.textOf(each)))
    const isSame = isDeepStrictEqual({ ...was }, now)
    if (isSame && before !== undefined) this.#written.set(path, { text: before })
    if (isSame) return
    const gone = Object.fromEntries(Object.keys(was).flatMap((name) => (name in now ? [] : [[name, undefined]])))
    const changed = Object.fromEntries(Object.entries(now).filter(([name, value]) => was[name] !== value))
    this.#written.set(path, { text: editYaml(before ?? '', { ...gone, ...changed }) })
  }

  /** Leaves the table of contents as it is, or absent, if it already describes the space. */
  #writeContents(slugs: ReadonlyMap<string, string>, before: string | undefined): void {
    const { summary } = this.#config
    const titles = before === undefined ? new Map<string, Listed>() : this.#titlesIn(before)
    const listed = listContents({ tree: this.#tree, paths: this.#paths, slugs, summary, titles })
    const text = writeSummary(listed, before)
    const isRight =
      this.#to.isKnown && !this.#listsRemoved(before) && isDeepStrictEqual(this.#outline(before), this.#outline(text))
    if (!isRight) this.#written.set(summary, { text })
    else if (before !== undefined) this.#written.set(summary, { text: before })
  }

  /**
   * Whether the table of contents lists a file that this export removes: the entry has to go with it. Entries whose
   * file never existed are for their author to correct.
   */
  #listsRemoved(before = ''): boolean {
    const known = [...this.#to.known.values()].map(({ path }) => path)
    const { finder, folder } = this.#summaryFinder([...known, ...this.#paths.values()])
    const isRemoved = ({ href = '', items }: Listed): boolean => {
      const { address } = partsOf(href)
      const path = address === '' ? undefined : finder.find(folder, address)
      return (path !== undefined && !this.#written.has(path)) || items.some(isRemoved)
    }
    return readSummary(before).some(isRemoved)
  }

  /** The outline that an import would read from the written files, with this table of contents. */
  #outline(summary: string | undefined): unknown[] {
    const files = new Map([...this.#written.keys()].map((path) => [path, { oid: '', size: 0 }]))
    if (summary !== undefined) files.set(this.#config.summary, { oid: '', size: 0 })
    const textOf = (path: string) => (path === this.#config.summary ? summary : this.#to.kept.textOf(path))
    const ownOf = (each: BookPage) => {
      const head = each.path === undefined ? undefined : this.#headAt(each.path)
      return { title: head?.title ?? each.title, slug: head ? head.slug : each.slug }
    }
    return outlineOf(readBook(files, textOf).pages, this.#config.root, ownOf)
  }

  /** The titles that the table of contents gives to pages, except for pages that were renamed since. */
  #titlesIn(summary: string): Map<string, Listed> {
    const { finder, folder } = this.#summaryFinder()
    const byPath = new Map([...this.#paths].map(([entry, path]) => [path, entry]))
    const titles = new Map<string, Listed>()
    const visit = (items: readonly Listed[], isByHeading: boolean) => {
      for (const item of items) {
        const { address, anchor } = partsOf(item.href ?? '')
        const isMeant = address !== '' && (anchor !== undefined) === isByHeading
        const path = isMeant ? finder.find(folder, address) : undefined
        const entry = path === undefined ? undefined : byPath.get(path)
        const found = entry === undefined ? undefined : this.#tree.byId.get(entry)
        if (entry !== undefined && found && !titles.has(entry) && this.#isAsInFile(found, path!))
          titles.set(entry, item)
        visit(item.items, isByHeading)
      }
    }
    // An entry for a whole page gives the page its title. Beside one, entries for headings of the page are only links.
    for (const isByHeading of [false, true]) visit(readSummary(summary), isByHeading)
    return titles
  }

  /** Whether the title of the page is the one that came with its file. */
  #isAsInFile(entry: Entry, path: string): boolean {
    const { title, source } = pageData(entry)
    return source !== undefined && splitHead(source, title).fields.title === title && this.#headAt(path).title === title
  }

  #summaryFinder(paths: Iterable<string> = this.#paths.values()) {
    const { summary, root } = this.#config
    const slash = summary.lastIndexOf('/')
    return {
      finder: new Finder(new Set(paths), root),
      folder: slash === -1 ? '' : summary.slice(0, slash),
    }
  }
}

const oidOfText = (text: string) => oidOf(Buffer.from(text))
