import { isDeepStrictEqual } from 'node:util'
import { editYaml } from '../../content/page/front-matter.ts'
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

/** What is to become a repository. */
export interface ToWrite {
  entries: readonly Entry[]
  /** The texts of all entries, by hash. */
  bodies: ReadonlyMap<string, string>
  /** What entries are in the repository already. */
  known: ReadonlyMap<string, GitFile>
  /** Files of the repository that are no content, as they were. */
  kept: { has(path: string): boolean; paths(): Iterable<string>; textOf(path: string): string | undefined }
  /** Whether the repository was ever read or written: then what is not there was left out on purpose. */
  isKnown: boolean
}

/** A file to be written: a text, or the bytes of a file of the content. */
export type WrittenFile = { entry?: string; text: string } | { entry: string; blob: FileData }

/** A space as the files of a repository. What nobody edited comes out as it came in, byte for byte. */
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

  /** What the repository has already stays: even a link that leads nowhere is nobody's to correct. */
  #writeText(entry: Entry, finder: Finder, write: (path: string, body: string) => string): void {
    const path = this.#paths.get(entry.entry)!
    const body = this.#bodyOf(entry)
    const asKept = write(path, body)
    const known = this.#to.known.get(entry.entry)
    // With its slug, where that was said when it was last written: it is said again further down.
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

  /** Whether something that it names is not where it was. */
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

  /** What the file at a path says above its body. */
  #headAt(path: string): Head {
    const text = this.#textAt(path) ?? ''
    const known = this.#heads.get(path)
    if (known?.text === text) return known.head
    const head = readHead(text)
    this.#heads.set(path, { text, head })
    return head
  }
  readonly #heads = new Map<string, { text: string; head: Head }>()

  /** Slugs that the files would not give by themselves are said. Answers those of pages that have no file. */
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

  /** The table of contents stays as it is, or away, where it says what the space says. */
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

  /** What was never there is for whoever listed it to correct; what goes with this, goes from there as well. */
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

  /** How somebody would read what is written, with this table of contents. */
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

  /** What pages are called there, unless they were renamed since. */
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
    // A page that is listed as a whole is called what it is called there: beside that, its headings are links.
    for (const isByHeading of [false, true]) visit(readSummary(summary), isByHeading)
    return titles
  }

  /** Its title is the one that it brought along from its file. */
  #isAsInFile(entry: Entry, path: string): boolean {
    const { title, source } = pageData(entry)
    return source !== undefined && readHead(source).title === title && this.#headAt(path).title === title
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
