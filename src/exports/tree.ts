import { Readable } from 'node:stream'
import type { Db } from '../db/connect.ts'
import { listContents } from '../git/content/contents.ts'
import { impliedSlug } from '../git/content/documents.ts'
import { assignPaths } from '../git/content/files.ts'
import { writeBody } from '../git/content/rewrite.ts'
import { withSlug, writeDocument, writeInclude } from '../git/content/write-texts.ts'
import { variablesPath } from '../git/layout/book.ts'
import { configPath, readLayoutConfig } from '../git/layout/config.ts'
import { Finder } from '../git/layout/finder.ts'
import { writeSummary } from '../git/layout/write-summary.ts'
import { editYaml } from '../content/page/front-matter.ts'
import { fileData, pageData, reusableData, variableData } from '../pages/entry-data.ts'
import { PageTree } from '../pages/tree.ts'
import { listBodies } from '../revisions/bodies.ts'
import { type Entry, file, page, reusable, variable } from '../revisions/entries.ts'
import { type BlobStore, getIfThere } from '../storage/store.ts'
import type { Item } from './archive.ts'

const batch = 50

interface From {
  db: Db
  store: BlobStore
  organizationId: string
}

/** The path of every page, file and reusable content of a space in an archive, below its folder. */
export interface Places {
  tree: PageTree
  paths: ReadonlyMap<string, string>
}

export function placesOf(entries: readonly Entry[]): Places {
  const of = (kind: number) => entries.filter((entry) => entry.kind === kind)
  const tree = PageTree.of(of(page))
  const { config } = readLayoutConfig(undefined)
  const taken = [config.summary, configPath, variablesPath(config.root)]
  const paths = assignPaths({ tree, files: of(file), reusables: of(reusable), known: new Map(), taken, config })
  return { tree, paths }
}

/** A space as Markdown files in GitBook's format, read a few pages at a time. */
export async function* treeItems(
  from: From,
  entries: readonly Entry[],
  { tree, paths }: Places,
  folder: string,
): AsyncGenerator<Item> {
  const { config } = readLayoutConfig(undefined)
  const around = { tree, paths, finder: new Finder(new Set(paths.values()), config.root) }
  const texts = entries.filter((entry) => entry.kind === reusable || isDocument(entry))
  for (let start = 0; start < texts.length; start += batch) {
    const part = texts.slice(start, start + batch)
    const found = await listBodies(from.db, from.organizationId, [...new Set(part.flatMap(({ doc }) => doc ?? []))])
    const bodies = new Map(found.map(({ hash, markdown }) => [hash, markdown]))
    for (const entry of part) {
      const path = paths.get(entry.entry)!
      const body = writeBody(entry, bodies.get(entry.doc ?? '') ?? '', path, around)
      yield { path: folder + path, content: textOf(entry, body, path, around, config.root) }
    }
  }
  yield* files(from, entries, paths, folder)
  const slugs = new Map<string, string>()
  for (const entry of tree.byId.values()) {
    if (paths.has(entry.entry)) continue
    const { type, title } = pageData(entry)
    if (impliedSlug({ type, title }, config.root) !== entry.slug) slugs.set(entry.entry, entry.slug!)
  }
  const listed = listContents({ tree, paths, slugs, summary: config.summary, titles: new Map() })
  yield { path: folder + config.summary, content: writeSummary(listed, undefined) }
  const variables = entries.filter(({ kind }) => kind === variable)
  if (variables.length > 0) {
    const values = Object.fromEntries(variables.map((entry) => [entry.slug!, variableData(entry).value]))
    yield { path: folder + variablesPath(config.root), content: editYaml('', values) }
  }
}

const isDocument = (entry: Entry) => entry.kind === page && pageData(entry).type === 'document'

type Around = Omit<Parameters<typeof writeDocument>[3], 'path'>

function textOf(entry: Entry, body: string, path: string, around: Around, root: string): string {
  if (entry.kind === reusable) return writeInclude(reusableData(entry), body, path)
  const data = pageData(entry)
  const text = writeDocument(data, body, data.title, { ...around, path })
  const implied = impliedSlug({ type: 'document', path, title: data.title }, root)
  return entry.slug === implied ? text : withSlug(text, entry.slug!)
}

/** A file whose bytes are missing is left out. References to it in the archive then lead to nothing. */
async function* files(
  { store, organizationId }: From,
  entries: readonly Entry[],
  paths: ReadonlyMap<string, string>,
  folder: string,
): AsyncGenerator<Item> {
  for (const entry of entries) {
    if (entry.kind !== file) continue
    const bytes = await getIfThere(store, { organizationId, hash: fileData(entry).blob })
    if (bytes) yield { path: folder + paths.get(entry.entry)!, content: bytes }
  }
}

/** Every entry as it is stored, with its body, one per line. Contains what the Markdown files cannot express. */
export function entryLines(from: From, entries: readonly Entry[], { paths }: Places, folder: string): Readable {
  return Readable.from(linesOf(from, entries, paths, folder), { objectMode: false })
}

/** An entry in an archive. */
export interface EntryLine extends Pick<Entry, 'entry' | 'kind' | 'parent' | 'slug' | 'position' | 'refs' | 'data'> {
  body: string | null
  /** The path of a file's bytes in the archive. */
  file?: string
}

async function* linesOf(
  { db, organizationId }: From,
  entries: readonly Entry[],
  paths: ReadonlyMap<string, string>,
  folder: string,
): AsyncGenerator<string> {
  for (let start = 0; start < entries.length; start += batch) {
    const part = entries.slice(start, start + batch)
    const found = await listBodies(db, organizationId, [...new Set(part.flatMap(({ doc }) => doc ?? []))])
    const bodies = new Map(found.map(({ hash, markdown }) => [hash, markdown]))
    yield part
      .map(({ entry, kind, parent, slug, position, refs, data, doc }): EntryLine => ({
        entry,
        kind,
        parent,
        slug,
        position,
        refs,
        data,
        body: doc === null ? null : (bodies.get(doc) ?? null),
        ...(kind === file && { file: folder + paths.get(entry)! }),
      }))
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
  }
}
