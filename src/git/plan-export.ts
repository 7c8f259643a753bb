import { buffer } from 'node:stream/consumers'
import { sameEntry, sameJson } from '../content/merge/entry.ts'
import type { Db } from '../db/connect.ts'
import type { GitFileRow } from '../db/tables.ts'
import { type GitFile, fileData } from '../pages/entry-data.ts'
import { listBodies } from '../revisions/bodies.ts'
import type { Entry, Row } from '../revisions/entries.ts'
import { type Line, findMainLine } from '../revisions/lines.ts'
import { type BlobStore, getIfThere } from '../storage/store.ts'
import { gitOf } from './content/matching.ts'
import { oidOf } from './content/texts.ts'
import { type WrittenFile, writeRepository } from './content/write.ts'
import { variablesPath } from './layout/book.ts'
import { configPath, readLayoutConfig } from './layout/config.ts'
import type { FileForFolder } from './folder.ts'
import type { SyncedSpace } from './plan-import.ts'
import {
  type GitSync,
  type KeptFile,
  findGitSync,
  findSpaceToSync,
  listContent,
  listGitFiles,
  listUnkept,
} from './queries.ts'
import { GitFailure } from './repository.ts'
import { type KnownStates, readStates } from './state.ts'

/** A file to be written. `text` is set if the export generated it. */
export interface FileToWrite extends FileForFolder {
  entry: string | undefined
  text: string | undefined
}

/**
 * Whether a file is content. Other files belong to the owners of the repository, and are kept only to be written back.
 */
export const isContent = ({ entry, text }: FileToWrite) => entry !== undefined || text !== undefined

/** A space as it is to be written to its repository. */
export interface ExportPlan extends KnownStates {
  organizationId: string
  spaceId: string
  sync: GitSync | undefined
  main: Line
  files: FileToWrite[]
  /**
   * The object ids of our files that the repository had when it was last read or written here, by path. Files that are
   * not content are not ours, except for those that define the layout.
   */
  had: ReadonlyMap<string, string>
  /** Entries whose path or object id in the repository has to be recorded. */
  rows: Row[]
  /** The files that are not content, as they will be after the export. */
  kept: KeptFile[]
  /** Texts among them that are not stored yet. */
  newTexts: { path: string; text: string }[]
}

export async function planExport(db: Db, store: BlobStore, space: SyncedSpace): Promise<ExportPlan> {
  const { organizationId, spaceId } = space
  const [found, sync, rows, unkept] = await Promise.all([
    findSpaceToSync(db, organizationId, spaceId),
    findGitSync(db, organizationId, spaceId),
    listGitFiles(db, organizationId, spaceId),
    listUnkept(db, organizationId, spaceId),
  ])
  if (!found) throw new GitFailure('The space no longer exists.')
  const main = await findMainLine(db, organizationId, spaceId)
  const [entries, states] = await Promise.all([listContent(db, main.head), readStates(db, sync)])
  const read = (hash: string) => readBlob(store, organizationId, hash)
  const kept = await keptOf(rows, unkept, read)
  const bodies = await listBodies(db, organizationId, [...new Set(entries.flatMap(({ doc }) => doc ?? []))])
  const written = await writeRepository({
    entries,
    bodies: new Map(bodies.map(({ hash, markdown }) => [hash, markdown])),
    known: knownOf(entries, states),
    kept,
    isKnown: states.seen !== undefined,
  })
  const files = await filesOf({ written, entries, seen: states.seen?.entries ?? [], rows, read })
  const made = new Set(written.keys())
  const others = rows.filter(({ path, of_content }) => !of_content && !made.has(path) && !kept.isOfLayout(path))
  return {
    ...states,
    organizationId,
    spaceId,
    sync,
    main,
    files: [...files, ...others.map((row) => asFile(row, read))],
    had: hadOf(
      states,
      rows.filter(({ path, of_content }) => of_content || path === configPath || kept.isOfLayout(path)),
    ),
    rows: rowsOf(entries, files),
    kept: [
      ...others,
      ...rows.filter(({ path, of_content }) => of_content && made.has(path)),
      ...files.flatMap((each) => (each.entry === undefined ? layoutRow(each, rows) : [])),
    ],
    newTexts: files.flatMap(({ path, text, oid, entry }) =>
      entry !== undefined || text === undefined || rows.some((row) => row.path === path && row.oid === oid)
        ? []
        : [{ path, text }],
    ),
  }
}

const bytesAreGone =
  'The bytes of a file are missing. "lectern doctor" names it: upload it again, or restore it from a backup.'

async function readBlob(store: BlobStore, organizationId: string, hash: string): Promise<Buffer> {
  const bytes = await getIfThere(store, { organizationId, hash })
  if (!bytes) throw new GitFailure(bytesAreGone)
  return buffer(bytes)
}

type Read = (hash: string) => Promise<Buffer>

/**
 * The kept files: the texts of those that define the layout, and the paths of all of them, including those whose bytes
 * are not kept.
 */
async function keptOf(rows: readonly GitFileRow[], unkept: readonly string[], read: Read) {
  const others = new Map(rows.filter(({ of_content }) => !of_content).map((row) => [row.path, row]))
  const load = async (path: string) => {
    const row = others.get(path)
    return row && (await read(row.blob)).toString()
  }
  const config = await load(configPath)
  const { summary, root } = readLayoutConfig(config).config
  const texts = new Map([
    [configPath, config],
    [summary, await load(summary)],
    [variablesPath(root), await load(variablesPath(root))],
  ])
  return {
    has: (path: string) => others.has(path),
    paths: () => [...others.keys(), ...unkept],
    textOf: (path: string) => texts.get(path),
    /** Whether the file is generated on each export, or left out. */
    isOfLayout: (path: string) => path === summary || path === variablesPath(root),
  }
}

/** What the repository had last takes precedence over what an entry remembers: merges do not update the latter. */
function knownOf(entries: readonly Entry[], { seen }: KnownStates): Map<string, GitFile> {
  const known = new Map<string, GitFile>()
  for (const entry of [...entries, ...(seen?.entries ?? [])]) {
    const git = gitOf(entry)
    if (git) known.set(entry.entry, git)
  }
  return known
}

interface Making {
  written: ReadonlyMap<string, WrittenFile>
  entries: readonly Entry[]
  seen: readonly Entry[]
  rows: readonly GitFileRow[]
  read: Read
}

async function filesOf({ written, entries, seen, rows, read }: Making): Promise<FileToWrite[]> {
  const before = new Map(seen.map((entry) => [entry.entry, entry]))
  const now = new Map(entries.map((entry) => [entry.entry, entry]))
  const damaged = new Map(rows.filter(({ of_content }) => of_content).map((row) => [row.path, row]))
  const files: FileToWrite[] = []
  for (const [path, each] of written) {
    const { entry } = each
    const was = entry === undefined ? undefined : before.get(entry)
    const row = damaged.get(path)
    if ('blob' in each) {
      const { blob } = each.blob
      const isSame = was && fileData(was).blob === blob ? gitOf(was)?.oid : undefined
      const oid = isSame ?? oidOf(await read(blob))
      files.push({ path, oid, entry, text: undefined, isExecutable: false, bytes: () => read(blob) })
    } else if (row && was && sameEntry(was, now.get(entry!)!)) {
      // The file was not valid text, so its original bytes are written, not what was read of it.
      files.push({ ...asFile(row, read), entry })
    } else {
      const bytes = Buffer.from(each.text)
      files.push({ path, oid: oidOf(bytes), entry, text: each.text, isExecutable: false, bytes: async () => bytes })
    }
  }
  return files
}

function asFile({ path, oid, blob, executable }: GitFileRow, read: Read): FileToWrite {
  return { path, oid, entry: undefined, text: undefined, isExecutable: executable, bytes: () => read(blob) }
}

function hadOf({ seen }: KnownStates, rows: readonly GitFileRow[]): Map<string, string> {
  const content = (seen?.entries ?? []).flatMap((entry) => gitOf(entry) ?? [])
  return new Map([...rows, ...content].map(({ path, oid }) => [path, oid]))
}

function rowsOf(entries: readonly Entry[], files: readonly FileToWrite[]): Row[] {
  const byEntry = new Map(files.flatMap((each) => (each.entry === undefined ? [] : [[each.entry, each] as const])))
  return entries.flatMap((entry): Row[] => {
    const written = byEntry.get(entry.entry)
    if (!written) return []
    const git = { oid: written.oid, path: written.path }
    return sameJson(entry.data?.['git'], git) ? [] : [{ ...entry, data: { ...entry.data, git } }]
  })
}

/** If the text existed before, its bytes are stored already. Those of a new text are stored later. */
function layoutRow({ path, oid }: FileToWrite, rows: readonly GitFileRow[]): KeptFile[] {
  const before = rows.find((row) => row.path === path && row.oid === oid)
  return before ? [before] : [{ path, oid, blob: '', executable: false, of_content: false }]
}
