import { type ExportPlan, type FileToWrite, isContent } from '../plan-export.ts'
import { type ExportTarget, NotPushed, type PreparedExport } from '../export.ts'
import { folderOf, isMarkdown } from '../layout/paths.ts'
import type { Problem, RepositoryFile } from '../layout/shape.ts'
import { isSamePlace } from '../place.ts'
import type { RemoteInfo } from '../queries.ts'
import { type Commit, GitFailure } from '../repository.ts'
import { failureOf, fetchNames, fetchedRef, saidByGit } from './fetch.ts'
import { listTree, typeAt } from './read.ts'
import type { Workplace } from './workplace.ts'

const madeRef = 'refs/lectern/made'

export interface CommitDraft {
  message: string
  author: { name: string; email: string }
  /** Overwrites what was committed there since the repository was last read. */
  force: boolean
}

/** A branch of a repository as the target of an export: one commit on top of what is there. */
export function remoteTarget(place: Workplace, remote: RemoteInfo, draft: CommitDraft): ExportTarget {
  return {
    remote,
    async prepare(plan) {
      const newest = await fetchNames(place)
      const unread: Problem[] = []
      const there = newest ? await listIfAny(place, newest.oid, unread, draft.force) : new Map<string, RepositoryFile>()
      const isSeen = newest !== undefined && isAtSeen(plan, place, newest)
      const known = isSeen || isSamePlaceAs(plan, place) ? plan.had : new Map<string, string>()
      if (!draft.force && !newest && known.size > 0) throw branchGone(place)
      if (!draft.force) refuseForeign(plan, { known, there, isSeen })
      const changes = changesOf(plan, known, there)
      if (!draft.force) refuseInTheWay(changes, there, unread)
      if (changes.write.length === 0 && changes.remove.length === 0) return nothingToDo(newest)
      const commit = await makeCommit(place, draft, changes, newest)
      return { commit, finish: () => push(place, commit, changes) }
    },
  }
}

/** Somebody removed the branch for a reason, so it is created again only on request. */
function branchGone({ remote }: Workplace): GitFailure {
  const branch = remote.ref.replace('refs/heads/', '')
  return new GitFailure(
    `The branch ${branch} no longer exists in the repository. Export with force to create it again.`,
  )
}

function nothingToDo(newest: Commit | undefined): PreparedExport {
  return { commit: newest, finish: async () => ({ written: 0, removed: 0 }) }
}

/**
 * Lists the folder of the project, which may not exist yet. With `force`, the export replaces anything else of that
 * name.
 */
async function listIfAny(
  place: Workplace,
  commit: string,
  unread: Problem[],
  force: boolean,
): Promise<Map<string, RepositoryFile>> {
  const { projectDirectory } = place.remote
  const steps = projectDirectory === '' ? [] : [projectDirectory, ...foldersAbove(projectDirectory)].toReversed()
  for (const step of steps) {
    const type = await typeAt(place, commit, step)
    if (type === 'tree') continue
    if (type !== undefined && !force)
      throw new GitFailure(`${somethingElseAt(step)} Choose another folder, or export with force.`)
    return new Map()
  }
  return listTree(place, commit, unread)
}

/** What is known about one branch says nothing about another. */
function isSamePlaceAs({ sync }: ExportPlan, { remote }: Workplace): boolean {
  const { url, ref, projectDirectory: project_directory } = remote
  return sync !== undefined && isSamePlace(sync, { url, ref, project_directory })
}

/**
 * Whether the branch is at the very commit that was last read or written: then it was renamed, or the repository has
 * moved.
 */
const isAtSeen = ({ sync }: ExportPlan, { remote }: Workplace, newest: Commit) =>
  newest.oid === sync?.seen_oid && remote.projectDirectory === sync.project_directory

interface Both {
  known: ReadonlyMap<string, string>
  there: ReadonlyMap<string, RepositoryFile>
  isSeen: boolean
}

/**
 * Refuses to overwrite silently what others have committed since. Their changes to files other than ours do not matter.
 */
function refuseForeign({ files }: ExportPlan, { known, there, isSeen }: Both): void {
  const written = new Map(files.filter(isContent).map(({ path, oid }) => [path, oid]))
  // Nobody has committed anything since. For files that no entry is made of (the table of contents), this is all that
  // can be known.
  const ours = new Set(isSeen ? files.flatMap(({ path, entry }) => (entry === undefined ? [path] : [])) : [])
  const isLost = (path: string) =>
    !ours.has(path) && there.get(path)?.oid !== known.get(path) && there.get(path)?.oid !== written.get(path)
  const isOurs = (path: string) => known.has(path) || there.has(path)
  if (![...known.keys(), ...written.keys()].some((path) => isOurs(path) && isLost(path))) return
  throw new GitFailure('The branch has changes that have not been imported. Import it first, or export with force.')
}

interface Changes {
  write: FileToWrite[]
  remove: string[]
}

function changesOf(
  { files }: ExportPlan,
  known: ReadonlyMap<string, string>,
  there: ReadonlyMap<string, RepositoryFile>,
): Changes {
  const paths = new Set(files.map(({ path }) => path))
  return {
    write: files.flatMap((each) => {
      const found = there.get(each.path)
      // Files that are not content belong to the repository's owners: they are written only on the first export, if
      // their path is free.
      const isWritten = isContent(each) ? found?.oid !== each.oid : !found && known.size === 0
      // On some systems all files are executable: a change of the text does not change that.
      return isWritten ? [{ ...each, isExecutable: found?.isExecutable ?? each.isExecutable }] : []
    }),
    remove: [...known.keys()].filter((path) => !paths.has(path) && there.has(path)),
  }
}

/**
 * Refuses to replace what stands in the way of our files. Entries that are not read (submodules, links) are unknown
 * when pages get their paths, and a file may have the name of a folder that a page needs. Git would replace theirs with
 * ours.
 */
function refuseInTheWay(
  { write, remove }: Changes,
  there: ReadonlyMap<string, RepositoryFile>,
  unread: readonly Problem[],
): void {
  const removed = new Set(remove)
  const links = new Set(unread.map(({ path }) => path))
  const names = new Set([...links, ...[...there.keys()].filter((path) => !removed.has(path))])
  const isFolder = foldersOf([...names])
  for (const each of write) {
    const { path } = each
    const isTaken = links.has(path) || isFolder(path)
    const at = isTaken ? path : foldersAbove(path).find((folder) => names.has(folder))
    if (at === undefined) continue
    throw new GitFailure(`${somethingElseAt(at)} ${wayOut(each)}, or export with force.`)
  }
}

/** A page can be moved. The table of contents, and files that belong to a page, cannot. */
const wayOut = ({ path, entry }: FileToWrite) =>
  entry !== undefined && isMarkdown(path)
    ? 'Give the page another address'
    : `${path} is to be written, so replace it there by a plain file or folder`

const somethingElseAt = (path: string) =>
  `The repository has something else at ${path}: a submodule, a link, a file or a folder.`

/**
 * Returns a function that tells whether a path is a folder with something in it. It searches the sorted names, because
 * a set of all folders could be very large.
 */
function foldersOf(names: string[]): (path: string) => boolean {
  const sorted = names.toSorted()
  return (path) => {
    const start = `${path}/`
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (sorted[middle]! < start) from = middle + 1
      else to = middle
    }
    return sorted[from]?.startsWith(start) ?? false
  }
}

function foldersAbove(path: string): string[] {
  const folder = folderOf(path)
  return folder === '' ? [] : [folder, ...foldersAbove(folder)]
}

/** Uses `fast-import`, so that no file is checked out. */
async function makeCommit(
  place: Workplace,
  { message, author }: CommitDraft,
  changes: Changes,
  parent: Commit | undefined,
): Promise<Commit> {
  const who = `${plain(author.name) || 'Lectern'} <${plain(author.email)}> ${Math.floor(Date.now() / 1000)} +0000`
  const prefix = place.remote.projectDirectory === '' ? '' : `${place.remote.projectDirectory}/`
  async function* stream() {
    yield `commit ${madeRef}\nauthor ${who}\ncommitter ${who}\n${data(Buffer.from(message.replaceAll('\0', '')))}`
    if (parent) yield `from ${fetchedRef}^0\n`
    for (const path of changes.remove) yield `D ${quoted(prefix + path)}\n`
    for (const { path, isExecutable, bytes } of changes.write) {
      const content = await bytes()
      yield `M ${isExecutable ? '100755' : '100644'} inline ${quoted(prefix + path)}\ndata ${content.length}\n`
      yield content
      yield '\n'
    }
    yield 'done\n'
  }
  // `--force`, because if somebody else was faster, the commit is made anew on top of theirs.
  // The packs have a size that a process may write: a space may have more files than fit into one.
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw', '--max-pack-size=512m']
  await place.git(args, { input: stream(), timeoutMs: 120_000 })
  const oid = (await place.git(['rev-parse', madeRef])).toString().trim()
  return { oid, message }
}

/** Prefixes the bytes with their length, so that nothing in them can be taken for a command. */
const data = (bytes: Buffer) => `data ${bytes.length}\n${bytes.toString()}\n`

/** Names are written on a line of their own, so they must not contain line breaks or angle brackets. */
// oxlint-disable-next-line no-control-regex
const plain = (text: string) => text.replace(/[<>\u0000-\u001f\u007f]/g, ' ').trim()

const quoted = (path: string) => `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** Undefined if somebody else has pushed in the meantime. */
async function push(place: Workplace, commit: Commit, { write, remove }: Changes) {
  const { url, ref } = place.remote
  const answer = await place.goOut(['push', '--quiet', '--porcelain', '--', url, `${commit.oid}:${ref}`])
  if (answer.code === 0) return { written: write.length, removed: remove.length }
  const said = answer.stdout.toString() + answer.stderr
  if (/non-fast-forward|fetch first|cannot lock ref|stale info/i.test(said)) return undefined
  // A program on the other side can report a denial after the commit has arrived, so only git's own messages count.
  if (!refused.test(saidByGit(said))) throw failureOf(answer)
  throw /rejected|declined|denied|not allowed/i.test(said)
    ? new NotPushed('The repository refused the push: its branch is protected, or the user is not allowed to write.')
    : new NotPushed(failureOf(answer).message)
}

const refused =
  /rejected|declined|denied|not allowed|error: 40[0134]|Authentication failed|could not read (?:Username|Password)/i
